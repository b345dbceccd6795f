//! Legal turns at random, and the time that they take.

use annals_events::{GameEvent, Side, TurnTaken};
use annals_rules::any_game::{AnyGame, AnyState};
use annals_rules::arimaa::{NextSteps, Phase, State, Steps};
use annals_rules::clock::Clock;
use annals_rules::game::{Game, Rules, Strictness};
use annals_rules::scoring::Score;

use super::numbers::Numbers;

/// The next turn of a game, which takes so many seconds; none where none was found. Where the game is to go on, the turn
/// does not decide it.
pub fn turn(
    game: &Game<AnyGame>,
    numbers: &mut Numbers,
    seconds: u32,
    goes_on: bool,
) -> Option<GameEvent<'static>> {
    let state = game.state()?;
    let words = (0..50).find_map(|_| {
        let words = match state {
            AnyState::Arimaa(state) => arimaa(state, numbers),
            AnyState::Amazons(position) => {
                let moves = position.moves();
                (!moves.is_empty()).then(|| moves[numbers.below(moves.len())].to_string())
            }
        }?;
        let mut after = *state;
        let before = |hash| game.occurrences(hash);
        AnyGame::play(&mut after, words.as_bytes(), Strictness::Strict, before).ok()?;
        let own = AnyGame::hash(&after);
        let decided = AnyGame::outcome(&after, |hash| before(hash) + u32::from(hash == own)).is_some();
        (!(goes_on && decided)).then_some(words)
    })?;
    let number = game.expected_number().unwrap_or(2);
    let turn = TurnTaken::plain(number, game.to_move()?, words);
    Some(GameEvent::TurnTaken(TurnTaken { used: Some(seconds), ..turn }))
}

/// A setup, or one to four steps.
fn arimaa(state: &State, numbers: &mut Numbers) -> Option<String> {
    if matches!(state.phase(), Phase::GoldSetup | Phase::SilverSetup) {
        return Some(setup(state.position().to_move(), numbers));
    }
    let mut steps = Steps::begin(state.position());
    let mut list = NextSteps::new();
    let mut words = Vec::new();
    let count = 1 + numbers.below(4);
    while usize::from(steps.made()) < count || steps.is_push_open() {
        steps.next_steps(&mut list);
        let next = *list.get(numbers.below(list.len().max(1)))?;
        words.push(next.token());
        words.extend(steps.take(next));
    }
    Some(words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

fn setup(side: Side, numbers: &mut Numbers) -> String {
    let mut pieces = *b"RRRRRRRRCCDDHHME";
    numbers.shuffle(&mut pieces);
    let gold = side == Side::Gold;
    let words = pieces.iter().enumerate().map(|(square, piece)| {
        let piece = char::from(if gold { *piece } else { piece.to_ascii_lowercase() });
        let file = char::from(b"abcdefgh"[square % 8]);
        format!("{piece}{file}{}", if gold { 1 + square / 8 } else { 7 + square / 8 })
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether the next turn of a game is a setup.
pub fn is_setup(game: &Game<AnyGame>) -> bool {
    let arimaa = game.state().and_then(AnyState::arimaa);
    arimaa.is_some_and(|state| matches!(state.phase(), Phase::GoldSetup | Phase::SilverSetup))
}

/// How long the next turn takes, before the flag falls. A setup takes the whole time of a move, so that no reading of its
/// unused time matters. A slow turn does so too, and now and then a part of the reserve.
pub fn seconds(clock: &Clock, side: Side, setup: bool, slow: bool, numbers: &mut Numbers) -> u32 {
    let free = clock.control().free_time(setup);
    let most = clock.time_for_turn(side, setup).and_then(|most| u32::try_from(most).ok()).unwrap_or(free);
    let below = |bound: u32, numbers: &mut Numbers| numbers.below(bound as usize + 1) as u32;
    match (setup, slow) {
        (true, _) => free,
        (false, true) if numbers.chance(25) => below(most, numbers).max(free),
        (false, true) => free,
        // Where one time is fixed for the whole game, a small part of it.
        (false, false) => below(free.max(most / 64).min(most), numbers),
    }
}

/// Whom the score makes the winner; none where that cannot be told.
pub fn scored(game: &Game<AnyGame>) -> Option<Side> {
    match game.score() {
        Score::Won(side) => Some(side),
        _ => None,
    }
}
