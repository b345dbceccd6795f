use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Bye, Equals, Measure, Pair, RoundPaired, Stage};
use annals_events::{BoardId, PlayerId, Side, TournamentEvent};

use super::all_play_all::possible;
use super::played::{played, rounds_in, stage_of};
use super::swiss::open_encounter;
use super::why::{bye_of, reasons, reasons_all, why_not, why_not_all};
use super::{
    EncounterSystem, OlympiadError, OlympiadPairing, Reasons, Score, all_play_all, check, format_for,
    pair_round, ranking,
};
use crate::check::checker::Checker;
use crate::explain::{Another, WhyNot};
use crate::formats::byes::same_byes;
use crate::formats::meetings::meetings;
use crate::formats::{
    Decided, Decider, Places, Proof, Proposal, Question, RankedPlayer, RoundRules, RoundsDue, StageFormat,
    StageState, Texts, Value, measure, order,
};
use crate::record::Played;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{RuleId, Rulebook};
use crate::state::{Board, Entrant};

pub(crate) struct Encounters;

impl StageFormat for Encounters {
    fn propose(&self, state: &StageState<'_>) -> Result<Proposal, Refusal> {
        let played = played(state.tournament);
        let refusal = |what: String| Refusal::by(state.rulebook.rule(RuleId::EncounterFormat), what);
        let refuse = |what: String| Err(refusal(what));
        let (entrants, stage) = (played.players.len(), state.stage);
        match (format_for(entrants), stage) {
            (EncounterSystem::Nobody, _) => {
                Err(refusal("nobody is entered, so there is no game to pair".to_owned()).hint(Remedy::Enter))
            }
            (EncounterSystem::Alone, _) => {
                Err(refusal("one player is entered, who is first without a game".to_owned())
                    .hint(Remedy::Enter))
            }
            (EncounterSystem::AllPlayAll, Stage::RoundRobin) => everyone_meets(state, &played),
            (EncounterSystem::Swiss { .. }, Stage::Swiss) => swiss(state, &played),
            (EncounterSystem::AllPlayAll, _) => {
                refuse(format!("{entrants} entrants meet all of each other, and play no {stage}"))
            }
            (EncounterSystem::Swiss { rounds }, _) => {
                refuse(format!("{entrants} entrants play {rounds} rounds of Swiss, and no {stage}"))
            }
        }
    }

    /// The stage that has begun, else that of the number of players.
    fn due(&self, state: &StageState<'_>) -> Result<Option<Stage>, Refusal> {
        let begun = state.tournament.rounds.values().next().map(|round| round.stage);
        Ok(begun.or_else(|| stage_of(&played(state.tournament))).or(Some(Stage::RoundRobin)))
    }

    fn ranks(&self, state: &StageState<'_>) -> bool {
        self.due(state) == Ok(Some(state.stage))
    }

    fn rounds(&self, state: &StageState<'_>) -> Result<RoundsDue, Refusal> {
        let (played, rule) = (played(state.tournament), RuleId::EncounterFormat);
        let too_few = "there are not two entrants, so no rounds are played";
        let stage = stage_of(&played).ok_or_else(|| Refusal::by(state.rulebook.rule(rule), too_few))?;
        let players = u32::try_from(played.players.len()).unwrap_or(u32::MAX);
        Ok(RoundsDue { stage, rounds: rounds_in(&played), players, rule })
    }

    /// Level players share a rank.
    fn rank(&self, state: &StageState<'_>) -> Result<Vec<RankedPlayer>, Refusal> {
        let played = played(state.tournament);
        let ranked = ranking(&played, state.rulebook.readings.encounters)
            .map_err(|error| refused(&error, state.rulebook))?;
        let line = |place: super::OlympiadPlace| RankedPlayer {
            rank: place.place,
            measures: measures(&place.score, false),
            active: state.tournament.entrants.get(&place.score.player).is_some_and(Entrant::is_in),
            player: place.score.player,
            group: None,
        };
        Ok(ranked.into_iter().map(line).collect())
    }

    /// Decided when every round is over and no missing territory separates two players.
    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal> {
        let played = played(state.tournament);
        let format = format_for(played.players.len());
        let over = match format {
            EncounterSystem::Nobody => false,
            EncounterSystem::AllPlayAll => coming(&played).0.is_empty(),
            _ => played.rounds.len() >= usize::try_from(rounds_in(&played)).unwrap_or(usize::MAX),
        };
        let over = over && played.open_game().is_none();
        let ranked = ranking(&played, state.rulebook.readings.encounters)
            .map_err(|error| refused(&error, state.rulebook))?;
        let key = |score: &Score| (score.half_points, score.opponents_half_points);
        let level = |score: &Score| ranked.iter().filter(|other| key(&other.score) == key(score)).count();
        let missing =
            ranked.iter().find(|place| place.score.territory_missing > 0 && level(&place.score) > 1);
        let needed = missing.filter(|_| over).map(|place| {
            format!(
                "the territory of {} games that {} won is not known, and would tell apart those who are level",
                place.score.territory_missing, place.score.player
            )
        });
        // If missing territory separates two players, a ruling gives the places.
        let decided = over && (needed.is_none() || !state.tournament.ruled_places().is_empty());
        Ok(Places::by_rank(self.rank(state)?, decided, needed))
    }

    fn why_not(&self, question: &Question<'_>) -> Result<WhyNot, Refusal> {
        match &question.proposal.proof {
            Proof::Encounters(pairing) => why_not(question, pairing),
            _ => Ok(why_not_all(question)),
        }
    }

    fn rules(&self, stage: Stage) -> RoundRules {
        let all_play_all = stage == Stage::RoundRobin;
        RoundRules {
            pairing: RuleId::EncounterPairing,
            bye: if all_play_all { RuleId::EncounterFormat } else { RuleId::EncounterBye },
            order: RuleId::PlaceOrder,
            colour: RuleId::EncounterColour,
            kept: &[RuleId::EncounterFormat],
            coin_recorded: true,
        }
    }

    fn texts(&self, stage: Stage) -> Texts {
        match stage {
            Stage::RoundRobin => Texts { rounds: &[], ranking: &["T19", "T32", "T33", "T47"] },
            _ => Texts {
                rounds: &["T18", "T19", "T32", "T33", "T47", "T49"],
                ranking: &["T19", "T32", "T33", "T47", "T49"],
            },
        }
    }

    fn value(
        &self,
        state: &StageState<'_>,
        proposal: &Proposal,
        paired: &RoundPaired,
    ) -> Result<Value, Refusal> {
        let only = || Value::of_the_only_round(&proposal.paired, paired);
        Ok(match &proposal.proof {
            Proof::Encounters(proof) => match &proof.reasons {
                Reasons::LeastVector(best) => {
                    let made = meetings(&paired.pairs);
                    best.compare(made.iter().map(|(one, other)| (one, other)), None)
                        .unwrap_or_else(|_| only())
                }
                Reasons::Alone | Reasons::Walk(_) => only(),
            },
            _ => check::value_of_all(state, &proposal.paired, paired),
        })
    }

    fn colours<'a>(
        &self,
        state: &StageState<'_>,
        proposal: &Proposal,
        paired: &'a RoundPaired,
    ) -> Vec<(&'a Pair, Decided)> {
        match paired.stage {
            Stage::RoundRobin => Vec::new(),
            _ => check::colours(state.rulebook, &proposal.paired, paired),
        }
    }

    fn decider(&self, _: &StageState<'_>, _: BoardId, _: &Board) -> Result<Decider, Refusal> {
        let rule = "two games with reversed colours, White first for the higher ranked";
        Ok(Decider::Rules(rule.to_owned()))
    }

    fn check_pairs(&self, check: &mut Checker<'_>, paired: &RoundPaired) {
        check::two_games_each(check, paired);
    }

    /// In an all-play-all the resting player follows from the pairs.
    fn check_byes(&self, check: &mut Checker<'_>, proposal: &Proposal, paired: &RoundPaired) {
        if paired.stage != Stage::RoundRobin {
            same_byes(check, RuleId::EncounterBye, &proposal.paired, paired);
        }
    }

    fn check_other(&self, check: &mut Checker<'_>, event: &TournamentEvent) {
        if let TournamentEvent::RoundsDeclared(declared) = event {
            check::rounds_declared(check, declared);
        }
    }
}

/// The two games of an encounter, White of the first game first.
fn two_games(
    rulebook: &Rulebook,
    encounter: u32,
    (upper, lower): (&PlayerId, &PlayerId),
    first: &PlayerId,
    finding: &str,
) -> [Pair; 2] {
    let ground = rulebook.ground(RuleId::EncounterColour, finding);
    let side = if upper == first { Side::Gold } else { Side::Silver };
    let board = encounter.saturating_mul(2);
    [(board.saturating_sub(1), side), (board, side.other())].map(|(board, side)| Pair {
        board,
        upper: upper.clone(),
        lower: lower.clone(),
        upper_side: Some(side),
        colour: ground.clone(),
        encounter: Some(encounter),
    })
}

/// Pairs of positions in a list of players.
type Meetings = Vec<(usize, usize)>;

/// The pairs of the coming all-play-all round, by list position, White of the first game first; empty if all
/// have met. Skips rounds of the default order that were played; if the record deviates, pairs those who have
/// not met in list order. Second: another round with as many pairs.
fn coming(played: &Played) -> (Meetings, Option<Meetings>) {
    let positions: BTreeMap<&PlayerId, usize> =
        played.players.iter().map(|one| &one.player).zip(0..).collect();
    let games = played.rounds.iter().flat_map(|round| &round.games);
    let met: BTreeSet<(usize, usize)> = games
        .filter_map(|game| {
            let (one, other) = (positions.get(&game.gold)?, positions.get(&game.silver)?);
            Some((*one.min(other), *one.max(other)))
        })
        .collect();
    let open = |one: usize, other: usize| !met.contains(&(one.min(other), one.max(other)));
    let possible = possible(played.players.len(), open);
    let scheme = all_play_all(played.players.len());
    let by_scheme = scheme.into_iter().find(|round| round.iter().all(|&(one, other)| open(one, other)));
    let coming = by_scheme.or_else(|| possible.first().cloned()).unwrap_or_default();
    let is_coming =
        |&(one, other): &(usize, usize)| coming.contains(&(one, other)) || coming.contains(&(other, one));
    let mut as_many = possible.into_iter().filter(|round| round.len() == coming.len());
    let another = as_many.find(|round| !round.iter().all(is_coming));
    (coming, another)
}

fn everyone_meets(state: &StageState<'_>, played: &Played) -> Result<Proposal, Refusal> {
    let StageState { tournament, rulebook, .. } = *state;
    if let Some(error) = open_encounter(played) {
        return Err(refused(&error, rulebook));
    }
    let (coming, another) = coming(played);
    if coming.is_empty() {
        return Err(Refusal::by(rulebook.rule(RuleId::EncounterFormat), "everyone has met everyone")
            .hint(Remedy::Close));
    }
    let id = |at: usize| played.players.get(at).map(|entrant| &entrant.player);
    let mut pairs = Vec::new();
    let mut seated = BTreeSet::new();
    for (encounter, &(one, other)) in (1..).zip(&coming) {
        let (Some(first), Some(upper), Some(lower)) = (id(one), id(one.min(other)), id(one.max(other)))
        else {
            continue;
        };
        seated.extend([one, other]);
        let finding = format!("by the table of an all-play-all {first} has White in the first game");
        pairs.extend(two_games(rulebook, encounter, (upper, lower), first, &finding));
    }
    let rests =
        played.players.iter().enumerate().filter(|(at, _)| !seated.contains(at)).map(|(_, entrant)| Bye {
            player: entrant.player.clone(),
            half_points: Some(0),
            grounds: Vec::from_iter(
                rulebook.ground(RuleId::EncounterFormat, "rests: of an odd number one has no opponent"),
            ),
        });
    let lines = (1..)
        .zip(&played.players)
        .map(|(rank, entrant)| (entrant.player.clone(), rank, vec![measure("number", [rank])]));
    let paired = RoundPaired {
        round: tournament.next_round(),
        stage: Stage::RoundRobin,
        byes: rests.collect(),
        order: order(lines),
        measures: Vec::new(),
        equals: None,
        inferred: false,
        pairs,
    };
    let named = |at: usize| id(at).cloned();
    let another = another.map(|round| Another {
        pairs: round.iter().filter_map(|&(one, other)| Some((named(one)?, named(other)?))).collect(),
        byes: (0..played.players.len())
            .filter(|at| round.iter().all(|(one, other)| at != one && at != other))
            .filter_map(named)
            .collect(),
    });
    let reasons = reasons_all(rulebook, &paired, another);
    Ok(Proposal::of(paired, reasons, Proof::AllPlayAll))
}

fn swiss(state: &StageState<'_>, played: &Played) -> Result<Proposal, Refusal> {
    let StageState { tournament, rulebook, .. } = *state;
    let pairing =
        pair_round(played, rulebook.readings.encounters).map_err(|error| refused(&error, rulebook))?;
    let optima = match &pairing.reasons {
        Reasons::LeastVector(best) => Some(best.optima()?),
        Reasons::Alone | Reasons::Walk(_) => None,
    };
    let mut pairs = Vec::new();
    for (encounter, seat) in (1..).zip(&pairing.seats) {
        let (first, second) = (&seat.white_first, &seat.white_second);
        let finding = format!("{first} ranks higher and has White in the first game");
        pairs.extend(two_games(rulebook, encounter, (first, second), first, &finding));
    }
    let byes = pairing.bye.iter().map(|why| Bye {
        player: why.player.clone(),
        half_points: Some(rulebook.readings.encounters.bye_points.half_points()),
        grounds: Vec::from_iter(rulebook.ground(RuleId::EncounterBye, bye_of(why))),
    });
    let lines =
        (1..).zip(&pairing.order).map(|(rank, score)| (score.player.clone(), rank, measures(score, true)));
    let paired = RoundPaired {
        round: tournament.next_round(),
        stage: Stage::Swiss,
        byes: byes.collect(),
        order: order(lines),
        measures: vector(&pairing),
        equals: Some(optima.as_ref().map_or(Equals::Exactly(1), Equals::from)),
        inferred: false,
        pairs,
    };
    let reasons = reasons(rulebook, &paired, &pairing, optima)?;
    let proof = Proof::Encounters(Box::new(pairing));
    Ok(Proposal::of(paired, reasons, proof))
}

/// The least vector, or the number of repeated encounters of the walk.
fn vector(pairing: &OlympiadPairing) -> Vec<Measure> {
    match &pairing.reasons {
        Reasons::Alone => Vec::new(),
        Reasons::LeastVector(best) => best.measures(&best.pairing),
        Reasons::Walk(walk) => vec![measure("rematches", [walk.rematches])],
    }
}

fn refused(error: &OlympiadError, rulebook: &Rulebook) -> Refusal {
    let rule = match error {
        OlympiadError::OpenEncounter { .. } => rulebook.rule(RuleId::RoundOrder),
        OlympiadError::NoRoundLeft { .. } => rulebook.rule(RuleId::EncounterFormat),
        OlympiadError::NotTwoGames { .. } => rulebook.rule(RuleId::EncounterGames),
        _ => None,
    };
    let refusal = Refusal::by(rule, error.to_string());
    match error {
        OlympiadError::OpenEncounter { .. } => refusal.hint(Remedy::Result(None)),
        OlympiadError::NoRoundLeft { .. } => refusal.hint(Remedy::Close),
        _ => refusal,
    }
}

fn measures(score: &Score, number: bool) -> Vec<Measure> {
    let mut measures = vec![
        measure("points", [score.half_points]),
        measure("opponents", [score.opponents_half_points]),
        measure("territory", [score.territory]),
    ];
    if number {
        measures.push(measure("number", i64::try_from(score.number).ok()));
    }
    measures
}
