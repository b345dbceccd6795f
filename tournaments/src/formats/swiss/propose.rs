//! The Swiss preliminary of 2009 over what was recorded: its rounds and games, who is out, the lots of the round.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{
    Bye, Effect, Equals, LotsDrawn, Measure, Pair, Placing, Qualified, QualifyingRank, Ranked, RoundPaired,
    Stage,
};
use annals_events::{Pairing, PlayerId, Side};

use crate::formats::began::{began, next_number, rounds_of, still_in};
use crate::formats::swiss::{
    ByeChoice, ByePoints, ColourCount, FinalLots, Lots, PairRequest, PairedGame, Standing as Line,
    StandingsError, SwissColour, SwissError, SwissGame, SwissPlayer, SwissRecord, SwissRound, finalists,
    pair_round, standings,
};
use crate::formats::{NextRound, Places, Proof, Standing};
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{RuleId, Rulebook};
use crate::state::Round;
use crate::state::Tournament;

const STAGES: [Stage; 1] = [Stage::Swiss];

/// What the Swiss is made of, read off the record.
pub(crate) struct Played {
    /// All who began.
    pub players: Vec<SwissPlayer<PlayerId>>,
    /// The rounds so far.
    pub rounds: Vec<SwissRound<PlayerId>>,
    /// Who is out.
    pub out: BTreeSet<PlayerId>,
    /// The number of the last round; none before the first.
    pub last: Option<u32>,
}

/// Reads the Swiss off the record.
pub(crate) fn played(tournament: &Tournament) -> Result<Played, Refusal> {
    let began = began(tournament, &STAGES);
    let players = began
        .iter()
        .map(|(player, entrant)| SwissPlayer {
            player: (*player).clone(),
            rating: entrant.rating.map(i64::from),
        })
        .collect();
    let out =
        began.iter().filter(|(_, entrant)| !still_in(entrant)).map(|(player, _)| (*player).clone()).collect();
    let (mut rounds, mut last) = (Vec::new(), None);
    for (number, round) in rounds_of(tournament, &STAGES) {
        rounds.push(swiss_round(number, round)?);
        last = Some(number);
    }
    Ok(Played { players, rounds, out, last })
}

fn swiss_round(number: u32, round: &Round) -> Result<SwissRound<PlayerId>, Refusal> {
    let mut byes = round.byes.iter().map(|bye| bye.player.clone());
    let bye = byes.next();
    if let (Some(one), Some(other)) = (&bye, byes.next()) {
        return Err(Refusal::lacking(format!(
            "{one} and {other} both have the bye of round {number}, and a round of the Swiss has one bye at most"
        ))
        .hint("revoke that round and pair it again"));
    }
    let mut games = Vec::with_capacity(round.boards.len());
    for (board, game) in &round.boards {
        let pairing = Pairing { round: number, board: *board };
        if game.gold.is_none() && game.outcome.is_some() {
            return Err(Refusal::lacking(format!(
                "{pairing} has a result and no colours, and the colours of later rounds rest on them"
            ))
            .hint("record how the coin fell for that pairing"));
        }
        // Of an open game without colours nothing is counted before the next round, which waits for its result.
        let gold = game.gold.as_ref().unwrap_or(&game.upper);
        let silver = if *gold == game.upper { &game.lower } else { &game.upper };
        games.push(SwissGame {
            gold: gold.clone(),
            silver: silver.clone(),
            outcome: game.outcome,
            forfeit: game.is_forfeit(),
        });
    }
    Ok(SwissRound { games, bye })
}

impl Played {
    /// How often a player has had each colour.
    pub fn colours(&self, player: &PlayerId) -> ColourCount {
        let games = || self.rounds.iter().flat_map(|round| &round.games);
        let count = |side| games().filter(|game| game.player(side) == player).count();
        let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        ColourCount { golds: small(count(Side::Gold)), silvers: small(count(Side::Silver)) }
    }
}

/// The numbers drawn, as small as the part wants them: the order of the numbers is kept.
fn lots_of(drawn: &LotsDrawn) -> Lots<PlayerId> {
    let ranks: BTreeMap<u64, u32> =
        drawn.lots.iter().map(|lot| lot.number).collect::<BTreeSet<u64>>().into_iter().zip(1..).collect();
    drawn.lots.iter().filter_map(|lot| Some((lot.player.clone(), *ranks.get(&lot.number)?))).collect()
}

fn drawn_for(tournament: &Tournament, round: u32) -> Option<&LotsDrawn> {
    tournament.lots.get(&round).map(|lots| &lots.fact)
}

fn measures(line: &Line<PlayerId>, drawn: Option<&LotsDrawn>) -> Vec<Measure> {
    let measure = |name: &str, values: Vec<i64>| Measure { name: name.to_owned(), values };
    let lot = drawn.and_then(|drawn| drawn.lots.iter().find(|lot| lot.player == line.player));
    vec![
        measure("points", vec![i64::from(line.half_points)]),
        measure("opponents", vec![i64::from(line.opponents_half_points)]),
        measure("rating", line.rating.map(|rating| rating.saturating_mul(1_000_000)).into_iter().collect()),
        measure("lot", lot.and_then(|lot| i64::try_from(lot.number).ok()).into_iter().collect()),
    ]
}

/// The next round of it: order, bye, the walk down the list, colours; a coin where both have had Gold as often.
pub(crate) fn next_round(tournament: &Tournament, rulebook: &Rulebook) -> Result<NextRound, Refusal> {
    let round = next_number(tournament);
    let Some(declared) = tournament.rounds_declared.get(&Stage::Swiss) else {
        let what = "the number of rounds of the Swiss is not declared";
        return Err(Refusal::by(rulebook.rule(RuleId::SwissDeclared), what).hint(Remedy::DeclareRounds));
    };
    let declared_rounds = declared.fact.rounds;
    let played = played(tournament)?;
    if played.rounds.len() < usize::try_from(declared_rounds).unwrap_or(usize::MAX) {
        let record = SwissRecord::new(&played.players, &played.rounds, rulebook.readings.swiss_bye_points)
            .map_err(|error| Refusal::lacking(error.to_string()))?;
        // An open game stands in the way before lots do: they are drawn when the round begins.
        if record.open_game().is_none() && drawn_for(tournament, round).is_none() {
            return Err(no_lots(rulebook, round, "no lots are drawn for it"));
        }
    }
    let drawn = drawn_for(tournament, round);
    let lots = drawn.map(lots_of).unwrap_or_default();
    let request = PairRequest {
        players: &played.players,
        rounds: &played.rounds,
        out: &played.out,
        lots: &lots,
        declared_rounds,
        readings: rulebook.readings.swiss(),
    };
    let pairing = pair_round(&request).map_err(|error| refused(error, rulebook, round))?;
    let colour = rulebook.rule(RuleId::SwissColour);
    let mut coins = Vec::new();
    let mut pairs = Vec::new();
    for (board, game) in (1..).zip(&pairing.games) {
        let upper_side = match game.colour {
            SwissColour::Upper => Some(Side::Gold),
            SwissColour::Lower => Some(Side::Silver),
            SwissColour::ByLot => None,
        };
        if let (None, Some(rule)) = (upper_side, colour) {
            coins.push((Pairing { round, board }, rule));
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
        half_points: Some(bye_points(rulebook)),
        grounds: rulebook
            .rule(RuleId::SwissBye)
            .map(|rule| rule.ground(Some(bye_of(why))))
            .into_iter()
            .collect(),
    });
    let order = pairing.order.iter().map(|line| Ranked {
        player: line.player.clone(),
        rank: line.place,
        measures: measures(line, drawn),
    });
    let paired = RoundPaired {
        round,
        stage: Stage::Swiss,
        byes: byes.collect(),
        order: order.collect(),
        measures: vec![Measure {
            name: "rematches".to_owned(),
            values: vec![i64::from(pairing.walk.rematches)],
        }],
        equals: Some(Equals::Exactly(1)),
        inferred: false,
        pairs,
    };
    Ok(NextRound { paired, coins, choices: Vec::new(), proof: Proof::Swiss(Box::new(pairing)) })
}

/// What a bye is worth in half points.
pub(crate) fn bye_points(rulebook: &Rulebook) -> u32 {
    match rulebook.readings.swiss_bye_points {
        ByePoints::One => 2,
        ByePoints::None => 0,
    }
}

/// How often the two of a pair have had each colour, in words.
pub(crate) fn colours_of(game: &PairedGame<PlayerId>) -> String {
    let had = |player: &PlayerId, count: ColourCount| {
        format!("{player} has had Gold {} and Silver {}", count.golds, count.silvers)
    };
    format!("{}; {}", had(&game.upper, game.upper_count), had(&game.lower, game.lower_count))
}

/// Why somebody has the bye, in words.
pub(crate) fn bye_of(why: &ByeChoice) -> String {
    match why {
        ByeChoice::LastOfTheList => "the last of the list".to_owned(),
        ByeChoice::LowestWithFewestByes { fewest } => {
            format!("the lowest of those with the fewest byes, {fewest}")
        }
    }
}

fn no_lots(rulebook: &Rulebook, round: u32, why: &str) -> Refusal {
    Refusal::by(rulebook.rule(RuleId::SwissLots), format!("round {round} cannot be ordered: {why}"))
        .hint(Remedy::DrawLots)
}

fn refused(error: SwissError<PlayerId>, rulebook: &Rulebook, round: u32) -> Refusal {
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

/// The lots by which the order is made as things stand: those of the coming round where they are drawn; after the last
/// round as the register reads the text.
fn standing_lots<'a>(
    tournament: &'a Tournament,
    rulebook: &Rulebook,
    last: Option<u32>,
    over: bool,
) -> (u32, Option<&'a LotsDrawn>) {
    let next = last.unwrap_or(0).saturating_add(1);
    let last = last.unwrap_or(next);
    let coming = drawn_for(tournament, next);
    match (over, rulebook.readings.final_lots) {
        (true, FinalLots::LastRound) => (last, drawn_for(tournament, last)),
        (true, FinalLots::DrawnAfterwards) => (next, coming),
        (false, _) => (next, coming.or_else(|| drawn_for(tournament, last))),
    }
}

/// Everybody in its order. Where lots that would have to decide are not drawn yet, players share a rank.
pub(crate) fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<Standing>, Refusal> {
    let played = played(tournament)?;
    let over = rounds_left(tournament, &played) == Some(0);
    let (_, drawn) = standing_lots(tournament, rulebook, played.last, over);
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
    let record = SwissRecord::new(&played.players, &played.rounds, rulebook.readings.swiss_bye_points)
        .map_err(|error| Refusal::lacking(error.to_string()))?;
    let order = standings(&record, &lots).map_err(|error| Refusal::lacking(error.to_string()))?;
    let mut ranked: Vec<Standing> = Vec::with_capacity(order.len());
    let mut above: Option<&Line<PlayerId>> = None;
    for line in &order {
        let level = |above: &Line<PlayerId>| {
            (above.half_points, above.opponents_half_points, above.rating)
                == (line.half_points, line.opponents_half_points, line.rating)
                && !(known.contains(&above.player) && known.contains(&line.player))
        };
        let rank = match (above, ranked.last()) {
            (Some(above), Some(last)) if level(above) => last.rank,
            _ => line.place,
        };
        ranked.push(Standing {
            player: line.player.clone(),
            rank,
            measures: measures(line, drawn),
            active: !played.out.contains(&line.player),
        });
        above = Some(line);
    }
    Ok(ranked)
}

/// How many rounds are still to be paired; none where their number is not declared.
fn rounds_left(tournament: &Tournament, played: &Played) -> Option<usize> {
    let declared = tournament.rounds_declared.get(&Stage::Swiss)?.fact.rounds;
    Some(usize::try_from(declared).unwrap_or(usize::MAX).saturating_sub(played.rounds.len()))
}

/// The places as far as they are decided: the Swiss alone gives none, it says who plays the final.
pub(crate) fn places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Places, Refusal> {
    let placings = ranking(tournament, rulebook)?.into_iter().map(|standing| Placing {
        player: standing.player,
        place: standing.rank,
        measures: standing.measures,
        titles: Vec::new(),
        contender: false,
    });
    let everybody_left = tournament.entrants.values().all(|entrant| entrant.left.is_some());
    let ruling_needed = everybody_left
        .then(|| "everybody has left before the final, so a ruling has to give the first place".to_owned());
    let ruled = tournament.rulings.iter().any(|ruling| {
        ruling.superseded_by.is_none() && matches!(ruling.ruling.effect, Effect::Place { place: 1, .. })
    });
    Ok(Places {
        placings: placings.collect(),
        decided: everybody_left && ruled,
        ruling_needed: ruling_needed.filter(|_| !ruled),
    })
}

/// The published order of the Swiss, with seeds for the first who are still in.
///
/// # Errors
/// When the Swiss is not over, or lots are missing that would have to decide.
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
    let record = SwissRecord::new(&played.players, &played.rounds, rulebook.readings.swiss_bye_points)
        .map_err(|error| Refusal::lacking(error.to_string()))?;
    if let Some((_, game)) = record.open_game() {
        return Err(Refusal::by(
            rulebook.rule(RuleId::RoundOrder),
            format!("{} against {} has no result", game.gold, game.silver),
        )
        .hint(Remedy::Result(None)));
    }
    let (round, drawn) = standing_lots(tournament, rulebook, played.last, true);
    let lots = drawn.map(lots_of).unwrap_or_default();
    let order =
        standings(&record, &lots).map_err(|error| refused(SwissError::Standings(error), rulebook, round))?;
    let places = rulebook.stage(Stage::Swiss).and_then(|rules| rules.places).unwrap_or(u32::MAX);
    let finalists = finalists(&order, &played.out, usize::try_from(places).unwrap_or(usize::MAX));
    let seeds: BTreeMap<&PlayerId, u32> = finalists.iter().zip(1..).collect();
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
        grounds: grounds
            .into_iter()
            .filter_map(|rule| rulebook.rule(rule))
            .map(|rule| rule.ground(None))
            .collect(),
    })
}
