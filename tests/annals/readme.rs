//! The README: what its commands print is what it shows. `ANNALS_UPDATE_DOCS=1` writes the present output into it.

use std::fs;
use std::path::Path;

use crate::demonstrating::DEMONSTRATION;
use crate::pages::{with_output, without_time};

#[test]
fn the_commands_on_the_demonstration_print_what_the_readme_shows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    let place = &DEMONSTRATION.0;
    let found = with_output(place, "home", &text);
    let commands = found.lines().filter(|line| line.starts_with("$ annals ")).count();
    assert_eq!(commands, 5, "the README shows five commands with their output");
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/gallery/championship.svg");
    let drawn = fs::read(place.path("annals-demo/standings.svg")).unwrap();
    if std::env::var_os("ANNALS_UPDATE_DOCS").is_some() {
        fs::write(&path, &found).unwrap();
        fs::write(&picture, drawn).unwrap();
        return;
    }
    let shown = fs::read(&picture).unwrap();
    assert!(shown == drawn, "the README's picture is not the one that the program draws");
    let mut lines = text.lines().zip(found.lines());
    if let Some((shown, printed)) =
        lines.find(|(shown, printed)| without_time(shown) != without_time(printed))
    {
        panic!(
            "README.md shows\n{shown}\nbut the program prints\n{printed}\n(ANNALS_UPDATE_DOCS=1 rewrites it)"
        );
    }
    assert_eq!(
        text.lines().count(),
        found.lines().count(),
        "the README shows more or fewer lines than printed"
    );
    for line in found.lines().filter(|line| !line.starts_with('|') && !line.contains("](")) {
        let is_receipt = line.starts_with("annals-head/1 ");
        assert!(is_receipt || line.chars().count() <= 140, "a line of the README is too wide: {line}");
    }
}
