//! The Olympiad's encounters as a format: who is on the list, which format so many play, the rounds, the order.

use std::collections::BTreeSet;

use annals_events::tournament::{Bye, ColourChosen, ColourDrawn, Equals, Measure, Pair, RoundPaired, Stage};
use annals_events::{PlayerId, Side, TournamentEvent};

use super::swiss::open_encounter;
use super::why::{bye_of, reasons, reasons_all, why_not, why_not_all};
use super::{
    Format, OlympiadError, OlympiadPairing, Reasons, Score, all_play_all, check, format_for, pair_round,
    ranking,
};
use crate::check::Bench;
use crate::explain::WhyNot;
use crate::formats::began::{next_number, still_in};
use crate::formats::{Places, Proof, Proposal, StageFormat, StageState, Standing, order};
use crate::pairing::Optima;
use crate::record::Played;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{RuleId, Rulebook};
use crate::state::Tournament;

const STAGES: [Stage; 2] = [Stage::RoundRobin, Stage::Swiss];

/// Encounters of two games.
pub(crate) struct Encounters;

impl StageFormat for Encounters {
    fn propose(&self, state: &StageState<'_>) -> Result<Proposal, Refusal> {
        let played = played(state.tournament);
        let refuse = |what: String| Err(Refusal::by(state.rulebook.rule(RuleId::EncounterFormat), what));
        let (entrants, stage) = (played.players.len(), state.stage);
        match (format_for(entrants), stage) {
            (Format::Nobody, _) => refuse("nobody is entered, so there is no game to pair".to_owned()),
            (Format::Alone, _) => refuse("one is entered, who is first without a game".to_owned()),
            (Format::AllPlayAll, Stage::RoundRobin) => everyone_meets(state, &played),
            (Format::Swiss { .. }, Stage::Swiss) => swiss(state, &played),
            (Format::AllPlayAll, _) => {
                refuse(format!("{entrants} entrants meet all of each other, and play no {stage}"))
            }
            (Format::Swiss { rounds }, _) => {
                refuse(format!("{entrants} entrants play {rounds} rounds of Swiss, and no {stage}"))
            }
        }
    }

    /// Players who are level on everything share a rank.
    fn rank(&self, state: &StageState<'_>) -> Result<Vec<Standing>, Refusal> {
        let played = played(state.tournament);
        let ranked = ranking(&played, state.rulebook.readings.encounters)
            .map_err(|error| refused(&error, state.rulebook))?;
        let line = |place: super::Place| Standing {
            rank: u32::try_from(place.place).unwrap_or(u32::MAX),
            measures: measures(&place.score, false),
            active: state.tournament.entrants.get(&place.score.player).is_some_and(still_in),
            player: place.score.player,
        };
        Ok(ranked.into_iter().map(line).collect())
    }

    /// Decided when every round is over, and no territory is missing that would separate two players.
    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal> {
        let played = played(state.tournament);
        let format = format_for(played.players.len());
        let over = match format {
            Format::Nobody => false,
            Format::AllPlayAll => coming(&played).is_empty(),
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
        Ok(Places::by_rank(self.rank(state)?, over && needed.is_none(), needed))
    }

    fn why_not(
        &self,
        rulebook: &Rulebook,
        proposal: &Proposal,
        one: &PlayerId,
        other: Option<&PlayerId>,
    ) -> Result<WhyNot, Refusal> {
        match &proposal.proof {
            Proof::Encounters(pairing) => why_not(rulebook, pairing, one, other),
            _ => why_not_all(rulebook, proposal, one, other),
        }
    }

    fn check_round(&self, bench: &mut Bench<'_>, paired: &RoundPaired) {
        check::round_paired(self, bench, paired);
    }

    fn check_coin(&self, bench: &mut Bench<'_>, drawn: &ColourDrawn) {
        check::no_decision(bench, drawn.pairing, "a coin");
    }

    fn check_choice(&self, bench: &mut Bench<'_>, chosen: &ColourChosen) {
        check::no_decision(bench, chosen.pairing, "a choice");
    }

    fn check_other(&self, bench: &mut Bench<'_>, event: &TournamentEvent) {
        if let TournamentEvent::RoundsDeclared(declared) = event {
            check::rounds_declared(bench, declared);
        }
    }
}

/// Reads the encounters off the record, the players by their numbers. Resting in an all-play-all is no bye.
pub(crate) fn played(tournament: &Tournament) -> Played {
    let mut played = Played::of(tournament, &STAGES);
    played.players.sort_by_key(|one| {
        let entrant = tournament.entrants.get(&one.player);
        entrant.map(|entrant| (entrant.number.unwrap_or(entrant.order), entrant.order))
    });
    for round in played.rounds.iter_mut().filter(|round| round.stage == Stage::RoundRobin) {
        round.byes.clear();
    }
    played
}

/// The stage that so many entrants play; none where there is nothing to play.
pub(crate) fn stage_of(played: &Played) -> Option<Stage> {
    match format_for(played.players.len()) {
        Format::Nobody | Format::Alone => None,
        Format::AllPlayAll => Some(Stage::RoundRobin),
        Format::Swiss { .. } => Some(Stage::Swiss),
    }
}

/// How many rounds so many entrants play.
pub(crate) fn rounds_in(played: &Played) -> u32 {
    match format_for(played.players.len()) {
        Format::Nobody | Format::Alone => 0,
        Format::AllPlayAll => u32::try_from(all_play_all(played.players.len()).len()).unwrap_or(u32::MAX),
        Format::Swiss { rounds } => rounds,
    }
}

/// The pairs of one encounter: two games, the one who has White first named first.
fn two_games(
    rulebook: &Rulebook,
    encounter: u32,
    (upper, lower): (&PlayerId, &PlayerId),
    first: &PlayerId,
    finding: &str,
) -> [Pair; 2] {
    let ground = rulebook.rule(RuleId::EncounterColour).map(|rule| rule.ground(Some(finding.to_owned())));
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

/// Who meets whom in the coming round of an all-play-all, by positions in the list, the one with White first named
/// first. Rounds of the usual scheme that are played are left out; where the record went its own way, those who have not
/// met meet in the order of the list.
fn coming(played: &Played) -> Vec<(usize, usize)> {
    let position = |player: &PlayerId| played.players.iter().position(|other| other.player == *player);
    let met: BTreeSet<(usize, usize)> = played
        .rounds
        .iter()
        .flat_map(|round| &round.games)
        .filter_map(|game| {
            let (one, other) = (position(&game.gold)?, position(&game.silver)?);
            Some((one.min(other), one.max(other)))
        })
        .collect();
    let open = |(one, other): &(usize, usize)| !met.contains(&(*one.min(other), *one.max(other)));
    let scheme = all_play_all(played.players.len());
    if let Some(round) = scheme.iter().find(|round| round.iter().all(open)) {
        return round.clone();
    }
    let mut seated = BTreeSet::new();
    let mut round = Vec::new();
    for one in 0..played.players.len() {
        let other = (one + 1..played.players.len())
            .find(|other| open(&(one, *other)) && !seated.contains(other) && !seated.contains(&one));
        if let Some(other) = other {
            seated.extend([one, other]);
            round.push((one, other));
        }
    }
    round
}

fn everyone_meets(state: &StageState<'_>, played: &Played) -> Result<Proposal, Refusal> {
    let StageState { tournament, rulebook, .. } = *state;
    if let Some(error) = open_encounter(played) {
        return Err(refused(&error, rulebook));
    }
    let coming = coming(played);
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
            grounds: rulebook
                .rule(RuleId::EncounterFormat)
                .map(|rule| rule.ground(Some("rests: of an odd number one has no opponent".to_owned())))
                .into_iter()
                .collect(),
        });
    let lines = (1..)
        .zip(&played.players)
        .map(|(rank, entrant)| (entrant.player.clone(), rank, vec![measure("number", i64::from(rank))]));
    let paired = RoundPaired {
        round: next_number(tournament),
        stage: Stage::RoundRobin,
        byes: rests.collect(),
        order: order(lines),
        measures: Vec::new(),
        equals: None,
        inferred: false,
        pairs,
    };
    let reasons = reasons_all(rulebook, &paired);
    Ok(Proposal { paired, coins: Vec::new(), choices: Vec::new(), reasons, proof: Proof::AllPlayAll })
}

fn swiss(state: &StageState<'_>, played: &Played) -> Result<Proposal, Refusal> {
    let StageState { tournament, rulebook, .. } = *state;
    let pairing =
        pair_round(played, rulebook.readings.encounters).map_err(|error| refused(&error, rulebook))?;
    let optima = optima(&pairing)?;
    let mut pairs = Vec::new();
    for (encounter, seat) in (1..).zip(&pairing.seats) {
        let (first, second) = (&seat.white_first, &seat.white_second);
        let finding = format!("{first} ranks higher and has White in the first game");
        pairs.extend(two_games(rulebook, encounter, (first, second), first, &finding));
    }
    let byes = pairing.bye.iter().map(|why| Bye {
        player: why.player.clone(),
        half_points: Some(rulebook.readings.encounters.bye_points.half_points()),
        grounds: rulebook
            .rule(RuleId::EncounterBye)
            .map(|rule| rule.ground(Some(bye_of(why))))
            .into_iter()
            .collect(),
    });
    let lines =
        (1..).zip(&pairing.order).map(|(rank, score)| (score.player.clone(), rank, measures(score, true)));
    let paired = RoundPaired {
        round: next_number(tournament),
        stage: Stage::Swiss,
        byes: byes.collect(),
        order: order(lines),
        measures: vector(&pairing),
        equals: Some(match &optima {
            Some(Optima::Exactly(rounds)) => Equals::Exactly(*rounds),
            Some(Optima::Another(_)) => Equals::AtLeast(2),
            Some(Optima::Only) | None => Equals::Exactly(1),
        }),
        inferred: false,
        pairs,
    };
    let reasons = reasons(rulebook, &paired, &pairing, optima)?;
    let proof = Proof::Encounters(Box::new(pairing));
    Ok(Proposal { paired, coins: Vec::new(), choices: Vec::new(), reasons, proof })
}

fn measure(name: &str, value: i64) -> Measure {
    Measure { name: name.to_owned(), values: vec![value] }
}

/// What a round measures: the least vector, or how often the walk had to repeat an encounter.
fn vector(pairing: &OlympiadPairing) -> Vec<Measure> {
    match &pairing.reasons {
        Reasons::Alone => Vec::new(),
        Reasons::LeastVector { problem, pairing, .. } => {
            problem.reasons(&pairing.value).map(|(counts, value)| measure(&counts.counts, value)).collect()
        }
        Reasons::Walk(walk) => vec![measure("rematches", i64::from(walk.rematches))],
    }
}

/// How many rounds are as good as the best one; none where a walk leaves no choice.
fn optima(pairing: &OlympiadPairing) -> Result<Option<Optima>, Refusal> {
    match &pairing.reasons {
        Reasons::Alone | Reasons::Walk(_) => Ok(None),
        Reasons::LeastVector { problem, pairing, .. } => {
            problem.optima(pairing).map(Some).map_err(|error| Refusal::lacking(error.to_string()))
        }
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
        measure("points", i64::from(score.half_points)),
        measure("opponents", i64::from(score.opponents_half_points)),
        measure("territory", i64::from(score.territory)),
    ];
    if number {
        measures.push(measure("number", i64::try_from(score.number).unwrap_or(i64::MAX)));
    }
    measures
}
