//! Rows become events: the move list, the log, and the two together.

use annals_events::{GameEvent, Termination};
use annals_ingest::flags::{Flag, Flags};
use annals_ingest::game_record::TimedEvent;
use annals_ingest::row::{Column, Columns, Row};
use annals_ingest::row_events::{RowEvents, events};

use crate::fixture::{fields, header};

/// A row with some fields set, as events.
fn with<T>(set: &[(Column, &str)], look: impl FnOnce(&Row<'_>, &RowEvents<'_>) -> T) -> T {
    let columns = Columns::from_header(header().as_bytes()).unwrap();
    let mut fields = fields(7);
    for (column, text) in set {
        fields[*column as usize] = (*text).to_owned();
    }
    let text = fields.join("\t");
    let row = Row::read(&columns, text.as_bytes());
    let mut out = RowEvents::default();
    events(&row, &mut out);
    look(&row, &out)
}

fn list_and_log(list: &str, log: &str) -> (Vec<String>, Flags) {
    let set = [(Column::Movelist, list), (Column::Events, log), (Column::Plycount, "")];
    with(&set, |row, out| {
        assert!(row.flags.is_empty(), "{}", row.flags);
        assert!(matches!(out.events.first(), Some((_, GameEvent::Started(_)))));
        assert!(matches!(out.events.last(), Some((_, GameEvent::Ended(_)))));
        let inner = &out.events[1..out.events.len() - 1];
        (inner.iter().map(shown).collect(), out.flags)
    })
}

fn list(list: &str) -> (Vec<String>, Flags) {
    list_and_log(list, "")
}

/// `2g Ee2n`, and what is known from the log behind it.
fn shown((at, event): &TimedEvent<'_>) -> String {
    let mut text = match event {
        GameEvent::TurnTaken(turn) => {
            let mut text = format!("{}{} {}", turn.number, turn.side.letter(), turn.steps);
            if let (Some(used), Some(gold), Some(silver)) =
                (turn.used, turn.gold_reserve, turn.silver_reserve)
            {
                text += &format!(" used {used} reserves {gold} {silver}");
            }
            if let Some(time) = turn.game_time {
                text += &format!(" game {time}");
            }
            text
        }
        GameEvent::TurnRetracted(_) => "retracted".to_owned(),
        GameEvent::TurnRejected(turn) => {
            format!("rejected {}{} {}: {}", turn.number, turn.side.letter(), turn.steps, turn.reason)
        }
        other => other.type_name().to_owned(),
    };
    if let Some(at) = at {
        text += &format!(" @{}", at / 1_000_000);
    }
    text
}

fn flags(flags: &[Flag]) -> Flags {
    flags.iter().copied().collect()
}

#[test]
fn a_list_is_setups_turns_and_a_last_label() {
    let (events, found) = list("1w Ra1 Rb1\\n1b ra8\\n2w Ee2n Ee3n\\n2b ed7s\\n3w");
    assert_eq!(events, ["1g Ra1 Rb1", "1s ra8", "2g Ee2n Ee3n", "2s ed7s"]);
    assert_eq!(found, Flags::NONE);
    let (events, found) = list("1g Ra1\\n1s ra8\\n2g Ee2n\\n");
    assert_eq!((events.len(), found), (3, Flags::NONE));
}

#[test]
fn a_takeback_undoes_the_turn_before_and_its_label_comes_again() {
    let (events, found) = list(
        "1w Ra1\\n1b ra8\\n2w a\\n2b b\\n3w takeback\\n2b takeback\\n2w takeback\\n1b rb8\\n2w c\\n2b d\\n3w takeback\\n2b",
    );
    let expected = ["1g Ra1", "1s ra8", "2g a", "2s b", "retracted", "retracted", "retracted", "1s rb8"];
    assert_eq!(events[..8], expected);
    assert_eq!(events[8..], ["2g c", "2s d", "retracted"]);
    assert_eq!(found, Flags::NONE);
    let (events, found) = list("1w takeback\\n1w Ra1\\n1b");
    assert_eq!(events, ["1g Ra1"]);
    assert_eq!(found, flags(&[Flag::StrayLine]));
}

#[test]
fn a_resignation_in_the_list_is_no_turn() {
    for word in ["resign", "resigns", "Resign"] {
        let (events, found) = list(&format!("1w Ra1\\n1b ra8\\n2w {word}\\n2b"));
        assert_eq!(events, ["1g Ra1", "1s ra8"]);
        assert_eq!(found, Flags::NONE);
    }
    let (events, found) = list("1w Ra1\\n1b resign\\n2w Ee2n");
    assert_eq!(events, ["1g Ra1", "2g Ee2n"]);
    assert_eq!(found, flags(&[Flag::StrayLine]));
}

#[test]
fn a_turn_torn_by_a_stray_line_break_is_joined() {
    for torn in ["2w\\nEe2n Ee3n", "2w Ee2n\\nEe3n", "2w\\nEe2n\\nEe3n", "2w \\n Ee2n Ee3n"] {
        let (events, found) = list(&format!("1w Ra1\\n1b ra8\\n{torn}\\n2b ed7s\\n3w"));
        assert_eq!(events, ["1g Ra1", "1s ra8", "2g Ee2n Ee3n", "2s ed7s"], "{torn}");
        assert_eq!(found, flags(&[Flag::SplitTurn]), "{torn}");
    }
    let (events, found) = list("1w Ra1\\n1b\\nra8");
    assert_eq!((events.len(), found), (2, flags(&[Flag::SplitTurn])));
}

#[test]
fn missing_and_wrong_labels_are_flagged_and_put_right_where_the_side_is_clear() {
    let whole = ["1g Ra1", "1s ra8", "2g Ee2n", "2s ed7s", "3g x"];
    for odd in [
        "1w Ra1\\n1b ra8\\nEe2n\\n2b ed7s\\n3w x",
        "1w Ra1\\n1b ra8\\nw Ee2n\\n2b ed7s\\n3w x",
        "1w Ra1\\nra8\\nEe2n\\n2b ed7s\\n3w x",
        "Ra1\\n1b ra8\\n2w Ee2n\\n2b ed7s\\n3w x",
        "1w Ra1\\n1b ra8\\n7w Ee2n\\n7b ed7s\\n8w x",
        "1w Ra1\\n1b ra8\\n2w Ee2n\\n2b ed7s\\n3w x\\n9w",
    ] {
        let (events, found) = list(odd);
        assert_eq!(events, whole, "{odd}");
        assert_eq!(found, flags(&[Flag::BadLabel]), "{odd}");
    }
    // A turn of the wrong side stays one, for the fold to refuse.
    let (events, found) = list("1w Ra1\\n1b ra8\\n2b ed7s\\n3w");
    assert_eq!(events, ["1g Ra1", "1s ra8", "2s ed7s"]);
    assert_eq!(found, flags(&[Flag::BadLabel]));
    let (events, found) = list("1w Ra1\\n1b ra8\\n2w\\n2w Ee2n\\n2b");
    assert_eq!((events.len(), found), (3, flags(&[Flag::StrayLine])));
}

#[test]
fn a_list_without_turns_says_so() {
    for empty in ["", "1w", "\\n\\n", "1w resign\\n1b"] {
        let (events, found) = list(empty);
        assert_eq!((events.len(), found), (0, flags(&[Flag::NoTurns])), "{empty}");
    }
}

fn log(lines: &[(u32, &str)]) -> String {
    lines.iter().map(|(at, said)| format!("17699410{at:02} [Sun Feb  1 10:17:45 2026] {said}\\n")).collect()
}

#[test]
fn the_log_gives_the_turns_their_times_and_clocks() {
    let log = log(&[
        (1, "w player joining"),
        (2, "start move received from w"),
        (5, "move 1w received from w [Ra1 Rb1]"),
        (5, "after 1w, move used:3 wresv:120 bresv:120 game:3"),
        (6, "b player present"),
        (9, "move 1b received from b [ra8]"),
        (9, "after 1b, move used:4 wresv:120 bresv:-7 game:7"),
        (9, "w player has left"),
        (20, "move 2w received from w [Ee2n]"),
        (20, "game finished with result b r"),
    ]);
    let (events, found) = list_and_log("1w Ra1 Rb1\\n1b ra8\\n2w Ee2n\\n2b ed7s\\n3w", &log);
    assert_eq!(events[0], "1g Ra1 Rb1 used 3 reserves 120 120 game 3 @1769941005");
    assert_eq!(events[1], "1s ra8 used 4 reserves 120 -7 game 7 @1769941009");
    assert_eq!(events[2..], ["2g Ee2n @1769941020", "2s ed7s"]);
    assert_eq!(found, flags(&[Flag::LogDisagrees]), "the log lacks 2b");
}

#[test]
fn a_game_without_a_start_begins_with_the_first_time_of_its_log_that_a_game_can_have() {
    let begins = |log: &str| {
        let set = [(Column::StartTs, ""), (Column::EndTs, "1428632700"), (Column::Events, log)];
        with(&set, |_, out| out.events[0].0)
    };
    assert_eq!(begins("10000 something else\\n1428632000 more"), Some(1_428_632_000_000_000));
    assert_eq!(begins("10000 something else"), Some(1_428_632_700_000_000));
}

#[test]
fn a_refused_move_stands_before_the_turn_that_was_played_in_its_place() {
    let log = log(&[
        (5, "move 1w received from w [Ra1]"),
        (5, "after 1w, move used:3 wresv:1 bresv:1 game:3"),
        (6, "move 1b received from b [rb7]"),
        (6, "gameserver rejected move [rb7]; push not completed"),
        (7, "move 1b received from b [rb7]"),
        (7, "b player present"),
        (7, "gameserver rejected move [rb7]; push not completed"),
        (8, "move 1b received from b [ra8]"),
        (8, "after 1b, move used:3 wresv:1 bresv:1 game:6"),
        (9, "move 2w received from w [Ee2s]"),
        (9, "gameserver rejected move [Ee2s]; bad step Ee2s"),
        (9, "result=bi side=w"),
        (9, "after 2w, move used:3 wresv:1 bresv:1 game:9"),
        (9, "game finished with result b i"),
    ]);
    let set = [
        (Column::Movelist, "1w Ra1\\n1b ra8\\n2w"),
        (Column::Events, &log),
        (Column::Termination, "i"),
        (Column::Plycount, "2"),
    ];
    with(&set, |row, out| {
        assert_eq!(out.flags.union(row.flags), Flags::NONE);
        let events: Vec<_> = out.events[1..6].iter().map(shown).collect();
        assert!(events[0].starts_with("1g Ra1 used"));
        assert_eq!(events[1], "rejected 1s rb7: push not completed @1769941006");
        assert_eq!(events[2], "rejected 1s rb7: push not completed @1769941007");
        assert!(events[3].starts_with("1s ra8 used"));
        assert_eq!(events[4], "rejected 2g Ee2s: bad step Ee2s @1769941009");
        let of_event: Vec<_> = out.log.iter().map(|line| line.event).collect();
        let some = |events: &[u32]| events.iter().map(|event| Some(*event)).collect::<Vec<_>>();
        assert_eq!(of_event[..5], [some(&[1, 1, 2, 2, 3])].concat());
        assert_eq!(
            of_event[5..],
            [None, Some(3), Some(4), Some(4), Some(5), Some(5), Some(6), None, Some(6)]
        );
    });
}

#[test]
fn a_move_that_came_too_late_is_no_turn_and_no_contradiction() {
    let log = log(&[
        (5, "move 1w received from w [Ra1]"),
        (5, "after 1w, move used:3 wresv:1 bresv:1 game:3"),
        (60, "move 1b received from b [ra8]"),
        (60, "game finished with result b r"),
    ]);
    let (events, found) = list_and_log("1w Ra1\\n1b", &log);
    assert_eq!((events.len(), found), (1, Flags::NONE));
}

#[test]
fn a_log_that_says_something_else_is_flagged() {
    let turn = "1w Ra1\\n1b";
    let both = |said: &str| {
        log(&[(5, "move 1w received from w [Ra1]"), (5, said), (60, "game finished with result b r")])
    };
    let fine = "after 1w, move used:3 wresv:1 bresv:1 game:3";
    assert_eq!(list_and_log(turn, &both(fine)).1, Flags::NONE);
    let odd = [
        "move 9b received from b [ra8]",
        "after 9w, move used:3 wresv:1 bresv:1 game:3",
        "gameserver rejected move [Rb2]; why",
        "result=wr side=b",
        "game finished with result w r",
        "game finished with result b g",
    ];
    for said in odd {
        assert_eq!(list_and_log(turn, &both(said)).1, flags(&[Flag::LogDisagrees]), "{said}");
    }
    assert_eq!(list_and_log("1w Rb1\\n1b", &both(fine)).1, flags(&[Flag::LogDisagrees]));
    assert_eq!(list_and_log(turn, &both("somebody sneezed")).1, flags(&[Flag::BadLogLine]));
}

#[test]
fn the_count_of_turns_is_the_number_of_the_last_one() {
    let fits = |list: &str, termination: &str, count: &str| {
        let set = [(Column::Movelist, list), (Column::Termination, termination), (Column::Plycount, count)];
        with(&set, |_, out| !out.flags.contains(Flag::PlycountDisagrees))
    };
    let list = "1w Ra1\\n1b ra8\\n2w Ee2n\\n2b ed7s\\n3w";
    for (termination, count, expected) in [
        ("g", "2", true),
        // After Silver's turn the gameroom of 2002 counts the turn that was then due, that of 2026 does not.
        ("g", "3", true),
        ("g", "4", false),
        ("t", "2", true),
        ("r", "3", true),
        ("r", "4", false),
    ] {
        assert_eq!(fits(list, termination, count), expected, "{termination} {count}");
    }
    let by_gold = "1w Ra1\\n1b ra8\\n2w Ee2n\\n2b";
    assert!(fits(by_gold, "g", "2") && !fits(by_gold, "g", "3"));
    assert!(fits("1w Ra1\\n1b ra8\\n2w Ee2n\\n2b ed7s\\n3w takeback\\n2b", "t", "2"));
    assert!(fits("1w Ra1\\n1b ra8\\n2w takeback\\n1b", "t", "1"));
}

#[test]
fn what_the_row_says_of_the_end_is_kept_in_its_own_words_where_they_are_unknown() {
    let end = |result: &str, termination: &str| {
        with(&[(Column::Result, result), (Column::Termination, termination)], |row, out| {
            let Some((at, GameEvent::Ended(ended))) = out.events.last() else { panic!("an end") };
            assert_eq!(*at, row.header.ended_at);
            let stated = ended.stated.as_deref().unwrap_or_default().to_owned();
            (
                ended.winner.map(|side| side.letter()),
                ended.termination,
                ended.draw,
                stated,
                row.flags.to_string(),
            )
        })
    };
    let goal = Some(Termination::Goal);
    assert_eq!(end("w", "g"), (Some('g'), goal, false, String::new(), String::new()));
    assert_eq!(end("d", "g"), (None, goal, true, String::new(), String::new()));
    assert_eq!(end("u", "g"), (None, goal, false, String::new(), "unknown-result".to_owned()));
    assert_eq!(end("b", "z"), (Some('s'), None, false, "b z".to_owned(), "unknown-termination".to_owned()));
    assert_eq!(end("", "g").3, "g");
    assert_eq!(end("", "").3, "");
    assert_eq!(end("white", "g").3, "white g");
}

#[test]
fn a_field_that_cannot_be_read_is_none_and_can_still_be_had_as_it_stands() {
    let set = [
        (Column::GoldRating, "15x"),
        (Column::SilverRating, ""),
        (Column::SilverId, "99999999999999999999999"),
        (Column::StartTs, "99999999999"),
        (Column::GoldKind, "q"),
        (Column::Rated, "yes"),
    ];
    with(&set, |row, _| {
        assert_eq!(
            (row.header.gold.rating, row.header.silver.rating, row.header.silver.player_id),
            (None, None, None)
        );
        assert_eq!((row.header.started_at, row.header.gold.kind, row.header.rated), (None, None, None));
        assert_eq!(row.text(Column::GoldRating), "15x");
        assert_eq!(row.flags, flags(&[Flag::BadNumber, Flag::ImplausibleTime, Flag::BadLetter]));
    });
    with(&[(Column::EndTs, "1769941050")], |row, _| {
        assert_eq!(row.flags, flags(&[Flag::ImplausibleTime]));
    });
}

#[test]
fn buffers_are_used_again_and_nothing_of_the_row_before_is_left() {
    let columns = Columns::from_header(header().as_bytes()).unwrap();
    let mut long = fields(1);
    long[Column::Movelist as usize] = "1w Ra1\\n1b\\nra8\\n2w Ee2n\\n5b x".to_owned();
    long[Column::Events as usize] = log(&[(5, "move 1w received from w [Ra1]"), (6, "what")]);
    let (long, short) = (long.join("\t"), fields(2).join("\t"));
    let mut out = RowEvents::default();
    let row = Row::read(&columns, short.as_bytes());
    events(&row, &mut out);
    let fresh = (out.events.clone(), out.log.clone(), out.flags);
    events(&Row::read(&columns, long.as_bytes()), &mut out);
    assert!(!out.flags.is_empty() && out.log.len() == 2);
    let capacity = out.events.capacity();
    events(&row, &mut out);
    assert_eq!((out.events.clone(), out.log.clone(), out.flags), fresh);
    assert_eq!(out.events.capacity(), capacity);
}
