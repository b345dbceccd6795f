//! Game files at random: legal games of many boards survive both formats, and no bytes make the readers panic.

use annals_events::{Ended, GameEvent, GameKind, Side, Started, Termination, TurnRetracted, TurnTaken};
use annals_ingest::game_files::{CODES, Format, read, write};
use annals_rules::amazons::{Amazons, Board, Position, Size, Square};
use annals_rules::game::{Game, Strictness};
use annals_rules::seeded::Rng;
use proptest::prelude::*;

use crate::fixture::cases;

type Timed = (Option<i64>, GameEvent<'static>);

fn config(short: u32) -> ProptestConfig {
    ProptestConfig { cases: cases(short), failure_persistence: None, ..ProptestConfig::default() }
}

/// A legal game, or a part of one, from a start of some kind; now and then a move is taken back.
fn game(seed: u64) -> Vec<Timed> {
    let mut rng = Rng::of(&[seed]);
    let usual = rng.chance(300);
    let start = if usual { Position::start() } else { any_start(&mut rng) };
    let mut started = Started::plain(GameKind::Amazons, None);
    if !usual || rng.chance(100) {
        started.position = Some(start.to_string().into());
    }
    let names = ["Ada", "Amsbot 1.2 [x]", "back\\slash: #1 {?}", "\u{de}\u{f3}r", ""];
    started.gold.name = (*rng.pick(&names)).into();
    started.silver.name = (*rng.pick(&names)).into();
    started.gold.rating = rng.chance(300).then_some(1800);
    started.event = rng.chance(300).then(|| "Olympiad, 2000".into());
    started.site = rng.chance(300).then(|| "London".into());
    let fixed = rng.chance(500);
    started.time_control = fixed.then(|| "game 30m".into());
    let first = match &started.position {
        Some(text) if *text != Position::start().to_string() && rng.chance(500) => rng.between(1, 60),
        _ => 1,
    };
    let at = rng.chance(500).then_some(966_902_399_999_999 + i64::from(rng.below(300)) * 86_400_000_000);
    let mut events: Vec<Timed> = vec![(at, GameEvent::Started(Box::new(started)))];
    let mut line = vec![(start, [1800i64; 2])];
    let mut number = first;
    let plies = rng.below(90);
    for _ in 0..plies {
        let (position, left) = line[line.len() - 1];
        if line.len() > 1 && rng.chance(80) {
            line.pop();
            let back = line[line.len() - 1].0.to_move();
            if back == Side::Silver {
                number = number.saturating_sub(1).max(first);
            }
            let reason = rng.chance(500).then(|| "mistyped [g7] \\ by the operator # }".into());
            events.push((None, GameEvent::TurnRetracted(TurnRetracted { reason })));
            continue;
        }
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        let played = *rng.pick(&moves);
        let side = position.to_move();
        let mut turn = TurnTaken::plain(number, side, played.to_string());
        let mut left = left;
        if fixed {
            let used = rng.below(20);
            left[side.index()] -= i64::from(used);
            turn.used = Some(used);
        }
        events.push((None, GameEvent::TurnTaken(turn)));
        line.push((position.play(played).unwrap(), left));
        if side == Side::Silver {
            number += 1;
        }
    }
    let last = line[line.len() - 1].0;
    let ended = |winner, termination| Ended { winner, termination, stated: None, draw: winner.is_none() };
    let end = match (last.winner(), rng.below(5)) {
        (Some(winner), _) => Some(ended(Some(winner), Some(Termination::Immobilization))),
        (None, 0) => Some(ended(Some(Side::Gold), Some(Termination::Resignation))),
        (None, 1) => Some(ended(Some(Side::Silver), Some(Termination::Time))),
        (None, 2) => Some(ended(Some(Side::Silver), Some(Termination::Forfeit))),
        (None, 3) => Some(ended(None, None)),
        _ => None,
    };
    events.extend(end.map(|ended| (None, GameEvent::Ended(ended))));
    events
}

fn any_start(rng: &mut Rng) -> Position {
    let sizes = [(4, 4), (5, 5), (6, 6), (8, 8), (10, 10), (7, 3), (3, 12), (26, 4), (2, 52)];
    let (files, ranks) = *rng.pick(&sizes);
    let size = Size::new(files, ranks).unwrap();
    let mut squares: Vec<Square> = size.squares(size.all()).collect();
    rng.shuffle(&mut squares);
    let (white, black) = (rng.between(1, 4) as usize, rng.between(1, 4) as usize);
    let blocks = rng.below(u32::from(size.count()) / 4) as usize;
    let taken: Vec<Square> = squares.into_iter().take((white + black + blocks).min(12 + blocks)).collect();
    let (white, rest) = taken.split_at(white.min(taken.len()));
    let (black, blocks) = rest.split_at(black.min(rest.len()));
    let to_move = *rng.pick(&Side::BOTH);
    Position::new(Board::new(size, [white, black], blocks).unwrap(), to_move)
}

fn folded(events: &[Timed]) -> Game<Amazons> {
    let mut game = Game::new(Strictness::Archive);
    for (at, event) in events {
        game.apply(*at, event).unwrap();
    }
    game
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
        let events = game(seed);
        let before = folded(&events);
        for format in Format::ALL {
            let text = write(format, &events).unwrap();
            prop_assert_eq!(Format::of_text(text.as_bytes()), Some(format), "{}", text);
            let mut games = read(format, "x", text.as_bytes());
            prop_assert_eq!(games.len(), 1, "{}", text);
            let game = games.remove(0).unwrap();
            let after = folded(&game.events);
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

/// Reads a text in both formats and holds what must hold for any bytes.
fn through(text: &[u8]) {
    let _ = (Format::of_text(text), Format::of_name(&String::from_utf8_lossy(text)));
    for format in Format::ALL {
        let games = read(format, "x", text);
        assert!(!games.is_empty());
        let lines = text.iter().filter(|byte| b"\r\n".contains(byte)).count() as u64 + 1;
        for game in games {
            match game {
                Ok(game) => {
                    assert_eq!(game.events.len(), game.turn_lines.len());
                    assert!(game.byte_offset + game.byte_len <= text.len() as u64);
                    assert!(game.turn_lines.iter().all(|line| (1..=lines).contains(line)));
                    assert!(game.flags.iter().all(|flag| CODES.contains(&flag.code)));
                    let mut fold: Game<Amazons> = Game::new(Strictness::Archive);
                    for (at, event) in &game.events {
                        let _ = fold.apply(*at, event);
                    }
                    for format in Format::ALL {
                        let Ok(again) = write(format, &game.events) else { continue };
                        assert!(read(format, "x", again.as_bytes())[0].is_ok(), "{again}");
                    }
                }
                Err(error) => {
                    assert!(error.byte_offset + error.byte_len <= text.len() as u64);
                    assert!((1..=lines).contains(&error.line), "{error}");
                }
            }
        }
    }
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
        through(&changed(write(format, &game(seed)).unwrap().as_bytes(), &changes));
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(snippet(), 0..12)) {
        through(&bytes.concat());
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
