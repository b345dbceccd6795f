//! Where outputs are in colour: on a terminal that can show it.

use crate::program::Place;
use crate::pseudo_terminal::Terminal;

/// Help, a table and an error.
const LINES: [&str; 3] =
    ["annals --help", "annals query --table a=a.csv 'SELECT n FROM a'", "annals nothing"];

fn written(line: &str, variables: &[(&str, &str)]) -> Option<String> {
    let place = Place::new();
    place.write("a.csv", "n\n42\n");
    let mut terminal = Terminal::of(&place, &format!("PAGER=cat {line}; echo status $?"), variables)?;
    terminal.wait("status ", 1);
    terminal.child.wait().unwrap();
    Some(terminal.written())
}

#[test]
fn a_dumb_terminal_and_no_color_have_no_escape_characters() {
    for line in LINES {
        for variables in [&[("TERM", "dumb")][..], &[("TERM", "xterm"), ("NO_COLOR", "1")]] {
            let Some(written) = written(line, variables) else { return };
            assert!(!written.contains('\u{1b}'), "{line} {variables:?}: {written:?}");
            assert!(!line.contains("a.csv") || written.contains("42"), "{written:?}");
        }
    }
    // On another terminal the error is in colour.
    let Some(coloured) = written(LINES[2], &[("TERM", "xterm")]) else { return };
    assert!(coloured.contains("\u{1b}[") && coloured.contains("error"), "{coloured:?}");
}
