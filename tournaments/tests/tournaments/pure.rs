//! The crate knows no program: none of its texts names a command.

use std::path::Path;

fn sources(folder: &Path, to: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, to);
        } else {
            to.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn no_text_names_a_command_of_the_program() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 50);
    for (path, text) in files {
        for command in ["annals tournament", "annals log", "annals replay"] {
            assert!(!text.contains(command), "{path} names `{command}`");
        }
    }
}
