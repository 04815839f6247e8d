//! The README's commands, run. What stands in a block marked `sh` has to work in a fresh checkout.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use std::path::Path;

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The lines of every block marked `sh`.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.trim() {
            "```sh" => inside = true,
            "```" => inside = false,
            command if inside && !command.is_empty() && !command.starts_with('#') => commands.push(command.to_owned()),
            _ => {}
        }
    }
    commands
}

/// Arguments of a `cargo run --release --` or `toolwire` command, without comments; quotes only hold one word together.
fn arguments(command: &str) -> Option<Vec<String>> {
    let command = command.split(" #").next().unwrap();
    let rest = command.strip_prefix("cargo run --release -- ").or_else(|| command.strip_prefix("toolwire "))?;
    Some(rest.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect())
}

#[test]
fn commands_work() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = tempfile::tempdir().unwrap();
    for entry in ["corpus", "docs", "examples"] {
        std::os::unix::fs::symlink(root.join(entry), scratch.path().join(entry)).unwrap();
    }
    let commands = commands(&readme());
    assert!(commands.contains(&"cargo run --release -- run".to_owned()) && commands.contains(&"cargo test".to_owned()));
    for command in commands {
        let Some(mut arguments) = arguments(&command) else {
            assert!(command == "cargo test" || command.starts_with("cargo install "), "nothing runs `{command}`");
            continue;
        };
        // The whole matrix takes minutes without optimization; `.ci/run` makes it with.
        if arguments == ["mutants"] {
            arguments.push("--help".to_owned());
        }
        let mut toolwire = assert_cmd::Command::cargo_bin("toolwire").unwrap();
        let output = toolwire.args(&arguments).current_dir(scratch.path()).output().unwrap();
        let expected = i32::from(command.contains("# exits with 1"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(expected), "{command}\n{stderr}");
    }
}

#[test]
fn it_stays_short_and_its_links_lead_somewhere() {
    let text = readme();
    assert!(text.lines().count() < 200);
    for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        let file = link.split('#').next().unwrap();
        let local = !file.is_empty() && !file.starts_with("http");
        assert!(!local || Path::new(env!("CARGO_MANIFEST_DIR")).join(file).exists(), "{link}");
    }
}

/// Lines of the failure that the README shows, in their order; `…` stands for what is left out.
#[test]
fn the_failure_is_real() {
    let text = readme();
    let command = commands(&text).into_iter().find(|command| command.contains("mutant:")).unwrap();
    let mut toolwire = assert_cmd::Command::cargo_bin("toolwire").unwrap();
    let output = toolwire.args(arguments(&command).unwrap()).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let mut rest = printed.lines();
    let block = text.split("```text\n").nth(1).and_then(|block| block.split("```").next()).unwrap();
    for line in block.lines().filter(|line| line.trim() != "…") {
        let (line, cut) = line.split_once('…').map_or((line, false), |(line, _)| (line, true));
        let same = |printed: &str| if cut { printed.starts_with(line) } else { printed == line };
        assert!(rest.any(same), "not printed, or not in this order: {line}\n{printed}");
    }
}

/// The output that the README shows is what the command prints.
#[test]
fn the_example_is_real() {
    let text = readme();
    let stream = "corpus/openai-chat/parallel-calls-all-at-index-zero/1.response.sse";
    let mut toolwire = assert_cmd::Command::cargo_bin("toolwire").unwrap();
    let output = toolwire
        .args(["decode", "--api", "openai-chat", stream])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let block = text.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let shown: serde_json::Value = serde_json::from_str(block).unwrap();
    assert_eq!(shown["calls"], printed["calls"]);
    assert_eq!(shown["stop"], printed["stop"]);
    assert_eq!(shown["errors"], printed["errors"]);
}
