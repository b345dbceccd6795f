//! What the documents and the help texts name must be there.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files with an ending below a folder of the repository.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn documents() -> Vec<PathBuf> {
    let mut documents = files("docs", "md");
    documents.extend(["README.md", "ARCHITECTURE.md"].map(|name| root().join(name)));
    documents
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let mut links = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if link.is_empty() || link.contains("://") {
                continue;
            }
            links += 1;
            let target = document.parent().unwrap().join(link);
            assert!(target.exists(), "{} links to {link}", document.display());
        }
    }
    assert!(links > 5, "only {links} links were found");
}

#[test]
fn every_query_that_is_named_is_there() {
    let mut named = 0;
    for document in documents().into_iter().chain(files("src", "rs")) {
        let text = fs::read_to_string(&document).unwrap();
        for rest in text.split("queries/").skip(1) {
            let name: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || "_.".contains(*c)).collect();
            if name.ends_with(".sql") {
                named += 1;
                let there = root().join("queries").join(&name).exists();
                assert!(there, "{} names queries/{name}, which is not there", document.display());
            }
        }
    }
    assert!(named >= 2, "only {named} were found");
}
