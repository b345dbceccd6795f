//! The next round of a final from what was recorded: the best pairing with its reasons, the bye, the colours with the rule
//! that gave each, the coins and choices that they ask for; and the playoffs.

use annals_events::tournament::{Bye, Equals, Ground, Measure, Pair, Ranked, RoundPaired, Stage};
use annals_events::{Pairing, PlayerId, Side};

use super::course::{Contest, Course, Gaps, course};
use crate::colours::{PlayoffColour, Rule2009, Rule2015};
use crate::explain::RoundExplanation;
use crate::formats::elimination::{EliminationError, Playoff, RoundPairing};
use crate::formats::{Proof, Proposal};
use crate::history::Player;
use crate::pairing::Optima;
use crate::refusal::Refusal;
use crate::rulebook::{ArbitraryColour, RuleId, Rulebook};
use crate::state::Tournament;

/// The next round of it.
pub(crate) fn next_round(
    tournament: &Tournament,
    rulebook: &Rulebook,
    stage: Stage,
) -> Result<Proposal, Refusal> {
    let course = course(tournament, rulebook, u32::MAX, Gaps::Refused)?;
    let round = tournament.rounds.keys().next_back().copied().unwrap_or(0).saturating_add(1);
    let best = match &course.contest {
        Contest::Nobody => Err(EliminationError::Over),
        Contest::Quadruple(final_) => final_.next_round(),
        Contest::Double(final_) => match final_.conclusion().next {
            Some(playoff) => return playoff_round(&course, rulebook, round, stage, playoff),
            None => final_.next_round(),
        },
    };
    let best = best.map_err(|error| Refusal::lacking(course.roster.named(&error.to_string())))?;
    paired_round(course, rulebook, round, stage, best)
}

fn paired_round(
    course: Course,
    rulebook: &Rulebook,
    round: u32,
    stage: Stage,
    best: RoundPairing,
) -> Result<Proposal, Refusal> {
    let (mut pairs, mut coins) = (Vec::new(), Vec::new());
    for (board, (upper, lower)) in (1..).zip(best.pairs()) {
        let (one, other) = (player_of(&course, upper)?, player_of(&course, lower)?);
        let decided = colours(&course, rulebook, upper, lower);
        let upper_side = match &decided {
            Some(Decided { gold: Some(gold), .. }) => {
                Some(if *gold == upper { Side::Gold } else { Side::Silver })
            }
            _ => None,
        };
        if let (None, Some(rule)) = (upper_side, rulebook.rule(RuleId::Colour)) {
            coins.push((Pairing { round, board }, rule));
        }
        let colour = decided.map(|decided| decided.ground);
        pairs.push(Pair { board, upper: one, lower: other, upper_side, colour, encounter: None });
    }
    let byes = match best.bye() {
        Some(player) => vec![bye(&course, rulebook, &best, player)?],
        None => Vec::new(),
    };
    let optima = best.optima().map_err(|error| Refusal::lacking(error.to_string()))?;
    let paired = RoundPaired {
        round,
        stage,
        pairs,
        byes,
        order: order(&course, &best),
        measures: measures(&best, &best.pairing),
        equals: Some(equals(&optima)),
        inferred: false,
    };
    let proof = Proof::Elimination { round: Box::new(best), roster: course.roster };
    let reasons = RoundExplanation::of(&paired);
    Ok(Proposal { paired, coins, choices: Vec::new(), reasons, proof })
}

/// The values of a round on every criterion.
pub(crate) fn measures(best: &RoundPairing, pairing: &crate::pairing::Pairing) -> Vec<Measure> {
    let reasons = best.problem.reasons(&pairing.value);
    reasons
        .map(|(criterion, value)| Measure { name: criterion.counts.clone(), values: vec![value] })
        .collect()
}

/// How many rounds are as good, as it is recorded.
pub(crate) fn equals(optima: &Optima) -> Equals {
    match optima {
        Optima::Exactly(rounds) => Equals::Exactly(*rounds),
        Optima::Only => Equals::Exactly(1),
        Optima::Another(_) => Equals::AtLeast(2),
    }
}

fn player_of(course: &Course, player: Player) -> Result<PlayerId, Refusal> {
    let id = course.roster.id(player).cloned();
    id.ok_or_else(|| Refusal::lacking(format!("{player} has no name")))
}

fn order(course: &Course, best: &RoundPairing) -> Vec<Ranked> {
    let ranked = best.ranking.iter().zip(1..).filter_map(|(player, rank)| {
        let player_id = course.roster.id(*player)?.clone();
        Some(Ranked { player: player_id, rank, measures: course.measures(*player, best) })
    });
    ranked.collect()
}

fn bye(course: &Course, rulebook: &Rulebook, best: &RoundPairing, player: Player) -> Result<Bye, Refusal> {
    let byes = course.record(player).byes;
    let had = format!("{byes} byes so far, and nobody who is in has had fewer");
    let losses = format!("losses {}", course.record(player).losses);
    let ranked = course.measures(player, best);
    let others = ranked.iter().filter(|measure| measure.name != "losses").map(told);
    let because: Vec<String> = std::iter::once(losses).chain(others).collect();
    let grounds = [(RuleId::ByeFewest, had), (RuleId::ByeChoice, because.join(", "))];
    Ok(Bye {
        player: player_of(course, player)?,
        half_points: None,
        grounds: grounds
            .into_iter()
            .filter_map(|(rule, finding)| Some(rulebook.rule(rule)?.ground(Some(finding))))
            .collect(),
    })
}

/// A measure in words; a rating in Elo points.
pub(crate) fn told(measure: &Measure) -> String {
    let values: Vec<String> = measure
        .values
        .iter()
        .map(|value| match measure.name.as_str() {
            "rating" => format!("{}.{:03}", value / 1_000_000, value.rem_euclid(1_000_000) / 1_000),
            _ => value.to_string(),
        })
        .collect();
    format!("{} {}", measure.name, values.join(" "))
}

impl Course {
    /// What a player has behind them, as far as it counts.
    pub fn record(&self, player: Player) -> crate::history::Record {
        match &self.contest {
            Contest::Nobody => crate::history::Record::default(),
            Contest::Quadruple(final_) => final_.tally().record(player),
            Contest::Double(final_) => final_.tally().record(player),
        }
    }

    /// What the rank of a player in a round rests on: losses, rating and seed in 2015, the seed in 2009.
    pub fn measures(&self, player: Player, best: &RoundPairing) -> Vec<Measure> {
        let one = |name: &str, value: i64| Measure { name: name.to_owned(), values: vec![value] };
        let seed = one("seed", i64::from(player.0) + 1);
        match best.ratings.as_ref().and_then(|ratings| ratings.elo(player)) {
            Some(elo) => {
                let losses = one("losses", i64::from(self.record(player).losses));
                vec![losses, one("rating", millionths(elo)), seed]
            }
            None => vec![seed],
        }
    }
}

/// A rating in millionths of an Elo point. Ratings of a tournament stay far within the range.
pub(crate) fn millionths(elo: f64) -> i64 {
    (elo * 1e6).round() as i64
}

/// The colours of a pair by the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decided {
    /// Who has Gold; none where a coin decides.
    pub gold: Option<Player>,
    /// The rule and what it found.
    pub ground: Ground,
}

/// The colours of two players of the final after its course; none where there is no contest, or the rulebook has no rule
/// of colours.
pub(crate) fn colours(course: &Course, rulebook: &Rulebook, one: Player, other: Player) -> Option<Decided> {
    let rule = rulebook.rule(RuleId::Colour)?;
    let ground = |paragraph: String, finding: String| Ground {
        rule: rule.id.name().to_owned(),
        paragraph: Some(paragraph),
        finding: Some(course.roster.named(&finding)),
    };
    match &course.contest {
        Contest::Nobody => None,
        Contest::Quadruple(final_) => {
            let found = final_.colours(one, other);
            let arbitrary = found.rule == Rule2015::Arbitrary;
            let coin = arbitrary && rulebook.readings.arbitrary_colour == ArbitraryColour::Coin;
            let finding = match (found.rule, coin) {
                (Rule2015::Arbitrary, true) => {
                    "rule 6: nothing distinguishes them, a coin decides".to_owned()
                }
                (Rule2015::Arbitrary, false) => {
                    "rule 6: nothing distinguishes them, the better seed has Gold".to_owned()
                }
                (Rule2015::BreakBothStreaks, _) => {
                    "rule 3: both streaks are broken, since their last colours differ".to_owned()
                }
                (rule, _) => format!("rule {}: {}", rule.number(), found.because),
            };
            let gold = (!coin).then_some(found.gold);
            Some(Decided { gold, ground: ground(found.rule.paragraph(), finding) })
        }
        Contest::Double(final_) => {
            let found = final_.colours(one, other, None);
            let coin = found.rule == Rule2009::Lot;
            let finding = if coin {
                "step 3: as many Golds together and the same share of Gold, a coin decides".to_owned()
            } else {
                format!("step {}: {}", found.rule.number(), found.because)
            };
            let gold = (!coin).then_some(found.gold);
            Some(Decided { gold, ground: ground(found.rule.paragraph().to_owned(), finding) })
        }
    }
}

fn playoff_round(
    course: &Course,
    rulebook: &Rulebook,
    round: u32,
    stage: Stage,
    playoff: Playoff,
) -> Result<Proposal, Refusal> {
    let (upper, lower) = (player_of(course, playoff.better)?, player_of(course, playoff.worse)?);
    let pairing = Pairing { round, board: 1 };
    let rule = rulebook.rule(RuleId::PlayoffColour);
    let mut choices = Vec::new();
    let (upper_side, finding) = match playoff.colour {
        PlayoffColour::Gold(gold) => {
            let side = if gold == playoff.better { Side::Gold } else { Side::Silver };
            (Some(side), format!("{} has had Gold less often", course.roster.name(gold)))
        }
        PlayoffColour::Chooses(chooser) => {
            let id = player_of(course, chooser)?;
            let finding = format!("it is equal, so {id} chooses, the lower ranked at the start");
            if let Some(rule) = rule {
                choices.push((pairing, id, rule));
            }
            (None, finding)
        }
    };
    let colour = rule.map(|rule| rule.ground(Some(finding)));
    let pair = Pair { board: 1, upper, lower, upper_side, colour, encounter: None };
    let paired = RoundPaired {
        round,
        stage,
        pairs: vec![pair],
        byes: Vec::new(),
        order: Vec::new(),
        measures: Vec::new(),
        equals: Some(Equals::Exactly(1)),
        inferred: false,
    };
    let reasons = RoundExplanation::of(&paired);
    Ok(Proposal { paired, coins: Vec::new(), choices, reasons, proof: Proof::Playoff })
}

/// Who chooses the colours of the playoff that a round is; none where the rules give them.
///
/// # Errors
/// When no playoff was due there.
pub(crate) fn playoff_due(
    tournament: &Tournament,
    rulebook: &Rulebook,
    round: u32,
) -> Result<Option<PlayerId>, Refusal> {
    let course = course(tournament, rulebook, round, Gaps::Refused)?;
    let Contest::Double(final_) = &course.contest else {
        return Err(Refusal::lacking("this final has no playoffs"));
    };
    match final_.conclusion().next.map(|playoff| playoff.colour) {
        Some(PlayoffColour::Chooses(chooser)) => player_of(&course, chooser).map(Some),
        Some(PlayoffColour::Gold(_)) => Ok(None),
        None => Err(Refusal::lacking(format!("no playoff was due in round {round}"))),
    }
}
