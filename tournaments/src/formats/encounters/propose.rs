//! The Olympiad's encounters over what was recorded: who is on the list, which format so many play, the rounds, the order.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Bye, Equals, Measure, Pair, Placing, Ranked, RoundPaired, Stage};
use annals_events::{PlayerId, Side, Termination};

use crate::formats::began::{began, next_number, rounds_of, still_in};
use crate::formats::encounters::{
    ByePoints, ByeReason, Encounter, Ending, Format, OlympiadError, OlympiadGame, OlympiadPairing,
    OlympiadRequest, OlympiadRound, Place, Reasons, Score, all_play_all, format_for, pair_round,
};
use crate::formats::{NextRound, Places, Proof, Standing};
use crate::pairing::Optima;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{RuleId, Rulebook};
use crate::state::Tournament;
use crate::state::{Board, Round};

const STAGES: [Stage; 2] = [Stage::RoundRobin, Stage::Swiss];

/// What the encounters are made of, read off the record.
pub(crate) struct Played {
    /// The list of entrants, by their numbers.
    pub entrants: Vec<PlayerId>,
    /// The rounds so far.
    pub rounds: Vec<OlympiadRound<PlayerId>>,
    /// Who is out.
    pub out: BTreeSet<PlayerId>,
    /// Which format so many entrants play.
    pub format: Format,
}

/// Reads the encounters off the record.
pub(crate) fn played(tournament: &Tournament) -> Played {
    let mut began = began(tournament, &STAGES);
    began.sort_by_key(|(_, entrant)| (entrant.number.unwrap_or(entrant.order), entrant.order));
    let out =
        began.iter().filter(|(_, entrant)| !still_in(entrant)).map(|(player, _)| (*player).clone()).collect();
    let entrants: Vec<PlayerId> = began.into_iter().map(|(player, _)| player.clone()).collect();
    let rounds = rounds_of(tournament, &STAGES).map(|(_, round)| olympiad_round(round)).collect();
    let format = format_for(entrants.len());
    Played { entrants, rounds, out, format }
}

fn olympiad_round(round: &Round) -> OlympiadRound<PlayerId> {
    let mut groups: BTreeMap<(Option<u32>, &PlayerId, &PlayerId), Encounter<PlayerId>> = BTreeMap::new();
    for board in round.boards.values() {
        let (low, high) = ((&board.upper).min(&board.lower), (&board.upper).max(&board.lower));
        groups
            .entry((board.pair.encounter, low, high))
            .or_insert_with(|| Encounter {
                pair: (board.upper.clone(), board.lower.clone()),
                games: Vec::new(),
            })
            .games
            .push(olympiad_game(board));
    }
    // Resting in an all-play-all is worth nothing, and is no bye.
    let bye = round.byes.first().filter(|_| round.stage == Stage::Swiss).map(|bye| bye.player.clone());
    OlympiadRound { encounters: groups.into_values().collect(), bye }
}

fn olympiad_game(board: &Board) -> OlympiadGame<PlayerId> {
    let white = board.gold.as_ref().unwrap_or(&board.upper);
    let black = if *white == board.upper { &board.lower } else { &board.upper };
    OlympiadGame {
        white: white.clone(),
        black: black.clone(),
        // Without colours a result says nothing of who won.
        outcome: board.gold.as_ref().and(board.outcome),
        ending: ending(board),
        territory: board.territory,
        territory_ruled: board.territory_ruled,
    }
}

/// How a game ended. Where the record does not say, a ruled result is a ruling's and a claimed one a forfeit's; of any other
/// nobody knows it.
fn ending(board: &Board) -> Ending {
    match board.termination {
        _ if board.is_forfeit() => Ending::Forfeit,
        None if board.ruled => Ending::Ruling,
        None => Ending::Unsaid,
        Some(Termination::Immobilization) => Ending::NoMoves,
        Some(Termination::Time) => Ending::Time,
        Some(_) => Ending::Resignation,
    }
}

/// The stage that so many entrants play; none where there is nothing to play.
pub(crate) fn stage_of(tournament: &Tournament) -> Option<Stage> {
    match played(tournament).format {
        Format::Nobody | Format::NoContext => None,
        Format::AllPlayAll => Some(Stage::RoundRobin),
        Format::Swiss { .. } => Some(Stage::Swiss),
    }
}

/// How many rounds that format has.
pub(crate) fn rounds_in(format: Format, entrants: usize) -> u32 {
    match format {
        Format::Nobody | Format::NoContext => 0,
        Format::AllPlayAll => u32::try_from(all_play_all(entrants).len()).unwrap_or(u32::MAX),
        Format::Swiss { rounds } => rounds,
    }
}

/// The next round of it.
pub(crate) fn next_round(
    tournament: &Tournament,
    rulebook: &Rulebook,
    stage: Stage,
) -> Result<NextRound, Refusal> {
    let played = played(tournament);
    let rule = || rulebook.rule(RuleId::EncounterFormat);
    match (played.format, stage) {
        (Format::Nobody, _) => Err(Refusal::by(rule(), "nobody is entered, so there is no game to pair")),
        (Format::NoContext, _) => Err(Refusal::by(rule(), "one is entered, who is first without a game")),
        (Format::AllPlayAll, Stage::RoundRobin) => everyone_meets(tournament, rulebook, &played),
        (Format::Swiss { .. }, Stage::Swiss) => swiss(tournament, rulebook, &played),
        (Format::AllPlayAll, other) => {
            let what =
                format!("{} entrants meet all of each other, and play no {other}", played.entrants.len());
            Err(Refusal::by(rule(), what))
        }
        (Format::Swiss { rounds }, other) => {
            let what =
                format!("{} entrants play {rounds} rounds of Swiss, and no {other}", played.entrants.len());
            Err(Refusal::by(rule(), what))
        }
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
    let position = |player: &PlayerId| played.entrants.iter().position(|other| other == player);
    let met: BTreeSet<(usize, usize)> = played
        .rounds
        .iter()
        .flat_map(|round| &round.encounters)
        .filter_map(|encounter| {
            let (one, other) = (position(&encounter.pair.0)?, position(&encounter.pair.1)?);
            Some((one.min(other), one.max(other)))
        })
        .collect();
    let open = |(one, other): &(usize, usize)| !met.contains(&(*one.min(other), *one.max(other)));
    let scheme = all_play_all(played.entrants.len());
    if let Some(round) = scheme.iter().find(|round| round.iter().all(open)) {
        return round.clone();
    }
    let mut seated = BTreeSet::new();
    let mut round = Vec::new();
    for one in 0..played.entrants.len() {
        let other = (one + 1..played.entrants.len())
            .find(|other| open(&(one, *other)) && !seated.contains(other) && !seated.contains(&one));
        if let Some(other) = other {
            seated.extend([one, other]);
            round.push((one, other));
        }
    }
    round
}

fn everyone_meets(
    tournament: &Tournament,
    rulebook: &Rulebook,
    played: &Played,
) -> Result<NextRound, Refusal> {
    if let Some((round, one, other)) = open_encounter(tournament) {
        let error = OlympiadError::OpenEncounter { one, other, round };
        return Err(refused(&error, rulebook));
    }
    let coming = coming(played);
    if coming.is_empty() {
        return Err(Refusal::by(rulebook.rule(RuleId::EncounterFormat), "everyone has met everyone")
            .hint(Remedy::Close));
    }
    let id = |at: usize| played.entrants.get(at);
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
        played.entrants.iter().enumerate().filter(|(at, _)| !seated.contains(at)).map(|(_, player)| Bye {
            player: player.clone(),
            half_points: Some(0),
            grounds: rulebook
                .rule(RuleId::EncounterFormat)
                .map(|rule| rule.ground(Some("rests: of an odd number one has no opponent".to_owned())))
                .into_iter()
                .collect(),
        });
    let order = (1..).zip(&played.entrants).map(|(rank, player)| Ranked {
        player: player.clone(),
        rank,
        measures: vec![measure("number", i64::from(rank))],
    });
    let paired = RoundPaired {
        round: next_number(tournament),
        stage: Stage::RoundRobin,
        byes: rests.collect(),
        order: order.collect(),
        measures: Vec::new(),
        equals: None,
        inferred: false,
        pairs,
    };
    Ok(NextRound { paired, coins: Vec::new(), choices: Vec::new(), proof: Proof::AllPlayAll })
}

/// The first encounter that is not over, with the number of its round.
fn open_encounter(tournament: &Tournament) -> Option<(u32, PlayerId, PlayerId)> {
    rounds_of(tournament, &STAGES).find_map(|(number, round)| {
        let open = round.boards.values().find(|board| board.outcome.is_none())?;
        Some((number, open.upper.clone(), open.lower.clone()))
    })
}

fn swiss(tournament: &Tournament, rulebook: &Rulebook, played: &Played) -> Result<NextRound, Refusal> {
    let request = OlympiadRequest {
        entrants: &played.entrants,
        rounds: &played.rounds,
        out: &played.out,
        readings: rulebook.readings.olympiad(),
    };
    let pairing = pair_round(&request).map_err(|error| refused(&error, rulebook))?;
    let mut pairs = Vec::new();
    for (encounter, seat) in (1..).zip(&pairing.seats) {
        let (first, second) = (&seat.white_first, &seat.white_second);
        let finding = format!("{first} ranks higher and has White in the first game");
        pairs.extend(two_games(rulebook, encounter, (first, second), first, &finding));
    }
    let byes = pairing.bye.iter().map(|why| Bye {
        player: why.player.clone(),
        half_points: Some(bye_points(rulebook)),
        grounds: rulebook
            .rule(RuleId::EncounterBye)
            .map(|rule| rule.ground(Some(bye_of(why))))
            .into_iter()
            .collect(),
    });
    let order = (1..).zip(&pairing.order).map(|(rank, score)| Ranked {
        player: score.player.clone(),
        rank,
        measures: measures(score, true),
    });
    let paired = RoundPaired {
        round: next_number(tournament),
        stage: Stage::Swiss,
        byes: byes.collect(),
        order: order.collect(),
        measures: vector(&pairing),
        equals: equals(&pairing)?,
        inferred: false,
        pairs,
    };
    Ok(NextRound {
        paired,
        coins: Vec::new(),
        choices: Vec::new(),
        proof: Proof::Encounters(Box::new(pairing)),
    })
}

fn measure(name: &str, value: i64) -> Measure {
    Measure { name: name.to_owned(), values: vec![value] }
}

/// What a round measures: the least vector, or how often the walk had to repeat an encounter.
fn vector(pairing: &OlympiadPairing<PlayerId>) -> Vec<Measure> {
    match &pairing.reasons {
        Reasons::NoContext => Vec::new(),
        Reasons::LeastVector { problem, pairing, .. } => {
            problem.reasons(&pairing.value).map(|(counts, value)| measure(&counts.counts, value)).collect()
        }
        Reasons::Walk(walk) => vec![measure("rematches", i64::from(walk.rematches))],
    }
}

/// How many rounds are as good as the best one.
pub(crate) fn equals(pairing: &OlympiadPairing<PlayerId>) -> Result<Option<Equals>, Refusal> {
    match &pairing.reasons {
        Reasons::NoContext | Reasons::Walk(_) => Ok(Some(Equals::Exactly(1))),
        Reasons::LeastVector { problem, pairing, .. } => {
            let optima = problem.optima(pairing).map_err(|error| Refusal::lacking(error.to_string()))?;
            Ok(Some(match optima {
                Optima::Exactly(rounds) => Equals::Exactly(rounds),
                Optima::Only => Equals::Exactly(1),
                Optima::Another(_) => Equals::AtLeast(2),
            }))
        }
    }
}

/// What a bye of the Swiss is worth in half points.
pub(crate) fn bye_points(rulebook: &Rulebook) -> u32 {
    match rulebook.readings.encounter_bye_points {
        ByePoints::Two => 4,
        ByePoints::One => 2,
        ByePoints::None => 0,
    }
}

/// Why somebody has the bye, in words.
pub(crate) fn bye_of(why: &ByeReason<PlayerId>) -> String {
    format!(
        "{} byes so far, the fewest; {} half points, the lowest score of those; the lowest of {} in the order",
        why.fewest_byes, why.lowest_half_points, why.level
    )
}

fn refused(error: &OlympiadError<PlayerId>, rulebook: &Rulebook) -> Refusal {
    let rule = match error {
        OlympiadError::OpenEncounter { .. } => rulebook.rule(RuleId::RoundOrder),
        OlympiadError::NoRoundLeft { .. } => rulebook.rule(RuleId::EncounterFormat),
        OlympiadError::NotTwoGames { .. } | OlympiadError::ForeignGame { .. } => {
            rulebook.rule(RuleId::EncounterGames)
        }
        _ => None,
    };
    let refusal = Refusal::by(rule, error.to_string());
    match error {
        OlympiadError::OpenEncounter { .. } => refusal.hint(Remedy::Result(None)),
        OlympiadError::NoRoundLeft { .. } => refusal.hint(Remedy::Close),
        _ => refusal,
    }
}

fn measures(score: &Score<PlayerId>, number: bool) -> Vec<Measure> {
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

fn ranked(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<Place<PlayerId>>, Refusal> {
    let played = played(tournament);
    crate::formats::encounters::ranking(&played.entrants, &played.rounds, rulebook.readings.olympiad())
        .map_err(|error| refused(&error, rulebook))
}

fn small(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// Everybody in its order; who is level on everything shares a rank.
pub(crate) fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<Standing>, Refusal> {
    let line = |place: Place<PlayerId>| Standing {
        rank: small(place.place),
        measures: measures(&place.score, false),
        active: tournament.entrants.get(&place.score.player).is_some_and(still_in),
        player: place.score.player,
    };
    Ok(ranked(tournament, rulebook)?.into_iter().map(line).collect())
}

/// The places: decided when every round is over, and no territory is missing that would tell two apart.
pub(crate) fn places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Places, Refusal> {
    let played = played(tournament);
    let ranked = ranked(tournament, rulebook)?;
    let rounds = usize::try_from(rounds_in(played.format, played.entrants.len())).unwrap_or(usize::MAX);
    let met_all = played.format == Format::AllPlayAll && coming(&played).is_empty();
    let over = open_encounter(tournament).is_none()
        && played.format != Format::Nobody
        && (met_all || (played.format != Format::AllPlayAll && played.rounds.len() >= rounds));
    let level = |score: &Score<PlayerId>| {
        let key = |score: &Score<PlayerId>| (score.half_points, score.opponents_half_points);
        ranked.iter().filter(|other| key(&other.score) == key(score)).count()
    };
    let missing = ranked.iter().find(|place| place.score.territory_missing > 0 && level(&place.score) > 1);
    let ruling_needed = missing.filter(|_| over).map(|place| {
        format!(
            "the territory of {} games that {} won is not known, and would tell apart those who are level",
            place.score.territory_missing, place.score.player
        )
    });
    let decided = over && ruling_needed.is_none();
    let placings = ranked.iter().map(|place| Placing {
        player: place.score.player.clone(),
        place: small(place.place),
        measures: measures(&place.score, false),
        titles: Vec::new(),
        contender: false,
    });
    Ok(Places { placings: placings.collect(), decided, ruling_needed })
}
