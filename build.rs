//! Packs the corpus into one file that the crate embeds.
//!
//! Each file is its path and its bytes, both with a length before them (u32, little endian). A debug build
//! gets an empty pack and reads the folder, so that changing a case needs no build.
#![expect(clippy::expect_used, clippy::disallowed_methods, reason = "a build script may only fail, and reads files")]

use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let release = std::env::var_os("PROFILE").is_some_and(|profile| profile == "release");
    let mut pack = Vec::new();
    if release {
        println!("cargo::rerun-if-changed=corpus");
        let corpus = root.join("corpus");
        let mut files = Vec::new();
        walk(&corpus, &mut files);
        files.sort();
        for file in files {
            let name = file.strip_prefix(&corpus).expect("below the corpus").to_str().expect("UTF-8 file names");
            let bytes = std::fs::read(&file).expect("readable corpus file");
            for part in [name.replace('\\', "/").as_bytes(), &bytes] {
                pack.extend(u32::try_from(part.len()).expect("a file under 4 GiB").to_le_bytes());
                pack.extend(part);
            }
        }
    } else {
        println!("cargo::rerun-if-changed=build.rs");
    }
    std::fs::write(out.join("corpus.pack"), pack).expect("writable OUT_DIR");
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("readable corpus folder") {
        let path = entry.expect("readable corpus entry").path();
        if path.is_dir() {
            walk(&path, files);
        } else {
            files.push(path);
        }
    }
}
