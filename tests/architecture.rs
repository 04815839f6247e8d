//! The rules of the house that a compiler does not know.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The rooms in reading order; a module imports only from rooms above its own, or from its own.
const ROOMS: &[&str] = &[
    "framing",
    "json",
    "model",
    "providers",
    "lint",
    "recording",
    "corpus",
    "observe",
    "check",
    "verdict",
    "report",
    "load",
    "server",
    "record",
    "runtime",
    "target",
    "harness",
    "fuzz",
    "cli",
];

/// Files that may be longer than the budget, with the reason.
const LONG_FILES: &[(&str, &str)] = &[];

const BUDGET: usize = 600;

fn sources() -> Vec<PathBuf> {
    fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                out.push(path);
            }
        }
    }
    let mut out = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut out);
    out.sort();
    out
}

fn room_of(path: &Path) -> Option<String> {
    let relative = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    let first = relative.components().next()?.as_os_str().to_str()?.trim_end_matches(".rs").to_owned();
    ROOMS.contains(&first.as_str()).then_some(first)
}

/// Rooms that a source imports: `use crate::room` and paths such as `crate::room::Item`.
fn imports(source: &str) -> Vec<String> {
    let code: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or("").split(',').map(str::trim).collect(),
            None => vec![rest],
        };
        for name in names {
            let room: String = name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            found.push(room);
        }
    }
    found
}

#[test]
fn imports_follow_the_reading_order() {
    let place: BTreeMap<&str, usize> = ROOMS.iter().enumerate().map(|(i, room)| (*room, i)).collect();
    let mut offences = Vec::new();
    for path in sources() {
        let Some(room) = room_of(&path) else { continue };
        for import in imports(&std::fs::read_to_string(&path).unwrap()) {
            match place.get(import.as_str()) {
                Some(at) if *at <= place[room.as_str()] => {}
                Some(_) => offences.push(format!("{}: `{room}` imports `{import}` below it", path.display())),
                None => offences.push(format!("{}: `crate::{import}` is no room", path.display())),
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn the_scan_sees_upward_imports() {
    assert_eq!(imports("use crate::{json::Doc, cli};\nfn f() { crate::check::x() }"), ["json", "cli", "check"]);
    assert_eq!(imports("// crate::cli\n/// [`crate::cli`]\nuse crate::model::Turn;"), ["model"]);
}

#[test]
fn files_hold_one_concept_and_open_with_docs() {
    for path in sources() {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.display();
        assert!(source.starts_with("//!"), "{name} does not say what it is");
        let long = LONG_FILES.iter().any(|(file, _)| path.ends_with(file));
        let lines = source.lines().count();
        assert!(long || lines <= BUDGET, "{name} has {lines} lines, over {BUDGET}");
    }
}

#[test]
fn architecture_page_names_every_room() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let mut rooms: Vec<String> = sources().iter().filter_map(|path| room_of(path)).collect();
    rooms.dedup();
    for room in rooms {
        assert!(page.contains(&format!("`{room}`")), "ARCHITECTURE.md does not name `{room}`");
    }
}
