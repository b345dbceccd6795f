//! The recorded rounds of a final as an elimination: players removed after the round in which they left,
//! playoffs, and ruled places.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use annals_events::tournament::Stage;
use annals_events::{BoardId, Micros, PlayerId};

use super::error::EliminationError;
use super::finalists::{final_begins, finalists};
use super::rules::Ties;
use super::state::Elimination;
use crate::record::PlayedRound;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{Format, RuleId, Rulebook};
use crate::state::{Entrant, Leaving, Round, Tournament};

/// How a board without a result is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gaps {
    /// An error: nothing can follow.
    Refused,
    Counted,
}

#[derive(Debug, Clone)]
pub(crate) struct Course {
    pub state: Elimination,
    pub open: Vec<BoardId>,
    pub without_winner: Option<BoardId>,
    /// The last player in withdrew after the play for the first place, and keeps it; no playoff is paired.
    pub champion_withdrew: bool,
    /// What the text leaves undetermined and was decided here.
    pub decision: Option<&'static str>,
}

/// Reads the rounds of a final below `before`, its preliminary included.
///
/// # Errors
/// If no player has qualified, a result is missing with [`Gaps::Refused`], or the record contradicts itself.
pub(crate) fn course(
    tournament: &Tournament,
    rulebook: &Rulebook,
    before: u32,
    gaps: Gaps,
) -> Result<Course, Refusal> {
    let (field, decision) = finalists(tournament, rulebook)?;
    let Some(Format::Elimination(rules)) = rulebook.stage(Stage::Final).map(|rules| &rules.format) else {
        return Err(Refusal::lacking(format!("the rulebook {} has no final", rulebook.name)));
    };
    // Without finalists, no round is one of the final.
    let before = if field.players().is_empty() { 0 } else { before };
    let recorded: Vec<(u32, &Round)> =
        tournament.rounds.range(..before).map(|(number, round)| (*number, round)).collect();
    let has_playoffs = rules.ties == Ties::Playoffs;
    let mut rounds = Rounds { rulebook, gaps, open: Vec::new() };

    let mut preliminary = Vec::new();
    for (number, round) in recorded.iter().filter(|(_, round)| has_playoffs && round.stage == Stage::Swiss) {
        let past = rounds.read(*number, round)?;
        if let Some(stranger) = past.players().find(|player| !tournament.entrants.contains_key(*player)) {
            return Err(Refusal::lacking(format!("{stranger} is paired and never entered the tournament")));
        }
        preliminary.push(past);
    }
    let readings = rulebook.readings.elimination;
    let mut state = Elimination::new(rules.clone(), field, &preliminary, readings)?;
    state.rank_at_start(ranked_at_start(tournament));

    let leavers = leavers(tournament, &state, tournament.rounds.get(&before).map(|round| round.paired.seq));
    let mut leavers = leavers.iter().peekable();
    let (champion, second) = ruled(tournament, &state);
    for (number, round) in recorded.iter().filter(|(_, round)| is_round(round.stage)) {
        while let Some(leaver) = leavers.next_if(|leaver| leaver.seq < round.paired.seq) {
            leaver.leave(&mut state)?;
        }
        state.rule(champion.clone(), second.clone())?;
        state.record(rounds.read(*number, round)?)?;
    }
    // A player who leaves after playoffs are paired keeps the place from the rounds, and so does the last player in
    // without a later ruling. Logs of edition 1 keep their verdicts.
    let is_due = |(_, round): &&(u32, &Round)| has_playoffs && round.stage.is_playoff();
    let first = recorded.iter().filter(is_due).map(|(_, round)| round.paired.seq).min();
    let may_keep = has_playoffs && rulebook.edition > 1 && !tournament.ruled_places().contains_key(&1);
    let mut champion_withdrew = false;
    for leaver in leavers.filter(|leaver| first.is_none_or(|first| leaver.seq < first)) {
        let is_last = may_keep && leaver.how == Leaving::Own && state.active() == [&leaver.player];
        let mut before = recorded.iter().filter(|(_, round)| round.paired.seq < leaver.seq);
        if is_last && before.all(|(_, round)| is_played(round, leaver.at)) {
            champion_withdrew = first.is_none();
        } else {
            leaver.leave(&mut state)?;
        }
    }
    state.rule(champion, second)?;
    let mut without_winner = None;
    for (number, round) in recorded.iter().filter(is_due) {
        for game in rounds.read(*number, round)?.games {
            match game.winner() {
                _ if without_winner.is_some() => {}
                Some(_) => match state.record_playoff(game) {
                    // Played though the rules have none: it gives no place.
                    Err(EliminationError::NoSuchPlayoff { .. }) if gaps == Gaps::Counted => {}
                    recorded => recorded?,
                },
                None if game.outcome.is_none() => {}
                None => without_winner = Some(game.pairing),
            }
        }
    }
    Ok(Course { state, open: rounds.open, without_winner, champion_withdrew, decision })
}

/// A finalist who left, with the recording event.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Leaver {
    seq: u64,
    at: Micros,
    player: PlayerId,
    how: Leaving,
}

impl Leaver {
    fn leave(&self, state: &mut Elimination) -> Result<(), EliminationError> {
        match self.how {
            Leaving::Disqualified => state.remove(&self.player),
            Leaving::Forfeit => state.remove_for_forfeit(&self.player),
            Leaving::Own => state.withdraw(&self.player),
            Leaving::Removed | Leaving::Lapsed => state.take_out(&self.player),
        }
    }
}

fn leavers(tournament: &Tournament, state: &Elimination, until: Option<u64>) -> Vec<Leaver> {
    let Some(begins) = final_begins(tournament) else { return Vec::new() };
    let left = state.field().players().iter().filter_map(|player| {
        let left = tournament.entrants.get(player)?.left.as_ref()?;
        Some(Leaver { seq: left.seq, at: left.at, player: player.clone(), how: left.how })
    });
    let mut leavers: Vec<Leaver> =
        left.filter(|leaver| leaver.seq > begins && until.is_none_or(|until| leaver.seq < until)).collect();
    leavers.sort_unstable();
    leavers
}

/// Whether every board had its result by then.
fn is_played(round: &Round, by: Micros) -> bool {
    round.boards.values().all(|board| board.decision().is_some_and(|decision| decision.at() <= by))
}

/// The players by rating before the tournament, the highest first (2009 WC, Preliminary 2); equal ratings by
/// the first lots, else by entry.
fn ranked_at_start(tournament: &Tournament) -> Vec<PlayerId> {
    let first = tournament.lots.values().next().map_or(&[][..], |lots| &lots.fact.lots);
    let lots: BTreeMap<&PlayerId, u64> = first.iter().map(|lot| (&lot.player, lot.number)).collect();
    let mut players: Vec<(&PlayerId, &Entrant)> = tournament.entrants.iter().collect();
    players.sort_by_key(|(player, entrant)| {
        (Reverse(entrant.rating), lots.get(player).copied().unwrap_or(u64::MAX), entrant.order)
    });
    players.into_iter().map(|(player, _)| player.clone()).collect()
}

/// The first and second place, if rulings in force give them to one finalist each.
fn ruled(tournament: &Tournament, state: &Elimination) -> (Option<PlayerId>, Option<PlayerId>) {
    let places = tournament.ruled_places();
    let given = |place: u32| match &places.get(&place)?[..] {
        [one] => state.field().seed(one).map(|_| (*one).clone()),
        _ => None,
    };
    (given(1), given(2))
}

struct Rounds<'a> {
    rulebook: &'a Rulebook,
    gaps: Gaps,
    open: Vec<BoardId>,
}

impl Rounds<'_> {
    fn read(&mut self, number: u32, round: &Round) -> Result<PlayedRound, Refusal> {
        let played = PlayedRound::of(number, round);
        let refused = self.gaps == Gaps::Refused;
        let mut uncoloured = played.games.iter().filter(|game| !game.coloured);
        if let Some(game) = uncoloured.find(|game| refused || game.outcome.is_some()) {
            let pairing = game.pairing;
            let what =
                format!("nobody has Gold in {pairing}, so neither its result nor later colours can be read");
            return Err(Refusal::lacking(what).hint("record who had Gold: a drawn or a chosen colour"));
        }
        let before = self.open.len();
        let open = played.games.iter().filter(|game| game.outcome.is_none());
        self.open.extend(open.map(|game| game.pairing));
        match &self.open[before..] {
            open if refused && !open.is_empty() => Err(no_result(self.rulebook, open)),
            _ => Ok(played),
        }
    }
}

/// The next round depends on boards without a result.
pub(crate) fn no_result(rulebook: &Rulebook, open: &[BoardId]) -> Refusal {
    let named: Vec<String> = open.iter().map(ToString::to_string).collect();
    let what = format!("{} {} no result", named.join(", "), if open.len() == 1 { "has" } else { "have" });
    Refusal::by(rulebook.rule(RuleId::RoundOrder), what).hint(Remedy::ResultOrForfeit)
}

fn is_round(stage: Stage) -> bool {
    matches!(stage, Stage::Final | Stage::Continuation)
}
