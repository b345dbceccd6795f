//! The gallery: each picture whose command is in `docs/reference/gallery.md` is the one that the command draws. `ANNALS_UPDATE_DOCS=1` draws
//! them again.

use std::fs;
use std::path::Path;

use crate::demonstrating::DEMONSTRATION;
use crate::documents::words;
use crate::program::{Place, real_archive};

/// A picture without the digest of its dataset, which changes with the format of the dataset.
fn without_digest(picture: &str) -> String {
    let before = "Source: dataset ";
    match picture.split_once(before) {
        Some((start, rest)) => {
            format!("{start}{before}{}", rest.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
        }
        None => picture.to_owned(),
    }
}

#[test]
fn the_pictures_of_the_gallery_are_those_that_its_commands_draw() {
    let Some(archive) = real_archive() else { return };
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let text = fs::read_to_string(docs.join("reference/gallery.md")).unwrap();
    let place = Place::new();
    place.ask(&["ingest", archive.to_str().unwrap()]);
    place.copy_folder(&DEMONSTRATION.0.path("annals-demo"), "annals-demo");
    let update = std::env::var_os("ANNALS_UPDATE_DOCS").is_some();
    let (mut pictures, mut old) = (0, Vec::new());
    for line in text.lines().filter_map(|line| line.strip_prefix("annals ")) {
        let command = words(line);
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let Some([_, file]) = command.windows(2).find(|pair| pair[0] == "-o") else { continue };
        pictures += 1;
        // Without optimisation an evaluation of all positions of a game takes a quarter of a minute.
        if command.contains(&"evaluation") && !update && std::env::var_os("ANNALS_LONG").is_none() {
            continue;
        }
        place.ask(&command);
        let (drawn, shown) = (place.path(file), docs.join("gallery").join(file));
        if update {
            fs::copy(drawn, shown).unwrap();
            continue;
        }
        let [drawn, shown] = [drawn, shown].map(|path| without_digest(&fs::read_to_string(path).unwrap()));
        if drawn != shown {
            old.push((*file).to_owned());
        }
    }
    assert!(pictures >= 25, "{pictures} commands of the gallery draw a picture");
    assert!(
        old.is_empty(),
        "these pictures of the gallery are old; ANNALS_UPDATE_DOCS=1 draws them again: {old:?}"
    );
}
