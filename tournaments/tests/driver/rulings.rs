//! What a director decides in the course of a tournament, and decides again; and what is put right in the record.

use annals_events::tournament::{Effect, Failure, Outcome};
use annals_events::{BoardId, GameId, Termination, TournamentEvent as E};
use annals_tournaments::commands::Command;
use annals_tournaments::rulebook::RuleId;

use super::desk::Desk;
use super::numbers::Numbers;
use super::{Wildness, games, is_amazons};

/// A game of the round before is invalidated when the next one is paired already and has not begun: that pairing is
/// revoked, and the game replayed.
pub fn second_thoughts(desk: &mut dyn Desk, numbers: &mut Numbers) -> bool {
    if desk.rulebook().rule(RuleId::RulingInvalidate).is_none() {
        return false;
    }
    let Some((&last, _)) = desk.tournament().rounds.iter().next_back() else { return false };
    let Some(before) = desk.tournament().rounds.get(&(last - 1)) else { return false };
    let played: Vec<(u32, GameId)> = before
        .boards
        .iter()
        .filter_map(|(number, board)| Some((*number, board.result()?.fact.game.clone()?)))
        .collect();
    if played.is_empty() {
        return false;
    }
    let (board, game) = played[numbers.below(played.len())].clone();
    let pairing = BoardId { round: last - 1, board };
    let effect = |ply| Effect::Invalidate {
        pairing,
        game: Some(game.clone()),
        ply,
        failure: Failure::MoveLostToPlayer,
        clocks: None,
    };
    let ply = some_ply(desk, &game, numbers);
    rule(desk, effect(ply));
    desk.set_aside(&game);
    let wild = Wildness { trouble: 0, ..Wildness::default() };
    games::game(desk, pairing, numbers, wild, Some((game, ply)));
    true
}

/// A result is ruled to be another, as far as the rules let it; another ruling may take the place of that one.
pub fn overruled(desk: &mut dyn Desk, numbers: &mut Numbers) {
    let Some((&round, last)) = desk.tournament().rounds.iter().next_back() else { return };
    let decided = last.boards.iter().filter(|(_, board)| !board.is_forfeit());
    let decided: Vec<(u32, Outcome)> =
        decided.filter_map(|(board, known)| Some((*board, known.outcome()?))).collect();
    if decided.is_empty() {
        return;
    }
    let (board, before) = decided[numbers.below(decided.len())];
    let outcome = if before == Outcome::Gold { Outcome::Silver } else { Outcome::Gold };
    let pairing = BoardId { round, board };
    let ruling = |effect, supersedes| Command::Rule {
        effect,
        reason: "seen by the director".to_owned(),
        evidence: Vec::new(),
        dispute: None,
        supersedes,
    };
    let set = |outcome| Effect::SetResult { pairing, outcome, termination: None };
    if desk.ask(&ruling(set(outcome), None)).is_ok() {
        let number = u32::try_from(desk.tournament().rulings.len()).expect("small");
        let effect = [Effect::Nothing, set(before), set(outcome)][numbers.below(3)].clone();
        desk.must(ruling(effect, Some(number)));
    }
}

/// An event of any time before is corrected in something on which no rule rests.
pub fn corrected(desk: &mut dyn Desk, numbers: &mut Numbers) {
    let seq = 1 + numbers.below(usize::try_from(desk.length()).expect("small")) as u64;
    let Some(mut event) = desk.event(seq) else { return };
    let last = desk.tournament().rounds.keys().next_back().copied();
    match &mut event {
        E::RulingGiven(ruling) => ruling.reason = "seen by the director and two others".to_owned(),
        E::ResultRecorded(result) => result.note = Some("a long game".to_owned()),
        E::PlayerRegistered(entry) => entry.country = Some("NL".to_owned()),
        E::FeeRecorded(fee) => fee.note = Some("in cash".to_owned()),
        E::RoundPaired(paired) if Some(paired.round) == last => {
            (paired.measures, paired.equals) = (Vec::new(), None);
        }
        // Of earlier rounds only words change.
        E::RoundPaired(paired) => paired.pairs.iter_mut().for_each(|pair| pair.colour = None),
        E::PlayerWithdrawn(left) => left.reason = Some("ill".to_owned()),
        E::QualifyingGamePlayed(game) => game.termination = Some(Termination::Resignation),
        _ => return,
    }
    desk.correct(seq, Some(event));
}

/// A ply of a game from which another can go on. Between two setups there is no position.
fn some_ply(desk: &dyn Desk, game: &GameId, numbers: &mut Numbers) -> u32 {
    let (first, last) = desk.plies(game);
    let some = first + numbers.below((last - first) as usize + 1) as u32;
    match some {
        1 if !is_amazons(desk) => {
            if last > 1 {
                2
            } else {
                0
            }
        }
        some => some,
    }
}

/// A game is halted or invalidated; another ruling may take the place of that one, from another ply. The ply that holds.
pub fn set_aside(
    desk: &mut dyn Desk,
    numbers: &mut Numbers,
    game: &GameId,
    effect: impl Fn(u32) -> Effect,
) -> u32 {
    let [first, second] = [0; 2].map(|_| some_ply(desk, game, numbers));
    rule(desk, effect(first));
    if !numbers.chance(30) {
        return first;
    }
    desk.must(Command::Rule {
        effect: effect(second),
        reason: "looked at again".to_owned(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: Some(u32::try_from(desk.tournament().rulings.len()).expect("small")),
    });
    second
}

pub fn rule(desk: &mut dyn Desk, effect: Effect) {
    desk.must(Command::Rule {
        effect,
        reason: "seen by the director".to_owned(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    });
}
