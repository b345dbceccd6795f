//! The games of a pairing, until it has a result. Of some every turn is recorded: they end on the board, by resignation or
//! time, or by score when they reach the limit of their length, and nothing else is accepted there.

use annals_events::tournament::{Effect, Failure, Outcome};
use annals_events::{BoardId, Ended, GameEvent, GameId, Micros, Side, Termination};
use annals_rules::any_game::AnyGame;
use annals_rules::game::{Era, Game};
use annals_tournaments::commands::Command;
use annals_tournaments::rulebook::{MINUTE, RuleId};

use super::desk::{Desk, Resumes};
use super::numbers::Numbers;
use super::rulings::{rule, set_aside};
use super::{Wildness, is_amazons, moves};

const SECOND: Micros = 1_000_000;

/// A result of which no game is known. Now and then it is recorded with the wrong winner: then its event, and what is right.
pub fn untold(desk: &mut dyn Desk, pairing: BoardId, numbers: &mut Numbers) -> Option<(u64, Outcome)> {
    let _ = desk.ask(&Command::Start { pairing, game: None });
    let amazons = is_amazons(desk);
    let [right, wrong] =
        if numbers.chance(50) { [Outcome::Gold, Outcome::Silver] } else { [Outcome::Silver, Outcome::Gold] };
    let slip = numbers.chance(20);
    desk.must(Command::Result {
        pairing,
        outcome: Some(if slip { wrong } else { right }),
        termination: Some(on_the_board(desk)),
        game: None,
        territory: amazons.then(|| numbers.below(30) as u32),
    });
    slip.then(|| (desk.length(), right))
}

/// How a game ends on the board.
fn on_the_board(desk: &dyn Desk) -> Termination {
    if is_amazons(desk) { Termination::Immobilization } else { Termination::Goal }
}

/// The attempts at a pairing, from one that was set aside where there is one.
pub fn game(desk: &mut dyn Desk, pairing: BoardId, numbers: &mut Numbers, wild: Wildness, from: Resumes) {
    let technical = desk.rulebook().rule(RuleId::RulingHalt).is_some();
    let recorded = match &from {
        Some((before, _)) => desk.game(before).is_some(),
        None => numbers.chance(wild.recorded),
    };
    let mut resumes = from;
    for attempt in 0..4 {
        let game = desk.begin(pairing, resumes.clone(), recorded);
        let plies = 4 + numbers.below(60) as u32;
        if recorded {
            for _ in 0..plies {
                turn(desk, &game, numbers, None);
            }
        } else {
            desk.tell(&game, plies, None);
        }
        let trouble = technical && attempt < 3 && numbers.chance(wild.trouble);
        if trouble && numbers.chance(50) {
            let from = set_aside(desk, numbers, &game, |ply| Effect::Halt {
                pairing,
                game: Some(game.clone()),
                ply,
                failure: Failure::ExtraneousProcess,
                clocks: None,
            });
            desk.set_aside(&game);
            resumes = Some((game, from));
            continue;
        }
        if recorded {
            finish(desk, pairing, &game, numbers);
            result(desk, pairing, &game, numbers);
        } else {
            let winner = if numbers.chance(50) { Side::Gold } else { Side::Silver };
            let termination = on_the_board(desk);
            desk.tell(&game, 0, Some((winner, termination)));
            desk.must(Command::Result {
                pairing,
                outcome: Some(winner.into()),
                termination: Some(termination),
                game: Some(game.clone()),
                territory: is_amazons(desk).then(|| numbers.below(30) as u32),
            });
        }
        if !trouble {
            return;
        }
        let from = set_aside(desk, numbers, &game, |ply| Effect::Invalidate {
            pairing,
            game: Some(game.clone()),
            ply,
            failure: Failure::Misconfigured,
            clocks: None,
        });
        desk.set_aside(&game);
        resumes = Some((game, from));
    }
}

fn table<'a>(desk: &'a dyn Desk, game: &GameId) -> &'a Game<AnyGame> {
    desk.game(game).expect("its turns are recorded")
}

/// When the turn in progress began.
fn began(game: &Game<AnyGame>) -> Micros {
    game.plies().last().and_then(|ply| ply.at).or(game.started_at()).expect("it has begun")
}

/// A turn that does not decide the game, of so many seconds, or else of some within its limit; whether there is one.
fn turn(desk: &mut dyn Desk, id: &GameId, numbers: &mut Numbers, seconds: Option<u32>) -> bool {
    let game = table(desk, id);
    let Some(seconds) = seconds.or_else(|| within_the_limit(game, numbers)) else { return false };
    let (Some(taken), at) = (moves::turn(game, numbers, seconds, true), began(game)) else { return false };
    desk.happens(id, at + Micros::from(seconds) * SECOND, taken);
    true
}

/// How long a quick turn takes; none where the game would reach its limit with it.
fn within_the_limit(game: &Game<AnyGame>, numbers: &mut Numbers) -> Option<u32> {
    let (clock, side) = (game.clock().ok()?, game.to_move()?);
    let seconds = moves::seconds(&clock, side, moves::is_setup(game), false, numbers);
    clock.game_time_left().is_none_or(|left| u64::from(seconds) < left).then_some(seconds)
}

fn ended(winner: Option<Side>, termination: Termination, draw: bool) -> GameEvent<'static> {
    GameEvent::Ended(Ended { winner, termination: Some(termination), stated: None, draw })
}

/// Plays a game to its end.
fn finish(desk: &mut dyn Desk, pairing: BoardId, id: &GameId, numbers: &mut Numbers) {
    let game = table(desk, id);
    let clock = game.clock().expect("it has a clock");
    let most = game.to_move().and_then(|side| clock.time_for_turn(side, moves::is_setup(game)));
    let left = clock.game_time_left();
    match (numbers.below(3), most.expect("its clock runs")) {
        (0, _) if left.is_some() => to_the_limit(desk, pairing, id, numbers),
        (1, most) if left.is_none_or(|left| left > most) => on_time(desk, id, most),
        _ => on_board(desk, pairing, id, numbers),
    }
}

/// The side to move oversteps its time.
fn on_time(desk: &mut dyn Desk, id: &GameId, most: u64) {
    let game = table(desk, id);
    let winner = game.to_move().map(Side::other);
    let at = began(game) + (most as Micros + 1) * SECOND;
    desk.happens(id, at, ended(winner, Termination::Time, false));
}

/// Both play until the board decides, or one resigns, where the game does not reach its limit before.
fn on_board(desk: &mut dyn Desk, pairing: BoardId, id: &GameId, numbers: &mut Numbers) {
    for _ in 0..100 {
        let game = table(desk, id);
        let Some(seconds) = within_the_limit(game, numbers) else {
            return to_the_limit(desk, pairing, id, numbers);
        };
        let at = began(game) + Micros::from(seconds) * SECOND;
        let Some(taken) = moves::turn(game, numbers, seconds, false) else { break };
        desk.happens(id, at, taken);
        if let Some(outcome) = table(desk, id).board_says() {
            let draw = outcome.winner.is_none();
            return desk.happens(id, at + SECOND, ended(outcome.winner, outcome.termination, draw));
        }
    }
    resigns(desk, pairing, id);
}

/// The side to move resigns, a second later where the game goes on so long. No score decides the game then.
fn resigns(desk: &mut dyn Desk, pairing: BoardId, id: &GameId) {
    let game = table(desk, id);
    let left = game.clock().ok().and_then(|clock| clock.game_time_left());
    let wait = if left.is_none_or(|left| left > 1) { SECOND } else { 0 };
    let (side, at) = (game.to_move().expect("it has begun"), began(game) + wait);
    if left.is_some_and(|left| left > 1) {
        let winner = Some(moves::scored(game).unwrap_or(side));
        let refused = desk.refuses(pairing, id, &[(at, ended(winner, Termination::Score, false))]);
        // Where nothing decides its score, that is found first.
        let expected = ["game.limit"].into_iter().chain(needs_a_ruling(desk, game).then_some("game.score"));
        let found = |code: &str| expected.clone().any(|expected| expected == code);
        assert!(refused.as_deref().is_some_and(found), "a score before the limit of {id}: {refused:?}");
    }
    desk.happens(id, at, ended(Some(side.other()), Termination::Resignation, false));
}

/// Both take their time until the game reaches its limit, with a turn or within one. It ends there by score, and in no other
/// way.
fn to_the_limit(desk: &mut dyn Desk, pairing: BoardId, id: &GameId, numbers: &mut Numbers) {
    let left = loop {
        let game = table(desk, id);
        let (clock, side) = (game.clock().expect("it has a clock"), game.to_move().expect("it has begun"));
        let left = clock.game_time_left().expect("it has a limit");
        let seconds = moves::seconds(&clock, side, moves::is_setup(game), true, numbers);
        let last = u32::try_from(left).ok().filter(|left| *left <= seconds);
        if left == 0 || last.is_some() && numbers.chance(50) {
            break left;
        }
        if !turn(desk, id, numbers, Some(last.unwrap_or(seconds))) {
            return resigns(desk, pairing, id);
        }
    };
    let game = table(desk, id);
    let (at, side) = (began(game) + left as Micros * SECOND, game.to_move().expect("it has begun"));
    let late = at + SECOND;
    let resigned = (late, ended(Some(side.other()), Termination::Resignation, false));
    let mut wrong = Vec::new();
    let most = game.clock().ok().and_then(|clock| clock.time_for_turn(side, moves::is_setup(game)));
    let in_time = most.is_some_and(|most| left < most);
    if let Some(taken) = moves::turn(game, numbers, left as u32 + 1, true).filter(|_| in_time) {
        wrong.push((vec![(late, taken), resigned.clone()], "game.limit"));
    }
    // The flag falls later, and nothing is resigned any more.
    if left == 0 || most.is_none_or(|most| left <= most) {
        wrong.push((vec![resigned], "game.limit"));
        wrong.push((vec![(late, ended(Some(side.other()), Termination::Time, false))], "game.limit"));
    }
    let winner = moves::scored(game);
    if let Some(winner) = winner {
        wrong.push((vec![(at, ended(Some(winner.other()), Termination::Score, false))], "game.rules"));
    }
    for (events, code) in wrong {
        let refused = desk.refuses(pairing, id, &events);
        // An end that the board contradicts has a word of its own where it happens.
        let found =
            refused.as_deref().map(|found| if found == "ending_disagrees" { "game.rules" } else { found });
        assert_eq!(found, Some(code), "{id}: {events:?}");
    }
    desk.happens(id, at, ended(winner, Termination::Score, false));
}

/// Whether nothing says what decides the score of a game.
fn needs_a_ruling(desk: &dyn Desk, game: &Game<AnyGame>) -> bool {
    game.era() == Era::Early && desk.rulebook().points_in_force().is_none()
}

/// Records the result of a game whose turns are recorded. Where nothing says what decides its score, a ruling does.
fn result(desk: &mut dyn Desk, pairing: BoardId, id: &GameId, numbers: &mut Numbers) {
    desk.wait(MINUTE);
    let game = table(desk, id);
    let by_score = game.ending().and_then(|ending| ending.termination) == Some(Termination::Score);
    let expected = (by_score && needs_a_ruling(desk, game)).then_some("game.score");
    let asked = Command::Result {
        pairing,
        outcome: None,
        termination: None,
        game: Some(id.clone()),
        territory: None,
    };
    let refused = desk.ask(&asked).err();
    let found = refused.as_ref().map(|refused| refused.code.as_str());
    assert_eq!(found, expected, "{id}: {refused:?}");
    if expected.is_some() {
        let outcome = [Outcome::Gold, Outcome::Silver, Outcome::Draw][numbers.below(3)];
        rule(desk, Effect::SetResult { pairing, outcome, termination: Some(Termination::Score) });
    }
}
