//! Tables on a terminal of 80 columns or fewer: the most important columns, and how to see the others.

use crate::asked_by_others::ingested;
use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::pseudo_terminal::Terminal;

/// A text without the ends of its lines, which may be anywhere in a note.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn written(place: &Place, columns: u16, line: &str) -> Option<String> {
    let line = format!("stty cols {columns} rows 60; PAGER=cat annals {line}; echo status $?");
    let mut terminal = Terminal::of(place, &line, &[("TERM", "dumb")])?;
    terminal.wait("status ", 1);
    terminal.child.wait().unwrap();
    Some(terminal.written().replace('\r', ""))
}

#[test]
fn a_list_of_games_keeps_the_players_and_the_result() {
    let Some(list) = written(&ingested(), 48, "game list") else { return };
    let head = list.lines().find(|line| line.starts_with("game ")).unwrap_or_default();
    for column in ["game", "date", "gold", "silver", "result"] {
        assert!(head.split_whitespace().any(|word| word == column), "{column}: {list}");
    }
    let words = unwrapped(&list);
    let (_, note) = words.split_once(" left out ").unwrap();
    assert!(
        note.contains("g_rating") && note.contains("`--format csv` or a wider terminal shows all"),
        "{list}"
    );
}

#[test]
fn all_columns_of_a_table_are_those_on_the_left_and_the_rest_is_counted() {
    let Some(all) = written(&ingested(), 80, "query 'SELECT * FROM games'") else { return };
    let head = all.lines().find(|line| line.starts_with("game_id")).unwrap_or_default();
    assert!(head.split_whitespace().count() >= 4, "{all}");
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
    let words = unwrapped(&all);
    let (_, note) = words.split_once(" columns are left out (").unwrap();
    assert!(note.contains(" more); `--format csv` or a wider terminal shows all"), "{all}");
}

#[test]
fn a_crosstable_keeps_the_points_and_the_rank() {
    let line = "--home annals-demo tournament crosstable cup --as-of round:9";
    let Some(table) = written(&DEMONSTRATION.0, 50, line) else { return };
    let head = table.lines().find(|line| line.contains("Player")).unwrap_or_default();
    assert!(
        head.contains("Points") && head.ends_with("Rank") && head.trim_start().starts_with("No"),
        "{table}"
    );
    assert!(unwrapped(&table).contains("left out ("), "{table}");
}

#[test]
fn texts_notes_and_errors_fit_a_terminal_of_80_columns() {
    let place = Place::new();
    place.copy_folder(&DEMONSTRATION.0.path("annals-demo"), "home");
    for line in [
        "tournament show cup",
        "tournament standings cup",
        "tournament audit cup",
        "tournament explain cup qualifier",
        "tournament explain cup nonsense",
        "tournament ruling list cup",
        "tournament champions",
        "tournament announce open --rulebook wcc-2015 --actor omar --dry-run",
        "tournament entry add cup bob --actor omar --dry-run",
        "replay tournament/cup",
        "log show --limit 60",
        "log verify",
        "doctor --no-probe",
    ] {
        let Some(text) = written(&place, 80, line) else { return };
        // A receipt and the hash of a program stay whole, to be copied.
        let is_whole = |line: &str| line.starts_with("annals-head/") || line.contains("sha256:");
        let long: Vec<&str> =
            text.lines().filter(|line| line.chars().count() > 80 && !is_whole(line)).collect();
        assert!(long.is_empty(), "{line}: {long:#?}");
        assert!(text.lines().count() > 2, "{line}: {text}");
    }
    let Some(standings) = written(&place, 80, "tournament standings cup") else { return };
    assert!(
        standings.contains("note: verified up to event ") && !standings.contains("annals-head/"),
        "{standings}"
    );
}
