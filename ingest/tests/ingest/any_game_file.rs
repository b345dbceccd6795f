//! Files of games of the Amazons: games at random, and what holds for any bytes. The fuzz targets use this file too.

use annals_events::{Ended, GameEvent, GameKind, Side, Started, Termination, TurnRetracted, TurnTaken};
use annals_ingest::game_files::{CODES, Format, read, write};
use annals_rules::amazons::{Amazons, Board, Position, Size, Square};
use annals_rules::game::{Game, Strictness};
use annals_rules::seeded::Rng;

pub type Timed = (Option<i64>, GameEvent<'static>);

/// A legal game of fewer plies than `most_plies`, from a start of some kind; now and then a move is taken back.
pub fn game(seed: u64, most_plies: u32) -> Vec<Timed> {
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
    for _ in 0..rng.below(most_plies) {
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

/// A file of any bytes: places are within it, and what is written of a game that was read is read again, as the same game
/// where its moves are legal.
pub fn read_and_written(format: Format, text: &[u8]) {
    let _ = Format::of_text(text);
    let games = read(format, "x", text);
    assert!(!games.is_empty());
    let lines = text.iter().filter(|byte| b"\r\n".contains(byte)).count() as u64 + 1;
    for game in games {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                assert!(error.byte_offset + error.byte_len <= text.len() as u64);
                assert!((1..=lines).contains(&error.line), "{error}");
                continue;
            }
        };
        assert_eq!(game.events.len(), game.turn_lines.len());
        assert!(game.byte_offset + game.byte_len <= text.len() as u64);
        assert!(game.turn_lines.iter().all(|line| (1..=lines).contains(line)));
        assert!(game.flags.iter().all(|flag| CODES.contains(&flag.code)));
        let (before, refused) = folded(&game.events);
        for format in Format::ALL {
            let Ok(mut written) = write(format, &game.events) else { continue };
            // Texts are made plain once: a control character is a space. Then nothing changes any more.
            for is_plain in [false, true] {
                let again = read(format, "x", written.as_bytes());
                let [Ok(again)] = again.as_slice() else { panic!("{written}\n{again:?}") };
                // What follows a move that is refused depends on the number at which a game may begin.
                if refused == 0 {
                    let (after, refused) = folded(&again.events);
                    assert_eq!((after.state(), refused), (before.state(), 0), "{written}");
                    assert_eq!(after.plies().len(), before.plies().len(), "{written}");
                }
                let twice = write(format, &again.events).unwrap_or_else(|error| panic!("{written}\n{error}"));
                assert!(!is_plain || twice == written, "{written}\n{twice}");
                written = twice;
            }
        }
    }
}

/// All events are applied; also the number of refused ones.
pub fn folded(events: &[Timed]) -> (Game<Amazons>, usize) {
    let mut game = Game::new(Strictness::Archive);
    let refused = events.iter().filter(|(at, event)| game.apply(*at, event).is_err()).count();
    (game, refused)
}
