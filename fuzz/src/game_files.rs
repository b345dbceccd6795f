//! Files of games of the Amazons: what holds for any bytes, and games at random.

use annals_events::{Ended, GameEvent, GameKind, Side, Started, Termination, TurnRetracted, TurnTaken};
use annals_ingest::game_files::{CODES, Format, read, write};
use annals_rules::amazons::{Amazons, Position};
use annals_rules::game::{Game, Strictness};
use annals_rules::seeded::Rng;

/// A file of any bytes: places are within it, and what is written of a game that was read is read again as the same game.
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
        let before = folded(&game.events);
        for format in Format::ALL {
            let Ok(written) = write(format, &game.events) else { continue };
            let again = read(format, "x", written.as_bytes());
            let [Ok(again)] = again.as_slice() else { panic!("{written}\n{again:?}") };
            let after = folded(&again.events);
            assert_eq!(before.state(), after.state(), "{written}");
            assert_eq!(before.plies().len(), after.plies().len(), "{written}");
            let twice = write(format, &again.events).unwrap_or_else(|error| panic!("{written}\n{error}"));
            assert_eq!(twice, written);
        }
    }
}

fn folded(events: &[(Option<i64>, GameEvent<'static>)]) -> Game<Amazons> {
    let mut game = Game::new(Strictness::Archive);
    for (at, event) in events {
        let _ = game.apply(*at, event);
    }
    game
}

/// A legal game of some plies with everything that a file can state.
pub fn game(seed: u64) -> Vec<(Option<i64>, GameEvent<'static>)> {
    let mut rng = Rng::of(&[seed]);
    let small: Position = "b [.B../..../x.../..W.]".parse().unwrap();
    let start = if rng.chance(500) { Position::start() } else { small };
    let mut started = Started::plain(GameKind::Amazons, None);
    if start == small || rng.chance(100) {
        started.position = Some(start.to_string().into());
    }
    started.gold.name =
        (*rng.pick(&["Ada", "Amsbot 1.2 [x]", "back\\slash: #1 {?}", "\u{de}\u{f3}r"])).into();
    started.silver.name = "Bela".into();
    started.gold.rating = rng.chance(500).then_some(1800);
    started.event = rng.chance(500).then(|| "Olympiad, 2000".into());
    started.site = rng.chance(500).then(|| "London".into());
    let fixed = rng.chance(500);
    started.time_control = fixed.then(|| "game 30m".into());
    let at = rng.chance(500).then_some(966_902_399_999_999);
    let mut events = vec![(at, GameEvent::Started(Box::new(started)))];
    let mut line = vec![start];
    let mut number = 1;
    for _ in 0..rng.below(14) {
        let position = line[line.len() - 1];
        if line.len() > 1 && rng.chance(120) {
            line.pop();
            if line[line.len() - 1].to_move() == Side::Silver {
                number -= 1;
            }
            let reason = rng.chance(500).then(|| "mistyped [g7]".into());
            events.push((None, GameEvent::TurnRetracted(TurnRetracted { reason })));
            continue;
        }
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        let played = *rng.pick(&moves);
        let mut turn = TurnTaken::plain(number, position.to_move(), played.to_string());
        turn.used = fixed.then(|| rng.below(20));
        events.push((None, GameEvent::TurnTaken(turn)));
        number += u32::from(position.to_move() == Side::Silver);
        line.push(position.play(played).unwrap());
    }
    let ended = |winner, termination| Ended { winner, termination, stated: None, draw: false };
    let end = match rng.below(4) {
        0 => ended(Some(Side::Gold), Some(Termination::Resignation)),
        1 => ended(Some(Side::Silver), Some(Termination::Time)),
        2 => ended(None, None),
        _ => return events,
    };
    events.push((None, GameEvent::Ended(end)));
    events
}
