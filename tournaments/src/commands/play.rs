//! Playing a round: its start with the programs that go into it, results, forfeits.

use std::collections::BTreeSet;

use crate::rulebook::RuleId;
use annals_events::tournament::{
    ForfeitClaimed, GameAttached, Outcome, PlayerWithdrawn, ProgramDigest, ResultRecorded, RoundStarted,
    Withdrawal,
};
use annals_events::{BoardId, GameId, Micros, PlayerId, Side, Termination, TournamentEvent};

use crate::check::{JudgingContext, ScoreDue, is_removed, score_due, territory_of_the_game};
use crate::refusal::{Refusal, Remedy};
use crate::state::{Board, Round};

pub(super) fn board<'a>(
    case: &JudgingContext<'a>,
    pairing: BoardId,
) -> Result<(&'a Round, &'a Board), Refusal> {
    case.board(pairing).ok_or_else(|| {
        let what = format!("{pairing} was never paired, or was revoked");
        Refusal::by(case.rulebook.rule(RuleId::ResultPaired), what).hint(Remedy::Rounds)
    })
}

pub(super) fn start(
    case: &JudgingContext<'_>,
    pairing: BoardId,
    game: Option<&GameId>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let (round, board) = board(case, pairing)?;
    if board.outcome().is_some() {
        let what = format!("pairing {pairing} has its result; only a ruling can change it");
        let rule = RuleId::ResultOnce;
        return Err(Refusal::by(case.rulebook.rule(rule), what).hint(Remedy::Breach(rule)));
    }
    if board.attempt_open().is_some() {
        let what = format!("the game of {pairing} is being played");
        let rule = case.rulebook.rule(RuleId::ResultOnce);
        return Err(Refusal::by(rule, what).hint(Remedy::EndGame(pairing)));
    }
    let mut events = Vec::new();
    if round.started_at.is_none() {
        events.push(TournamentEvent::RoundStarted(RoundStarted {
            round: pairing.round,
            pairing: Some(pairing),
            game: game.cloned(),
            programs: programs(case, round),
        }));
    }
    if let Some(game) = game {
        let attempt = board.last_attempt().saturating_add(1);
        events.push(TournamentEvent::GameAttached(GameAttached { pairing, attempt, game: game.clone() }));
    }
    if events.is_empty() {
        let what = format!(
            "round {} has begun already, and a game that is not in the log has no start of its own: no event would record \
             it",
            pairing.round
        );
        return Err(Refusal::lacking(what).hint(Remedy::Result(Some(pairing))));
    }
    Ok(events)
}

/// The recorded programs of a round's players, by board, each once.
fn programs(case: &JudgingContext<'_>, round: &Round) -> Vec<ProgramDigest> {
    let mut seen = BTreeSet::new();
    let pairs = round.boards.values().flat_map(|board| board.players());
    let byes = round.byes.iter().map(|bye| &bye.player);
    pairs
        .chain(byes)
        .filter(|player| seen.insert(*player))
        .filter_map(|player| {
            let digest = case.tournament.entrants.get(player)?.program.digest()?;
            Some(ProgramDigest { player: player.clone(), digest: digest.to_owned() })
        })
        .collect()
}

/// A result; omitted values come from the game.
pub(super) fn result(
    case: &JudgingContext<'_>,
    pairing: BoardId,
    game: Option<&GameId>,
    outcome: Option<Outcome>,
    termination: Option<Termination>,
    territory: Option<u32>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let (_, board) = board(case, pairing)?;
    let under_way = board.attempt_under_way();
    let game = game.or_else(|| board.games.get(&under_way));
    let attempt = game.and_then(|game| board.number_of(game));
    let facts = game.and_then(|game| case.context.game(game));
    let ended = facts.as_ref().and_then(|facts| facts.ended);
    let unfinished = facts.is_some_and(|facts| facts.ended.is_none()) && board.outcome().is_none();
    if let (Some(game), true) = (game, unfinished && termination != Some(Termination::Forfeit)) {
        let plies = facts.map_or(0, |facts| facts.plies);
        let what = format!("the game {game} of {pairing} is not over after {plies} plies");
        return Err(Refusal::by(case.rulebook.rule(RuleId::ResultGame), what).hint(Remedy::EndGame(pairing)));
    }
    let by_score = ended.is_some_and(|end| end.termination == Termination::Score);
    let score =
        facts.filter(|_| by_score).and_then(|facts| score_due(case, pairing, Some(facts), facts.started_at?));
    let of_the_game = match score {
        Some(ScoreDue::Outcome(outcome)) => Some(outcome),
        Some(ScoreDue::Ruling(why)) if outcome.is_none() => {
            let rule = case.rulebook.rule(RuleId::GameScore);
            return Err(Refusal::by(rule, why).hint(Remedy::Breach(RuleId::GameScore)));
        }
        Some(_) => None,
        None => ended.map(|end| end.winner.map_or(Outcome::Draw, Outcome::from)),
    };
    let Some(outcome) = outcome.or(of_the_game) else {
        let what = match game {
            Some(game) => format!("the log does not tell how the game {game} of {pairing} ended"),
            None => format!("no game of {pairing} is attached that would tell how it ended"),
        };
        return Err(Refusal::lacking(what).hint("say the outcome: gold, silver, draw, double_loss"));
    };
    Ok(vec![TournamentEvent::ResultRecorded(ResultRecorded {
        pairing,
        outcome,
        termination: termination.or(ended.map(|end| end.termination)),
        attempt,
        game: game.cloned(),
        territory: territory.or(facts.and_then(|facts| territory_of_the_game(case, facts, outcome))),
        note: None,
    })])
}

/// A forfeit: the claim, the result, and the removal of the absent.
pub(super) fn forfeit(
    case: &JudgingContext<'_>,
    pairing: BoardId,
    absent: &[PlayerId],
    waited_until: Option<Micros>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let (_, board) = board(case, pairing)?;
    if let Some(stranger) = absent.iter().find(|player| !board.has(player)) {
        let rule = case.rulebook.rule(RuleId::ForfeitClaim).or(case.rulebook.rule(RuleId::ResultPaired));
        let pair = format!("{pairing} is played by `{}` and `{}`", board.upper(), board.lower());
        return Err(Refusal::by(rule, format!("`{stranger}` has no part in it: {pair}")).hint(Remedy::Rounds));
    }
    if let Some(outcome) = board.outcome().filter(|_| !absent.is_empty()) {
        let event = board.result().map_or(String::new(), |result| format!(" (event {})", result.seq));
        let what = format!("{pairing} has the result {}{event}", outcome.word());
        let once = Remedy::Breach(RuleId::ResultOnce);
        return Err(Refusal::by(case.rulebook.rule(RuleId::ResultOnce), what).hint(once));
    }
    let is_absent = |player: &PlayerId| absent.contains(player);
    let outcome = match (is_absent(board.upper()), is_absent(board.lower())) {
        (true, true) => Outcome::DoubleLoss,
        (false, false) => {
            let what = format!("no player is named as absent from {pairing}");
            return Err(Refusal::lacking(what).hint("name who did not come"));
        }
        _ => {
            let Some(gold) = board.gold() else {
                let what = format!("the colours of {pairing} are not decided, so no side can win");
                let rule = case.rulebook.rule(RuleId::GamePlayers);
                return Err(Refusal::by(rule, what).hint("decide the colours first"));
            };
            Outcome::from(if is_absent(gold) { Side::Silver } else { Side::Gold })
        }
    };
    let mut events = Vec::new();
    let present = board.players().into_iter().find(|player| !is_absent(player));
    if let (Some(claimant), Some(_)) = (present, case.rulebook.rule(RuleId::ForfeitClaim)) {
        events.push(TournamentEvent::ForfeitClaimed(ForfeitClaimed {
            pairing,
            claimant: claimant.clone(),
            scheduled_at: board.scheduled_at(),
            waited_until,
        }));
    }
    events.push(TournamentEvent::ResultRecorded(ResultRecorded {
        pairing,
        outcome,
        termination: Some(Termination::Forfeit),
        attempt: None,
        game: None,
        territory: None,
        note: None,
    }));
    let removed = board.players().into_iter().filter(|player| is_absent(player) && is_removed(case, player));
    events.extend(removed.map(|player| {
        TournamentEvent::PlayerWithdrawn(PlayerWithdrawn {
            player: player.clone(),
            how: Withdrawal::Forfeit,
            reason: Some(format!("forfeited {pairing}")),
        })
    }));
    Ok(events)
}
