//! Game files at random: legal games of many boards survive both formats, and no bytes make the readers panic.

use annals_events::GameEvent;
use annals_ingest::game_files::{Format, read, write};
use annals_rules::amazons::Position;
use proptest::prelude::*;

use crate::any_game_file::{Timed, folded, game, read_and_written};
use crate::fixture::cases;

fn config(short: u32) -> ProptestConfig {
    ProptestConfig { cases: cases(short), failure_persistence: None, ..ProptestConfig::default() }
}

/// The events without what SGF leaves to be computed: it states the time left, and not the time used alone.
fn without_reserves(mut events: Vec<Timed>) -> Vec<Timed> {
    for (_, event) in &mut events {
        if let GameEvent::TurnTaken(turn) = event {
            (turn.gold_reserve, turn.silver_reserve) = (None, None);
        }
    }
    events
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn what_is_written_is_read_as_it_was(seed in any::<u64>()) {
        let events = game(seed, 90);
        let (before, refused) = folded(&events);
        prop_assert_eq!(refused, 0);
        for format in Format::ALL {
            let text = write(format, &events).unwrap();
            prop_assert_eq!(Format::of_text(text.as_bytes()), Some(format), "{}", text);
            let mut games = read(format, "x", text.as_bytes());
            prop_assert_eq!(games.len(), 1, "{}", text);
            let game = games.remove(0).unwrap();
            let (after, refused) = folded(&game.events);
            prop_assert_eq!(refused, 0);
            prop_assert_eq!(before.state(), after.state());
            prop_assert_eq!(before.ending(), after.ending());
            if format == Format::Sgf {
                prop_assert_eq!(write(format, &game.events).unwrap(), text.clone());
            }
            let mut expected = events.clone();
            if let (Format::Sgf, (_, GameEvent::Started(started))) = (format, &mut expected[0])
                && started.position.as_deref() == Some(Position::start().to_string().as_str())
            {
                // SGF always states the position.
                started.position = None;
            }
            prop_assert_eq!(without_reserves(game.events), expected, "{}", text);
            let unfinished = !matches!(events.last(), Some((_, GameEvent::Ended(_))));
            prop_assert_eq!(game.flags.iter().all(|flag| flag.code == "no-result"), true, "{:?}", game.flags);
            prop_assert_eq!(game.flags.len(), usize::from(unfinished));
        }
    }
}

/// One change: where (per mille of the length), how, and with what.
type Change = (u16, u8, Vec<u8>);

fn changed(seed: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut text = seed.to_vec();
    for (place, how, with) in changes {
        let at = text.len() * usize::from(*place) / 1000;
        let end = (at + with.len()).min(text.len());
        match how % 5 {
            0 => drop(text.splice(at..end, with.iter().copied())),
            1 => drop(text.splice(at..at, with.iter().copied())),
            2 => drop(text.drain(at..end)),
            3 => text.truncate(at),
            _ => {
                let copy = text[at..(at + 40 * with.len()).min(text.len())].to_vec();
                let to = (at + 97).min(text.len());
                text.splice(to..to, copy);
            }
        }
    }
    text
}

fn snippet() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "(;",
        ")",
        "(",
        ";",
        "[",
        "]",
        "\\",
        "W[",
        "B[djddgd]",
        "GM[1]",
        "SZ[8]",
        "SZ[26:4]",
        "AW[aa:jj]",
        "AE[dj]",
        "PL[B]",
        "N[retracted]",
        "MN[4294967295]",
        "RE[W+1e400]",
        "TM[-1]",
        "WL[99999999]",
        "\n(;FF[4]GM[18]",
        "C[{#",
        "\n",
        "\r",
        "1.",
        "4294967295. ",
        "retracted",
        "1-0 (",
        "(said: ",
        "{",
        "}",
        "#",
        "resigns",
        "12s ",
        "Board: 8x8\n",
        "Position: b [W/B]\n",
        "White: \u{fc}\n",
        "\u{bd}-\u{bd}",
        "d1-d7(",
        "z128-a1/a1 ",
        "Date: 9999-12-31\n",
        "...",
    ];
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..8),
        prop::sample::select(words.to_vec()).prop_map(|word| word.as_bytes().to_vec()),
    ]
}

fn in_both_formats(text: &[u8]) {
    let _ = Format::of_name(&String::from_utf8_lossy(text));
    Format::ALL.into_iter().for_each(|format| read_and_written(format, text));
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn no_change_of_a_file_makes_a_reader_panic(
        seed in 0u64..40,
        sgf in any::<bool>(),
        changes in prop::collection::vec((0u16..=1000, any::<u8>(), snippet()), 1..6),
    ) {
        let format = if sgf { Format::Sgf } else { Format::MoveList };
        in_both_formats(&changed(write(format, &game(seed, 90)).unwrap().as_bytes(), &changes));
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(snippet(), 0..12)) {
        in_both_formats(&bytes.concat());
    }
}

#[test]
fn the_time_of_reading_grows_with_the_length_and_no_faster() {
    let opened = "(;GM[18]C[".repeat(20_000);
    let nested = format!("(;GM[18]{}{}", "(;B[djddgd]N[retracted]".repeat(20_000), ")".repeat(20_001));
    let roots = "\n(;FF[4]".repeat(20_000);
    let braces = "{".repeat(200_000);
    // After a game without an end each game asks where the next one begins, and no other does.
    let unclosed = format!("(;GM[18]\n(;GM[18]{}{}", "(;)".repeat(15_000), " ".repeat(8_000_000));
    let begun = std::time::Instant::now();
    for text in [opened, nested, roots, braces, unclosed] {
        for format in Format::ALL {
            assert!(!read(format, "x", text.as_bytes()).is_empty());
        }
    }
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn an_empty_board_and_the_last_move_numbers_are_written_so_that_they_are_read_again() {
    in_both_formats(b"(;FF[4]GM[18]AE[dj])");
    in_both_formats(b"(;FF[4]GM[18];B[djddgd]MN[4294967295];W[jdjaga])");
    in_both_formats(b"(;FF[4]GM[18];W[djddgd]MN[0])");
}
