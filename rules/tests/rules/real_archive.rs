//! The two real files of the gameroom, played through by the rules alone: every figure that they can be checked
//! against. February 2026 has a full server log; 2002 has takebacks, resignations and three corrupt rows.

use std::collections::BTreeMap;

use annals_events::{
    Ended, GameEvent, PlayerKind, Side, Termination, TurnRejected, TurnRetracted, TurnTaken,
};
use annals_rules::arimaa::Arimaa;
use annals_rules::game::{Applied, EndingCheck, Game, RejectionCheck, Rules, Strictness};
use annals_rules::rating::{GameScore, Rating, weekly_rises};

use crate::archive::{Row, label, rows};

/// What happened in the games of one file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    plies: u32,
    steps: u32,
    captures: u32,
    misstated: u32,
    clock_lines: u32,
    clock_lines_right: u32,
    endings: BTreeMap<&'static str, u32>,
    rejected: BTreeMap<(&'static str, &'static str), u32>,
}

/// One `after` line of the server log.
struct After {
    number: u32,
    side: Side,
    used: u32,
    reserves: [i64; 2],
    game_time: u64,
}

/// Reads `after 5w, move used:17 wresv:148 bresv:150 game:43`, without its first word.
fn after_line(text: &str) -> After {
    let (head, rest) = text.split_once(", move ").unwrap();
    let (number, side, _) = label(head).unwrap();
    let mut values = rest.split(' ').map(|word| word.split_once(':').unwrap().1);
    let mut next = || values.next().unwrap();
    After {
        number,
        side,
        used: next().parse().unwrap(),
        reserves: [next().parse().unwrap(), next().parse().unwrap()],
        game_time: next().parse().unwrap(),
    }
}

/// The kind of reason that the server gives for refusing a turn.
fn server_reason(text: &str) -> &'static str {
    ["push not completed", "position repeats for the 3rd time", "bad step"]
        .into_iter()
        .find(|reason| text.starts_with(reason))
        .unwrap_or("something else")
}

fn end(row: &Row) -> GameEvent<'static> {
    GameEvent::Ended(Ended {
        winner: row.winner(),
        termination: row.termination(),
        stated: None,
        draw: row.text("result") == "d",
    })
}

/// Plays one row through by its server log; the turns' texts are those of the move list.
fn play_by_log(row: &Row, game: &mut Game<Arimaa>, tally: &mut Tally) {
    let id = row.text("id");
    let turns: BTreeMap<(u32, Side), &str> = row
        .lines("movelist")
        .filter_map(label)
        .filter(|turn| !turn.2.is_empty())
        .map(|(number, side, steps)| ((number, side), steps))
        .collect();
    game.clear();
    game.apply(Some(row.started_at()), &GameEvent::Started(Box::new(row.started()))).unwrap();

    let mut received = None;
    for line in row.lines("events") {
        let text = line.split_once("] ").unwrap().1;
        if let Some(rest) = text.strip_prefix("move ") {
            let (label_text, rest) = rest.split_once(" received from ").unwrap();
            let (number, side, _) = label(label_text).unwrap();
            let (_, steps) = rest.split_once(" [").unwrap();
            received = Some((number, side, steps.strip_suffix(']').unwrap()));
        } else if let Some(rest) = text.strip_prefix("gameserver rejected move [") {
            let (steps, reason) = rest.split_once("]; ").unwrap();
            let (number, side, sent) = received.take().unwrap();
            assert_eq!(steps, sent, "game {id}");
            let rejected = TurnRejected { number, side, steps: steps.into(), reason: reason.into() };
            let code = match game.apply(None, &GameEvent::TurnRejected(rejected)).unwrap() {
                Applied::TurnRejected(RejectionCheck::Illegal(illegal)) => Arimaa::illegal_code(&illegal),
                other => panic!("game {id}, {number}{side}, {steps}: {other:?}"),
            };
            *tally.rejected.entry((server_reason(reason), code)).or_default() += 1;
            if code == "third_repetition" {
                assert_eq!((id, number, side), ("669192", 31, Side::Silver));
            }
        } else if let Some(rest) = text.strip_prefix("after ") {
            let after = after_line(rest);
            tally.clock_lines += 1;
            let played = received.take().and_then(|_| turns.get(&(after.number, after.side)));
            let right = match played {
                Some(steps) => {
                    let turn = TurnTaken {
                        number: after.number,
                        side: after.side,
                        steps: (*steps).into(),
                        used: Some(after.used),
                        gold_reserve: Some(after.reserves[0]),
                        silver_reserve: Some(after.reserves[1]),
                        game_time: Some(after.game_time),
                    };
                    game.apply(None, &GameEvent::TurnTaken(turn))
                        .unwrap_or_else(|error| panic!("game {id}: {error}"));
                    let ply = game.plies().last().unwrap();
                    tally.plies += 1;
                    tally.steps += u32::from(ply.played.steps);
                    tally.captures += u32::from(ply.played.captures);
                    tally.misstated += u32::from(ply.played.captures_misstated);
                    assert_eq!(ply.flag, None, "game {id}");
                    ply.clock_matches == Some(true)
                        && [ply.gold_reserve, ply.silver_reserve] == after.reserves.map(Some)
                        && ply.game_time == Some(after.game_time)
                }
                // A resignation, or the refused turn that lost the game: time was used, no turn was played.
                None => {
                    let mut clock = game.clock().unwrap();
                    clock.charge(after.side, after.used, after.number == 1);
                    clock.figures().reserves == after.reserves && clock.figures().game_time == after.game_time
                }
            };
            tally.clock_lines_right += u32::from(right);
        }
    }
    assert_eq!(game.plies().len(), turns.len(), "game {id}: every turn of the move list was played");
    let Ok(Applied::Ended(check)) = game.apply(None, &end(row)) else { panic!("game {id}") };
    if row.termination().unwrap().shows_on_board() {
        assert_eq!(check, EndingCheck::Agrees, "game {id}");
    }
    *tally.endings.entry(check.word()).or_default() += 1;
}

#[test]
fn every_turn_clock_line_refusal_and_ending_of_february_2026_is_reproduced() {
    let Some(rows) = rows("allgames202602.txt") else { return };
    assert_eq!(rows.len(), 147);
    for strictness in [Strictness::Archive, Strictness::Strict] {
        let mut game = Game::new(strictness);
        let mut tally = Tally::default();
        for row in &rows {
            play_by_log(row, &mut game, &mut tally);
        }
        let expected = Tally {
            plies: 10_298,
            steps: 39_315,
            captures: 1_155,
            misstated: 0,
            clock_lines: 10_315,
            clock_lines_right: 10_315,
            endings: BTreeMap::from([("agrees", 100), ("not_on_board", 47)]),
            rejected: BTreeMap::from([
                (("push not completed", "push_not_completed"), 14),
                (("position repeats for the 3rd time", "third_repetition"), 1),
                (("bad step", "no_such_piece"), 1),
            ]),
        };
        assert_eq!(tally, expected, "{strictness:?}");
    }
}

/// Plays one row through by its move list alone; the error's code and label where a turn is illegal.
fn play_by_move_list(row: &Row, game: &mut Game<Arimaa>) -> Result<(), (&'static str, u32, Side)> {
    game.clear();
    game.apply(Some(row.started_at()), &GameEvent::Started(Box::new(row.started()))).unwrap();
    for (number, side, steps) in row.lines("movelist").filter_map(label) {
        let event = match steps {
            "" | "resign" => continue,
            "takeback" => GameEvent::TurnRetracted(TurnRetracted::default()),
            _ => GameEvent::TurnTaken(TurnTaken::plain(number, side, steps)),
        };
        game.apply(None, &event).map_err(|error| (error.code(), number, side))?;
    }
    Ok(())
}

#[test]
fn the_games_of_2002_are_legal_but_for_one_push_by_a_frozen_piece_in_two_corrupt_rows() {
    let Some(rows) = rows("allgames2002.txt") else { return };
    assert_eq!(rows.len(), 64);
    let mut game = Game::new(Strictness::Archive);
    let (mut illegal, mut played_on) = (Vec::new(), Vec::new());
    let (mut board_endings, mut takebacks) = (0, 0);
    for row in &rows {
        let id = row.text("id");
        takebacks += row.lines("movelist").filter(|line| line.ends_with("takeback")).count();
        if let Err((code, number, side)) = play_by_move_list(row, &mut game) {
            assert_eq!(row.text("corrupt"), "1");
            illegal.push((id, code, number, side));
            continue;
        }
        played_on.extend(game.played_on().map(|ply| (id, ply.number, ply.side)));
        let Ok(Applied::Ended(check)) = game.apply(None, &end(row)) else { panic!("game {id}") };
        if row.termination().unwrap().shows_on_board() {
            assert_eq!(check, EndingCheck::Agrees, "game {id}");
            board_endings += 1;
        } else {
            assert_eq!(check, EndingCheck::NotOnBoard, "game {id}");
        }
    }
    assert_eq!(illegal, [("55", "frozen", 22, Side::Gold), ("32", "frozen", 15, Side::Gold)]);
    assert_eq!((board_endings, takebacks), (34, 25));
    // A rabbit of Silver on c1 that the server overlooked, in the third corrupt row.
    assert_eq!(played_on, [("46", 21, Side::Silver)]);
}

/// One player in one game: rating with K, the opponent's, the score, and when it began and ended.
struct Appearance {
    own: Rating,
    opponent: Rating,
    score: GameScore,
    rated: bool,
    started_at: i64,
    ended_at: i64,
}

fn appearances(rows: &[Row]) -> BTreeMap<&str, Vec<Appearance>> {
    let mut order: Vec<&Row> = rows.iter().collect();
    order.sort_by_key(|row| (row.number("startts"), row.number("id")));
    let mut players: BTreeMap<&str, Vec<Appearance>> = BTreeMap::new();
    for row in order {
        let rating = |side: &str| Rating {
            rating: i32::try_from(row.number(&format!("{side}rating"))).unwrap(),
            k: u32::try_from(row.number(&format!("{side}ratingk"))).unwrap(),
        };
        for (side, own, other) in [(Side::Gold, "w", "b"), (Side::Silver, "b", "w")] {
            let score = if row.winner() == Some(side) { GameScore::Win } else { GameScore::Loss };
            players.entry(row.text(&format!("{own}username"))).or_default().push(Appearance {
                own: rating(own),
                opponent: rating(other),
                score,
                rated: row.text("rated") == "1",
                started_at: row.started_at(),
                ended_at: row.number("endts") * 1_000_000,
            });
        }
    }
    players
}

#[test]
fn every_change_of_rating_and_k_in_february_2026_follows_from_the_formula_and_the_weekly_rise() {
    let Some(rows) = rows("allgames202602.txt") else { return };
    let players = appearances(&rows);
    let (mut by_formula, mut with_rises) = (BTreeMap::new(), 0);
    for pair in players.values().flat_map(|list| list.windows(2)) {
        let (game, next) = (&pair[0], &pair[1]);
        let after = if game.rated { game.own.after(game.opponent, game.score) } else { game.own };
        let k_higher = i64::from(next.own.k) - i64::from(after.k);
        *by_formula.entry((next.own.rating - after.rating, k_higher)).or_insert(0) += 1;
        let rises = weekly_rises(game.ended_at, next.started_at);
        with_rises += i32::from(after.after_weekly_rises(rises) == next.own);
    }
    assert_eq!(by_formula, BTreeMap::from([((0, 0), 228), ((0, 1), 23), ((0, 2), 2)]));
    assert_eq!(with_rises, 253);
}

#[test]
fn the_codes_of_the_real_rows_are_all_known() {
    for file in ["allgames2002.txt", "allgames202602.txt"] {
        let Some(rows) = rows(file) else { return };
        for row in &rows {
            for column in ["wtype", "btype"] {
                assert!(PlayerKind::from_archive_letter(row.text(column).as_bytes()[0]).is_some());
            }
            assert!(row.winner().is_some() && row.termination().is_some());
            assert_ne!(row.termination(), Some(Termination::Score));
        }
    }
}
