//! The postal ring of 2006 as a format: all games in one round, points, places by them.

use std::cmp::Reverse;

use annals_events::tournament::{ColourChosen, ColourDrawn, Equals, Measure, Pair, RoundPaired, Stage};
use annals_events::{PlayerId, Side};

use super::{ColourGround, RingDraw, RingError, RingFormat, RingGame, RingWhyNot, draw, ring_order};
use crate::check::Bench;
use crate::explain::{ColoursExplained, Explained, RoundExplanation, WhyNot};
use crate::formats::began::{next_number, still_in};
use crate::formats::{Places, Proof, Proposal, StageFormat, StageState, Standing, order};
use crate::record::{Played, Tally};
use crate::refusal::{Refusal, Remedy};
use crate::round_check::{self, published};
use crate::rulebook::{RuleId, Rulebook};

const STAGES: [Stage; 1] = [Stage::Ring];

/// The ring.
pub(crate) struct Ring;

impl StageFormat for Ring {
    fn propose(&self, state: &StageState<'_>) -> Result<Proposal, Refusal> {
        let played = Played::of(state.tournament, &STAGES);
        let rule = |rule| state.rulebook.rule(rule);
        if let Some(number) = played.last() {
            let what = format!("every game of the tournament is paired in round {number}");
            return Err(Refusal::by(rule(RuleId::RoundOrder), what));
        }
        let format = RingFormat { readings: state.rulebook.readings.ring, ..RingFormat::default() };
        let drawn = draw(&played.players, format).map_err(|error| {
            let broken = match error {
                RingError::NobodyEntered => RuleId::RingPairing,
                RingError::RatingMissing { .. } | RingError::NameTwice { .. } => RuleId::RingOrder,
            };
            Refusal::by(rule(broken), error.to_string())
        })?;
        if drawn.games.is_empty() {
            let what = "one player is entered, who is first without a game";
            return Err(Refusal::by(rule(RuleId::RingPairing), what).hint(Remedy::Close));
        }
        let position = |player: &PlayerId| drawn.order.iter().position(|other| other == player);
        let pairs = (1..).zip(&drawn.games).map(|(board, game)| {
            let gold_is_upper = position(&game.gold) < position(&game.silver);
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
                colour: rule(RuleId::RingColour).map(|rule| rule.ground(Some(colour_of(game)))),
                encounter: None,
            }
        });
        let lines = (1..).zip(&drawn.order).map(|(rank, player)| {
            let rating = played.players.iter().find(|one| one.player == *player).and_then(|one| one.rating);
            let at = place(&drawn, player).and_then(|at| i64::try_from(at).ok());
            let rating = measure("rating", rating.map(|rating| rating.saturating_mul(1_000_000)));
            (player.clone(), rank, vec![rating, measure("position", at)])
        });
        let paired = RoundPaired {
            round: next_number(state.tournament),
            stage: Stage::Ring,
            pairs: pairs.collect(),
            byes: Vec::new(),
            order: order(lines),
            measures: vec![measure("reach", i64::try_from(drawn.reach).ok())],
            equals: Some(Equals::Exactly(1)),
            inferred: false,
        };
        let reasons = reasons(state.rulebook, &paired, &drawn);
        let proof = Proof::Ring(Box::new(drawn));
        Ok(Proposal { paired, coins: Vec::new(), choices: Vec::new(), reasons, proof })
    }

    /// By points; players with equal points share a rank and are listed in the order of ratings.
    fn rank(&self, state: &StageState<'_>) -> Result<Vec<Standing>, Refusal> {
        let played = Played::of(state.tournament, &STAGES);
        // Where a rating is missing there is no order of the ring yet; then the entries give one.
        let order = match ring_order(&played.players, state.rulebook.readings.ring.name_order) {
            Ok((order, _)) => order,
            Err(_) => (0..played.players.len()).collect(),
        };
        let tally = Tally::of(&played.rounds);
        let mut lines: Vec<(u32, &PlayerId)> = order
            .iter()
            .filter_map(|&at| played.players.get(at))
            .map(|one| (tally.record(&one.player).half_points, &one.player))
            .collect();
        lines.sort_by_key(|(half_points, _)| Reverse(*half_points));
        let rank = |points: u32| lines.iter().position(|(other, _)| *other == points).map_or(0, |at| at + 1);
        let standing = |(points, player): &(u32, &PlayerId)| Standing {
            player: (*player).clone(),
            rank: u32::try_from(rank(*points)).unwrap_or(u32::MAX),
            measures: vec![measure("points", Some(i64::from(*points)))],
            active: state.tournament.entrants.get(*player).is_some_and(still_in),
        };
        Ok(lines.iter().map(standing).collect())
    }

    /// By points, once every game has its result. The text does not separate equal points, so they share a place.
    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal> {
        let played = Played::of(state.tournament, &STAGES);
        // A player who is alone has no game to play, and the first place.
        let entrants = state.tournament.entrants.values();
        let alone = entrants.filter(|entrant| entrant.left.is_none()).count() <= 1;
        let decided = if played.rounds.is_empty() { alone } else { played.open_game().is_none() };
        Ok(Places::by_rank(self.rank(state)?, decided, None))
    }

    fn why_not(
        &self,
        rulebook: &Rulebook,
        proposal: &Proposal,
        one: &PlayerId,
        other: Option<&PlayerId>,
    ) -> Result<WhyNot, Refusal> {
        let Proof::Ring(draw) = &proposal.proof else {
            return Err(Refusal::lacking("the round was not drawn from a ring"));
        };
        let paragraph = rulebook.paragraph(RuleId::RingPairing);
        let known = |player: &PlayerId| {
            let none = || Refusal::lacking(format!("{player} has no position on the ring"));
            place(draw, player).ok_or_else(none)
        };
        let at = known(one)?;
        let Some(other) = other else {
            let answer = "all games are played at once, and nobody has a bye".to_owned();
            return Ok(WhyNot::of_bye(one, false, &paragraph, answer));
        };
        let there = known(other)?;
        let (possible, answer) = match draw.why_not(one, other) {
            RingWhyNot::TheyMeet => (true, "they do meet".to_owned()),
            RingWhyNot::Same => (false, format!("{one} is one player, and a game needs two")),
            RingWhyNot::NotEntered => (false, "one of them has no position on the ring".to_owned()),
            RingWhyNot::TooFarApart { distance, reach } => (
                false,
                format!(
                    "positions {at} and {there} are {distance} apart on the ring, and players meet up to {reach}"
                ),
            ),
        };
        Ok(WhyNot::of_pair(one, other, possible, &paragraph, answer))
    }

    fn check_round(&self, bench: &mut Bench<'_>, paired: &RoundPaired) {
        let Some(next) = round_check::proposal(self, RuleId::RingPairing, bench, paired) else { return };
        let (subject, due) = (round_check::round(paired.round), &next.paired);
        published::same_order(bench, RuleId::RingOrder, &subject, &due.order, &paired.order);
        published::only_round(bench, (RuleId::RingPairing, RuleId::RingPairing), due, paired);
        for pair in &paired.pairs {
            let both = published::two(&pair.upper, &pair.lower);
            let expected =
                next.paired.pairs.iter().find(|other| published::two(&other.upper, &other.lower) == both);
            // Of a game that is none of the ring no colours follow; the pairing departs.
            if let Some(expected) = expected {
                let gold = expected.player(Side::Gold);
                published::gold(bench, RuleId::RingColour, paired.round, pair, gold, "no colours");
            }
        }
    }

    fn check_coin(&self, bench: &mut Bench<'_>, drawn: &ColourDrawn) {
        let expected = "the colours that the ring gives";
        round_check::no_decision(bench, RuleId::RingColour, drawn.pairing, expected, "a coin");
    }

    fn check_choice(&self, bench: &mut Bench<'_>, chosen: &ColourChosen) {
        let expected = "the colours that the ring gives";
        round_check::no_decision(bench, RuleId::RingColour, chosen.pairing, expected, "a choice");
    }
}

fn measure(name: &str, value: Option<i64>) -> Measure {
    Measure { name: name.to_owned(), values: value.into_iter().collect() }
}

/// The position of a player on the ring, from 1.
fn place(draw: &RingDraw, player: &PlayerId) -> Option<usize> {
    draw.ring.iter().position(|other| other == player).map(|at| at + 1)
}

fn reasons(rulebook: &Rulebook, paired: &RoundPaired, draw: &RingDraw) -> RoundExplanation {
    let place = |player: &PlayerId| place(draw, player).unwrap_or_default();
    let players = draw.ring.len();
    // The distance is the greatest that a ring of so many has: then everyone meets everyone.
    let everyone = draw.reach == players / 2;
    let pairs = draw.games.iter().map(|game| Explained {
        what: format!("{} against {}", game.gold, game.silver),
        paragraph: rulebook.paragraph(RuleId::RingPairing),
        because: if everyone {
            format!("{players} players: everyone meets everyone")
        } else {
            format!(
                "positions {} and {} are {} apart on a ring of {players}, and players meet up to {}",
                place(&game.gold),
                place(&game.silver),
                game.distance,
                draw.reach
            )
        },
    });
    let colours = (1..).zip(&draw.games).map(|(board, game)| ColoursExplained {
        boards: vec![board],
        reason: Explained {
            what: format!("{} has Gold against {}", game.gold, game.silver),
            paragraph: game.ground.paragraph().to_owned(),
            because: colour_of(game),
        },
    });
    RoundExplanation { pairs: pairs.collect(), colours: colours.collect(), ..RoundExplanation::of(paired) }
}

/// Why a game has its colours, in words.
fn colour_of(game: &RingGame) -> String {
    let RingGame { gold, silver, distance, .. } = game;
    match game.ground {
        ColourGround::Alternating if distance % 2 == 1 => {
            format!("{gold} has {silver} at distance {distance} on the right: Gold")
        }
        ColourGround::Alternating => {
            format!("{silver} has {gold} at distance {distance} on the right: Silver")
        }
        ColourGround::OppositeLowerRated => format!("opposite each other: {gold} is lower rated"),
        ColourGround::OppositeLowerPosition => {
            format!("opposite each other and of one rating: {gold} has the lower position")
        }
    }
}
