//! `annals game read` on a terminal: keys, sizes, ends, and where there is no such terminal.

use std::process::{Command, Stdio};

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;
use crate::pseudo_terminal::Terminal;

fn place_with_games() -> Place {
    let place = Place::new();
    let moves = format!("{SETUPS}2w Ee2n Ee3n\\n2b ed7s\\n3w");
    place.write("one.txt", [header(), row("5", &moves)].join("\n"));
    place.ask(&["ingest", "one.txt"]);
    let new = ["game", "enter", "evening", "--new", "amazons", "--first", "Ada", "--second", "Bela"];
    place.ask(&[&new[..], &["--actor", "omar", "d1-d7(g7) in 40", "a7-b8(b3) in 55"]].concat());
    place
}

fn reader(place: &Place, words: &str) -> Option<Terminal> {
    let line = format!("tty > tty.txt; stty cols 80 rows 24; annals game read {words}; echo status $?");
    Terminal::of(place, &line, &[("TERM", "xterm")])
}

#[test]
fn a_game_of_the_dataset_is_read_by_keys_turn_by_turn_and_step_by_step() {
    let place = place_with_games();
    let Some(mut terminal) = reader(&place, "5") else { return };
    terminal.wait_screen("1g: gold to move");
    terminal.wait_screen("q end");
    terminal.send("\u{1b}[C\u{1b}[C");
    terminal.wait_screen("2g: gold to move");
    terminal.wait_screen("rabbits for gold");
    terminal.wait_screen("  Ee2n");
    terminal.send(".");
    terminal.wait_screen("* Ee2n");
    terminal.send(",");
    terminal.wait_screen("  Ee2n");
    terminal.send("\u{1b}[F");
    terminal.wait_screen("after the last turn");
    terminal.send("\u{1b}[H");
    terminal.wait_screen("1g: gold to move");
    terminal.send("f");
    terminal.wait_screen("h g f e d c b a");
    terminal.send("q");
    terminal.wait("status 0", 1);
    terminal.child.wait().unwrap();
}

#[test]
fn a_game_of_the_log_fits_terminals_of_other_sizes() {
    let place = place_with_games();
    let Some(mut terminal) = reader(&place, "evening --turn 1b --flip") else { return };
    terminal.wait_screen("1b: Black to move");
    terminal.wait_screen("j i h g f e d c b a");
    terminal.send("f");
    terminal.wait_screen("a b c d e f g h i j");
    let tty = std::fs::read_to_string(place.path("tty.txt")).unwrap();
    for (columns, rows, shown) in
        [("40", "20", "arrows move"), ("20", "6", "needed; q end"), ("80", "24", "PgUp/PgDn")]
    {
        let resize = Command::new("stty").args(["-F", tty.trim(), "cols", columns, "rows", rows]).status();
        assert!(resize.unwrap().success());
        terminal.wait_screen(shown);
    }
    terminal.send("q");
    terminal.wait("status 0", 1);
    terminal.child.wait().unwrap();
}

#[test]
fn escape_and_ctrl_c_leave_the_terminal_as_it_was() {
    let place = place_with_games();
    for key in ["\u{1b}", "\u{3}", "q"] {
        let Some(mut terminal) = reader(&place, "evening") else { return };
        terminal.wait_screen("1w: White to move");
        terminal.send(key);
        terminal.wait("status 0", 1);
        // The other screen is left, and the cursor is shown.
        let written = terminal.written();
        assert!(written.contains("\u{1b}[?1049l") && written.contains("\u{1b}[?25h"), "{written:?}");
        terminal.child.wait().unwrap();
    }
}

#[test]
fn escape_characters_of_a_name_do_not_reach_the_terminal() {
    let place = Place::new();
    place.write("one.moves", "White: Ada\u{1b}]0;owned\u{7}\u{1b}[31m\nBlack: Bela\n\n1. d1-d7(g7)\n");
    let Some(mut terminal) = reader(&place, "@one.moves") else { return };
    terminal.wait_screen("1w: White to move");
    terminal.wait_screen("Ada");
    terminal.send("q");
    terminal.wait("status 0", 1);
    let written = terminal.written();
    assert!(!written.contains("\u{1b}]0;") && !written.contains("\u{1b}[31m"), "{written:?}");
    terminal.child.wait().unwrap();
}

#[test]
fn without_a_terminal_that_moves_its_cursor_the_boards_are_named_instead() {
    let place = place_with_games();
    let piped = place.command(&["game", "read", "evening"]).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&piped.stderr);
    assert_eq!(piped.status.code(), Some(2), "{said}");
    assert!(said.contains("annals game show evening --all-boards"), "{said}");
    place.ask(&["game", "show", "evening", "--all-boards"]);
    let Some(mut dumb) =
        Terminal::of(&place, "annals game read evening; echo status $?", &[("TERM", "dumb")])
    else {
        return;
    };
    dumb.wait("status 2", 1);
    let written = dumb.written();
    assert!(written.contains("annals game show evening --all-boards"), "{written}");
    assert!(!written.contains('\u{1b}'), "{written:?}");
    dumb.child.wait().unwrap();
}
