//! The postal ring of 2006 as a format: one round of all games, places by points.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use annals_events::tournament::{Equals, Pair, RoundPaired, Stage};
use annals_events::{BoardId, PlayerId, Side};

use super::{ColourGround, RingDraw, RingError, RingFormat, RingGame, draw, ring_order};
use crate::explain::{Explained, RoundExplanation, WhyNot};
use crate::formats::reasons::carried;
use crate::formats::stage_format::over;
use crate::formats::{
    Decider, Places, Proof, Proposal, Question, RankedPlayer, RoundRules, StageFormat, StageState, Texts,
    gameroom_rating, measure, order, shared_ranks,
};
use crate::record::{Played, Tally};
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{RuleId, Rulebook};
use crate::state::{Board, Entrant};

const STAGES: [Stage; 1] = [Stage::Ring];

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
        let ranks = numbered(&drawn.order);
        let pairs = (1..).zip(&drawn.games).map(|(board, game)| {
            let gold_is_upper = ranks.get(&game.gold) < ranks.get(&game.silver);
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
                colour: state.rulebook.ground(RuleId::RingColour, colour_of(game)),
                encounter: None,
            }
        });
        let places = numbered(&drawn.ring);
        let ratings: BTreeMap<&PlayerId, Option<i64>> =
            played.players.iter().map(|one| (&one.player, one.rating)).collect();
        let lines = (1..).zip(&drawn.order).map(|(rank, player)| {
            let rating = gameroom_rating(ratings.get(player).copied().flatten());
            let at = places.get(player).and_then(|at| i64::try_from(*at).ok());
            (player.clone(), rank, vec![rating, measure("position", at)])
        });
        let paired = RoundPaired {
            round: state.tournament.next_round(),
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
        Ok(Proposal::of(paired, reasons, proof))
    }

    fn due(&self, state: &StageState<'_>) -> Result<Option<Stage>, Refusal> {
        let played = Played::of(state.tournament, &STAGES);
        let games = || played.rounds.iter().flat_map(|round| &round.games);
        let mut open = games().filter(|game| game.outcome.is_none()).map(|game| game.pairing);
        match (played.rounds.is_empty(), open.next()) {
            (true, _) => Ok(Some(state.stage)),
            (false, Some(first)) => {
                let more = match open.count() {
                    0 => " has no result".to_owned(),
                    more => format!(" and {more} more have no result"),
                };
                let what = format!("all games of the ring are paired, and {first}{more}");
                Err(over(state.rulebook, what).hint(Remedy::Result(Some(first))))
            }
            (false, None) => {
                Err(over(state.rulebook, "all games of the ring are played").hint(Remedy::Close))
            }
        }
    }

    /// By points; equal points share a rank, in rating order.
    fn rank(&self, state: &StageState<'_>) -> Result<Vec<RankedPlayer>, Refusal> {
        let played = Played::of(state.tournament, &STAGES);
        // With a missing rating there is no ring order yet; the order of entries replaces it.
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
        let ranks = shared_ranks(&lines, |above, line| above.0 == line.0);
        let standing = |((points, player), rank): ((u32, &PlayerId), u32)| RankedPlayer {
            player: player.clone(),
            rank,
            measures: vec![measure("points", [points])],
            active: state.tournament.entrants.get(player).is_some_and(Entrant::is_in),
            group: None,
        };
        Ok(lines.into_iter().zip(ranks).map(standing).collect())
    }

    /// By points once all games have results. The text does not separate equal points, which share a place.
    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal> {
        let played = Played::of(state.tournament, &STAGES);
        // A single player has no game and the first place.
        let entrants = state.tournament.entrants.values();
        let alone = entrants.filter(|entrant| entrant.left.is_none()).count() <= 1;
        let decided = if played.rounds.is_empty() { alone } else { played.open_game().is_none() };
        Ok(Places::by_rank(self.rank(state)?, decided, None))
    }

    fn why_not(&self, question: &Question<'_>) -> Result<WhyNot, Refusal> {
        let Proof::Ring(draw) = &question.proposal.proof else {
            return Err(Refusal::lacking("the round was not drawn from a ring"));
        };
        let position = |player: &PlayerId| draw.ring.iter().position(|other| other == player);
        let places = position(question.one).zip(question.other.and_then(position));
        let answer = match places {
            Some((one, other)) => format!(
                "positions {} and {} are {} apart on the ring, and players meet up to {}",
                one + 1,
                other + 1,
                draw.distance(one, other),
                draw.reach
            ),
            None => "all games are played at once, and no player has a bye".to_owned(),
        };
        Ok(question.by(RuleId::RingPairing, answer))
    }

    fn rules(&self, _stage: Stage) -> RoundRules {
        RoundRules {
            pairing: RuleId::RingPairing,
            bye: RuleId::RingPairing,
            order: RuleId::RingOrder,
            colour: RuleId::RingColour,
            kept: &[],
            coin_recorded: true,
        }
    }

    fn texts(&self, _stage: Stage) -> Texts {
        Texts { rounds: &["T16", "T17"], ranking: &["T16"] }
    }

    fn decider(&self, _: &StageState<'_>, _: BoardId, _: &Board) -> Result<Decider, Refusal> {
        Ok(Decider::Rules("the colours that the ring gives".to_owned()))
    }
}

/// Numbers from 1.
fn numbered(players: &[PlayerId]) -> BTreeMap<&PlayerId, usize> {
    players.iter().zip(1..).collect()
}

fn reasons(rulebook: &Rulebook, paired: &RoundPaired, draw: &RingDraw) -> RoundExplanation {
    let places = numbered(&draw.ring);
    let place = |player: &PlayerId| places.get(player).copied().unwrap_or_default();
    let players = draw.ring.len();
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
    RoundExplanation { pairs: pairs.collect(), ..carried(rulebook, paired, &[]) }
}

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
