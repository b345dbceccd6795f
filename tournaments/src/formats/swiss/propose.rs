//! The Swiss preliminary of 2009 as a format.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{
    Bye, Equals, LotsDrawn, Measure, Pair, Qualified, QualifyingRank, RoundPaired, Stage,
};
use annals_events::{BoardId, PlayerId, Side, TournamentEvent};

use super::played::{STAGES, played};
use super::standings::rank_key;
use super::why::{bye_of, colours_of, reasons, why_not_walked};
use super::{
    FinalLots, Lots, PairRequest, StandingsError, SwissError, SwissPlace, check, pair_round, rounds_for,
    standings,
};
use crate::check::checker::Checker;
use crate::explain::WhyNot;
use crate::formats::elimination::finalists::{by_performance, final_begins, preliminary_rounds};
use crate::formats::{
    Decided, Decider, Places, Proof, Proposal, Question, RankedPlayer, RoundRules, RoundsDue, StageFormat,
    StageState, Texts, gameroom_rating, measure, order, shared_ranks,
};
use crate::record::{Played, began};
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{RuleId, Rulebook};
use crate::state::{Board, Tournament};

pub(crate) struct Swiss;

impl StageFormat for Swiss {
    fn propose(&self, state: &StageState<'_>) -> Result<Proposal, Refusal> {
        propose(state)
    }

    /// A round is due until the declared number is paired, the order is published, or the final has begun. A
    /// completely revoked round does not count.
    fn due(&self, state: &StageState<'_>) -> Result<Option<Stage>, Refusal> {
        let StageState { tournament, rulebook, stage } = *state;
        let rounds = preliminary_rounds(tournament, rulebook).unwrap_or(0);
        let paired = tournament.rounds_of(&STAGES).count();
        let left = u32::try_from(paired).is_ok_and(|paired| paired < rounds);
        let before = final_begins(tournament).is_none() && tournament.order_to_final().is_none();
        Ok((before && left).then_some(stage))
    }

    fn ranks(&self, state: &StageState<'_>) -> bool {
        let rounds = preliminary_rounds(state.tournament, state.rulebook).unwrap_or(0);
        final_begins(state.tournament).is_none() && rounds > 0
    }

    fn rounds(&self, state: &StageState<'_>) -> Result<RoundsDue, Refusal> {
        let (stage, rule) = (Stage::Swiss, RuleId::SwissRounds);
        let players = u32::try_from(began(state.tournament, &STAGES).len()).unwrap_or(u32::MAX);
        let rounds =
            rounds_for(players).map_err(|error| Refusal::by(state.rulebook.rule(rule), error.to_string()))?;
        Ok(RoundsDue { stage, rounds, players, rule })
    }

    /// Players share a rank while the deciding lots are not drawn.
    fn rank(&self, state: &StageState<'_>) -> Result<Vec<RankedPlayer>, Refusal> {
        rank(state.tournament, state.rulebook)
    }

    /// The Swiss gives no places: it decides who plays the final (2009 WC, Tournament format). If all left
    /// before the final, a ruling gives the first place, and the others follow the order of the Swiss.
    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal> {
        let tournament = state.tournament;
        let all_left = tournament.entrants.values().all(|entrant| entrant.left.is_some());
        let ruled = tournament.ruled_places().contains_key(&1);
        let needed = "everybody has left before the final, so a ruling has to give the first place";
        let needed = (all_left && !ruled).then(|| needed.to_owned());
        let ranking = if needed.is_some() { Vec::new() } else { self.rank(state)? };
        Ok(Places::by_rank(ranking, all_left && ruled, needed))
    }

    fn why_not(&self, question: &Question<'_>) -> Result<WhyNot, Refusal> {
        match &question.proposal.proof {
            Proof::Swiss(pairing) => Ok(question
                .taken_by_the_bye(RuleId::SwissBye)
                .unwrap_or_else(|| why_not_walked(&pairing.walk, question, RuleId::SwissPairing))),
            _ => Err(Refusal::lacking("the round was not paired by a walk")),
        }
    }

    fn rules(&self, _stage: Stage) -> RoundRules {
        RoundRules {
            pairing: RuleId::SwissPairing,
            bye: RuleId::SwissBye,
            order: RuleId::SwissOrder,
            colour: RuleId::SwissColour,
            kept: &[],
            coin_recorded: true,
        }
    }

    fn texts(&self, _stage: Stage) -> Texts {
        Texts { rounds: &["T10", "T11", "T12", "T12_halves", "T13"], ranking: &["T10", "T28"] }
    }

    fn colours<'a>(
        &self,
        state: &StageState<'_>,
        _proposal: &Proposal,
        paired: &'a RoundPaired,
    ) -> Vec<(&'a Pair, Decided)> {
        check::colours(state, paired)
    }

    fn decider(&self, state: &StageState<'_>, pairing: BoardId, board: &Board) -> Result<Decider, Refusal> {
        check::decider(state, pairing, board)
    }

    fn check_pairs(&self, check: &mut Checker<'_>, paired: &RoundPaired) {
        check::length(check, paired);
        check::rematches(check, paired);
    }

    fn check_other(&self, check: &mut Checker<'_>, event: &TournamentEvent) {
        check::other(check, event);
    }
}

/// The ranks of the drawn numbers.
fn lots_of(drawn: &LotsDrawn) -> Lots {
    let ranks: BTreeMap<u64, u32> =
        drawn.lots.iter().map(|lot| lot.number).collect::<BTreeSet<u64>>().into_iter().zip(1..).collect();
    drawn.lots.iter().filter_map(|lot| Some((lot.player.clone(), *ranks.get(&lot.number)?))).collect()
}

fn drawn_for(tournament: &Tournament, round: u32) -> Option<&LotsDrawn> {
    tournament.lots.get(&round).map(|lots| &lots.fact)
}

fn measures(line: &SwissPlace, drawn: Option<&LotsDrawn>) -> Vec<Measure> {
    let lot = drawn.and_then(|drawn| drawn.lots.iter().find(|lot| lot.player == line.player));
    vec![
        measure("points", [line.half_points]),
        measure("opponents", [line.opponents_half_points]),
        gameroom_rating(line.rating),
        measure("lot", lot.and_then(|lot| i64::try_from(lot.number).ok())),
    ]
}

/// Order, bye, walk and colours of the next round; a coin at equal Golds.
fn propose(state: &StageState<'_>) -> Result<Proposal, Refusal> {
    let StageState { tournament, rulebook, .. } = *state;
    let round = tournament.next_round();
    let Some(declared) = tournament.rounds_declared.get(&Stage::Swiss) else {
        let what = "the number of rounds of the Swiss is not declared";
        return Err(Refusal::by(rulebook.rule(RuleId::SwissDeclared), what).hint(Remedy::DeclareRounds));
    };
    if let Some((due, declared)) = contradicted(tournament) {
        let what = format!("{declared} are declared, and the table gives {due}");
        return Err(Refusal::by(rulebook.rule(RuleId::SwissRounds), what).hint(Remedy::DeclareRounds));
    }
    let declared_rounds = declared.fact.rounds;
    let played = played(tournament)?;
    if played.rounds.len() < usize::try_from(declared_rounds).unwrap_or(usize::MAX) {
        // An open game is reported before missing lots, which are drawn when the round begins.
        if played.open_game().is_none() && drawn_for(tournament, round).is_none() {
            return Err(no_lots(rulebook, round, "no lots are drawn for it"));
        }
    }
    let drawn = drawn_for(tournament, round);
    let lots = drawn.map(lots_of).unwrap_or_default();
    let request =
        PairRequest { played: &played, lots: &lots, declared_rounds, readings: rulebook.readings.swiss };
    let pairing = pair_round(&request).map_err(|error| refused(error, rulebook, round))?;
    let colour = rulebook.rule(RuleId::SwissColour);
    let mut coins = Vec::new();
    let mut pairs = Vec::new();
    for (board, game) in (1..).zip(&pairing.games) {
        let upper_side = game.gold().map(|gold| if *gold == game.upper { Side::Gold } else { Side::Silver });
        if let (None, Some(rule)) = (upper_side, colour) {
            coins.push((BoardId { round, board }, rule));
        }
        pairs.push(Pair {
            board,
            upper: game.upper.clone(),
            lower: game.lower.clone(),
            upper_side,
            colour: colour.map(|rule| rule.ground(Some(colours_of(game)))),
            encounter: None,
        });
    }
    let byes = pairing.bye.iter().map(|(player, why)| Bye {
        player: player.clone(),
        half_points: Some(rulebook.readings.swiss.bye_points.half_points()),
        grounds: Vec::from_iter(rulebook.ground(RuleId::SwissBye, bye_of(why))),
    });
    let lines = pairing.order.iter().map(|line| (line.player.clone(), line.place, measures(line, drawn)));
    let paired = RoundPaired {
        round,
        stage: Stage::Swiss,
        byes: byes.collect(),
        order: order(lines),
        measures: vec![measure("rematches", [pairing.walk.rematches])],
        equals: Some(Equals::Exactly(1)),
        inferred: false,
        pairs,
    };
    let reasons = reasons(rulebook, &paired, &coins, &pairing);
    let proof = Proof::Swiss(Box::new(pairing));
    Ok(Proposal { coins, ..Proposal::of(paired, reasons, proof) })
}

fn no_lots(rulebook: &Rulebook, round: u32, why: &str) -> Refusal {
    Refusal::by(rulebook.rule(RuleId::SwissLots), format!("round {round} cannot be ordered: {why}"))
        .hint(Remedy::DrawLots)
}

fn refused(error: SwissError, rulebook: &Rulebook, round: u32) -> Refusal {
    match error {
        SwissError::Standings(StandingsError::LotMissing { player, other }) => {
            no_lots(rulebook, round, &format!("{player} has no lot and is level with {other}"))
        }
        SwissError::Standings(StandingsError::LotShared { player, other, lot: _ }) => {
            no_lots(rulebook, round, &format!("{player} and {other} are level and drew the same number"))
        }
        error @ SwissError::NoRoundLeft { .. } => {
            Refusal::by(rulebook.rule(RuleId::SwissRounds), error.to_string()).hint(Remedy::Qualify)
        }
        error @ SwissError::OpenGame { .. } => {
            Refusal::by(rulebook.rule(RuleId::RoundOrder), error.to_string()).hint(Remedy::Result(None))
        }
        error => Refusal::lacking(error.to_string()),
    }
}

/// The lots of the present order: of the coming round if drawn; after the last round by the reading.
fn standing_lots<'a>(
    tournament: &'a Tournament,
    rulebook: &Rulebook,
    last: Option<u32>,
    over: bool,
) -> (u32, Option<&'a LotsDrawn>) {
    let next = last.unwrap_or(0).saturating_add(1);
    let last = last.unwrap_or(next);
    let coming = drawn_for(tournament, next);
    match (over, rulebook.readings.swiss.final_lots) {
        (true, FinalLots::LastRound) => (last, drawn_for(tournament, last)),
        (true, FinalLots::DrawnAfterwards) => (next, coming),
        (false, _) => (next, coming.or_else(|| drawn_for(tournament, last))),
    }
}

fn rank(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<RankedPlayer>, Refusal> {
    let played = played(tournament)?;
    let over = rounds_left(tournament, &played) == Some(0);
    let (_, drawn) = standing_lots(tournament, rulebook, played.last(), over);
    let mut lots = drawn.map(lots_of).unwrap_or_default();
    let known: BTreeSet<PlayerId> = lots.keys().cloned().collect();
    let mut free = u32::try_from(lots.len()).unwrap_or(u32::MAX);
    let mut names: Vec<&PlayerId> = played.players.iter().map(|player| &player.player).collect();
    names.sort();
    for player in names {
        if !lots.contains_key(player) {
            free = free.saturating_add(1);
            lots.insert(player.clone(), free);
        }
    }
    let tally = played
        .tally(1, rulebook.readings.swiss.bye_points.half_points())
        .map_err(|error| Refusal::lacking(error.to_string()))?;
    let order = standings(&played, &tally, &lots).map_err(|error| Refusal::lacking(error.to_string()))?;
    let drawn_lot = |line: &SwissPlace| known.contains(&line.player);
    let ranks = shared_ranks(&order, |above, line| {
        rank_key(above) == rank_key(line) && !(drawn_lot(above) && drawn_lot(line))
    });
    let standing = |(line, rank): (&SwissPlace, u32)| RankedPlayer {
        player: line.player.clone(),
        rank,
        measures: measures(line, drawn),
        active: !played.out.contains(&line.player),
        group: None,
    };
    Ok(order.iter().zip(ranks).map(standing).collect())
}

/// Before the first round: the rounds of the table for those who begin, and the declared ones, if they differ.
pub(super) fn contradicted(tournament: &Tournament) -> Option<(String, String)> {
    let declared = &tournament.rounds_declared.get(&Stage::Swiss)?.fact;
    if tournament.rounds_of(&[Stage::Swiss]).next().is_some() {
        return None;
    }
    let players = u32::try_from(began(tournament, &[Stage::Swiss]).len()).unwrap_or(u32::MAX);
    let due = rounds_for(players).ok().filter(|due| *due != declared.rounds)?;
    let words = |rounds: u32, players: u32| format!("{rounds} rounds for {players} players");
    Some((words(due, players), words(declared.rounds, declared.players)))
}

/// Rounds still to be paired; none if their number is not declared.
fn rounds_left(tournament: &Tournament, played: &Played) -> Option<usize> {
    let declared = tournament.rounds_declared.get(&Stage::Swiss)?.fact.rounds;
    Some(usize::try_from(declared).unwrap_or(usize::MAX).saturating_sub(played.rounds.len()))
}

/// The order to be published, with seeds for the first players still in.
///
/// # Errors
/// If the Swiss is not over, or deciding lots are missing.
pub fn qualified(tournament: &Tournament, rulebook: &Rulebook) -> Result<Qualified, Refusal> {
    let played = played(tournament)?;
    match rounds_left(tournament, &played) {
        None => {
            return Err(Refusal::by(
                rulebook.rule(RuleId::SwissDeclared),
                "the number of rounds of the Swiss is not declared",
            )
            .hint(Remedy::DeclareRounds));
        }
        Some(0) => {}
        Some(left) => {
            return Err(Refusal::by(
                rulebook.rule(RuleId::SwissRounds),
                format!("the Swiss is not over: {left} of its rounds are still to be paired"),
            )
            .hint(Remedy::Pair));
        }
    }
    let tally = played
        .tally(1, rulebook.readings.swiss.bye_points.half_points())
        .map_err(|error| Refusal::lacking(error.to_string()))?;
    if let Some(game) = played.open_game() {
        return Err(Refusal::by(
            rulebook.rule(RuleId::RoundOrder),
            format!("{} against {} has no result", game.gold, game.silver),
        )
        .hint(Remedy::Result(None)));
    }
    let (round, drawn) = standing_lots(tournament, rulebook, played.last(), true);
    let lots = drawn.map(lots_of).unwrap_or_default();
    let order = standings(&played, &tally, &lots)
        .map_err(|error| refused(SwissError::Standings(error), rulebook, round))?;
    let places = rulebook.stage(Stage::Swiss).and_then(|rules| rules.places).unwrap_or(u32::MAX);
    let finalists =
        order.iter().map(|line| line.player.clone()).filter(|player| !played.out.contains(player));
    let finalists = finalists.take(usize::try_from(places).unwrap_or(usize::MAX));
    let seeded = by_performance(tournament, rulebook, finalists.collect())?;
    let seeds: BTreeMap<&PlayerId, u32> = seeded.iter().zip(1..).collect();
    let lines = order.iter().map(|line| QualifyingRank {
        player: line.player.clone(),
        rank: line.place,
        seed: seeds.get(&line.player).copied(),
        measures: measures(line, drawn),
    });
    let grounds = [RuleId::SwissOrder, RuleId::FieldPlaces, RuleId::FieldSeeds];
    Ok(Qualified {
        from: Stage::Swiss,
        to: Stage::Final,
        order: lines.collect(),
        grounds: rulebook.grounds(&grounds),
    })
}
