//! The postal ring of 2006 over what was recorded: all games in one round, points, places by them.

use std::cmp::Reverse;

use annals_events::tournament::{Equals, Measure, Pair, Placing, Ranked, RoundPaired, Stage};
use annals_events::{PlayerId, Side};

use crate::formats::began::{began, next_number, rounds_of, still_in};
use crate::formats::ring::{
    ColourGround, RingDraw, RingError, RingFormat, RingGame, RingPlayer, draw, ring_order,
};
use crate::formats::{NextRound, Places, Proof, Standing};
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{RuleId, Rulebook};
use crate::state::Tournament;

const STAGES: [Stage; 1] = [Stage::Ring];

fn ring_players(tournament: &Tournament) -> Vec<RingPlayer<PlayerId>> {
    began(tournament, &STAGES)
        .into_iter()
        .map(|(player, entrant)| RingPlayer {
            player: player.clone(),
            name: entrant.name.clone(),
            rating: entrant.rating.map(i64::from),
        })
        .collect()
}

/// The next round of it: there is one, with every game of the tournament.
pub(crate) fn next_round(tournament: &Tournament, rulebook: &Rulebook) -> Result<NextRound, Refusal> {
    if let Some((number, _)) = rounds_of(tournament, &STAGES).next() {
        let what = format!("every game of the tournament is paired in round {number}");
        return Err(Refusal::by(rulebook.rule(RuleId::RoundOrder), what));
    }
    let players = ring_players(tournament);
    let format = RingFormat { readings: rulebook.readings.ring(), ..RingFormat::default() };
    let drawn = draw(&players, format).map_err(|error| {
        let rule = match error {
            RingError::NobodyEntered => rulebook.rule(RuleId::RingPairing),
            RingError::RatingMissing { .. } | RingError::NameTwice { .. } => rulebook.rule(RuleId::RingOrder),
        };
        Refusal::by(rule, error.to_string())
    })?;
    if drawn.games.is_empty() {
        let what = "one player is entered, who is first without a game";
        return Err(Refusal::by(rulebook.rule(RuleId::RingPairing), what).hint(Remedy::Close));
    }
    let rule = rulebook.rule(RuleId::RingColour);
    let standing = |player: &PlayerId| drawn.order.iter().position(|other| other == player);
    let pairs = (1..).zip(&drawn.games).map(|(board, game)| {
        let gold_is_upper = standing(&game.gold) < standing(&game.silver);
        let (upper, lower, side) = if gold_is_upper {
            (&game.gold, &game.silver, Side::Gold)
        } else {
            (&game.silver, &game.gold, Side::Silver)
        };
        Pair {
            board,
            upper: upper.clone(),
            lower: lower.clone(),
            upper_side: Some(side),
            colour: rule.map(|rule| rule.ground(Some(colour_of(game)))),
            encounter: None,
        }
    });
    let order = (1..).zip(&drawn.order).map(|(rank, player)| {
        let rating = players.iter().find(|known| known.player == *player).and_then(|known| known.rating);
        Ranked {
            player: player.clone(),
            rank,
            measures: vec![
                measure("rating", rating.map(|rating| rating.saturating_mul(1_000_000))),
                measure("position", position(&drawn, player).and_then(|at| i64::try_from(at).ok())),
            ],
        }
    });
    let paired = RoundPaired {
        round: next_number(tournament),
        stage: Stage::Ring,
        pairs: pairs.collect(),
        byes: Vec::new(),
        order: order.collect(),
        measures: vec![measure("reach", i64::try_from(drawn.reach).ok())],
        equals: Some(Equals::Exactly(1)),
        inferred: false,
    };
    Ok(NextRound { paired, coins: Vec::new(), choices: Vec::new(), proof: Proof::Ring(Box::new(drawn)) })
}

fn measure(name: &str, value: Option<i64>) -> Measure {
    Measure { name: name.to_owned(), values: value.into_iter().collect() }
}

/// The position of a player on the ring, from 1.
pub(crate) fn position(draw: &RingDraw<PlayerId>, player: &PlayerId) -> Option<usize> {
    draw.ring.iter().position(|other| other == player).map(|at| at + 1)
}

/// Why a game has its colours, in words.
pub(crate) fn colour_of(game: &RingGame<PlayerId>) -> String {
    match game.ground {
        ColourGround::Alternating if game.distance % 2 == 1 => {
            format!("{} has {} at distance {} on the right: Gold", game.gold, game.silver, game.distance)
        }
        ColourGround::Alternating => {
            format!("{} has {} at distance {} on the right: Silver", game.silver, game.gold, game.distance)
        }
        ColourGround::OppositeLowerRated => {
            format!("opposite each other: {} is lower rated", game.gold)
        }
        ColourGround::OppositeLowerPosition => {
            format!("opposite each other and of one rating: {} has the lower position", game.gold)
        }
    }
}

/// Everybody by points; equals share a rank and stand in the order of ratings.
pub(crate) fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<Standing>, Refusal> {
    let players = ring_players(tournament);
    // Where a rating is missing there is no order of the ring yet; then the entries give one.
    let order = match ring_order(&players, rulebook.readings.name_order) {
        Ok((order, _)) => order,
        Err(_) => (0..players.len()).collect(),
    };
    let boards = || rounds_of(tournament, &STAGES).flat_map(|(_, round)| round.boards.values());
    let mut lines: Vec<(u32, &PlayerId)> = order
        .iter()
        .filter_map(|&at| players.get(at))
        .map(|line| {
            let points = boards().filter_map(|board| board.half_points(&line.player));
            (points.fold(0u32, u32::saturating_add), &line.player)
        })
        .collect();
    lines.sort_by_key(|(half_points, _)| Reverse(*half_points));
    let mut ranked: Vec<Standing> = Vec::with_capacity(lines.len());
    let mut above = None;
    for (at, (half_points, player)) in (1..).zip(lines) {
        let rank = match ranked.last() {
            Some(last) if above == Some(half_points) => last.rank,
            _ => at,
        };
        above = Some(half_points);
        ranked.push(Standing {
            player: player.clone(),
            rank,
            measures: vec![measure("points", Some(i64::from(half_points)))],
            active: tournament.entrants.get(player).is_some_and(still_in),
        });
    }
    Ok(ranked)
}

/// The places: by points, once every game has its result. The text has no word on equal points, so they share a place.
pub(crate) fn places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Places, Refusal> {
    let mut rounds = rounds_of(tournament, &STAGES).peekable();
    let begun = rounds.peek().is_some();
    // Somebody who is alone has no game to play, and the first place.
    let alone = tournament.entrants.values().filter(|entrant| entrant.left.is_none()).count() <= 1;
    let decided = if begun { rounds.all(|(_, round)| round.is_over()) } else { alone };
    let placings = ranking(tournament, rulebook)?.into_iter().map(|standing| Placing {
        player: standing.player,
        place: standing.rank,
        measures: standing.measures,
        titles: Vec::new(),
        contender: false,
    });
    Ok(Places { placings: placings.collect(), decided, ruling_needed: None })
}
