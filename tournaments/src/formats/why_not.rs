//! Why two players do not meet in a proposed round, or a player has no bye: the answers common to all
//! formats.

use annals_events::PlayerId;

use super::{Proposal, RoundPairing, module};
use crate::explain::{CriterionValue, WhyNot};
use crate::pairing::WhyNotVerdict;
use crate::refusal::Refusal;
use crate::round_check::published::two;
use crate::rulebook::{RuleId, Rulebook};

pub(crate) struct Question<'a> {
    pub rulebook: &'a Rulebook,
    pub proposal: &'a Proposal,
    pub one: &'a PlayerId,
    /// None for a question about a bye.
    pub other: Option<&'a PlayerId>,
}

/// Why two players do not meet; with no `other`, why the player has no bye.
///
/// # Errors
/// If a player is not in the round.
pub fn why_not(
    proposal: &Proposal,
    rulebook: &Rulebook,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    let paired = &proposal.paired;
    let format = rulebook.stage(paired.stage).and_then(|rules| module(&rules.format));
    let format =
        format.ok_or_else(|| Refusal::lacking(format!("the stage {} is not paired", paired.stage)))?;
    if other == Some(one) {
        return Err(Refusal::lacking(format!("{one} is one player, and a pair needs two")));
    }
    let known = |player: &&PlayerId| paired.order.iter().any(|line| line.player == **player);
    let stranger = [Some(one), other].into_iter().flatten().find(|player| !known(player));
    if let Some(stranger) = stranger.filter(|_| !paired.order.is_empty()) {
        return Err(Refusal::lacking(format!("{stranger} is not in the order that the round rests on")));
    }
    let question = Question { rulebook, proposal, one, other };
    let rules = format.rules(paired.stage);
    match other {
        Some(other) if paired.pairs.iter().any(|pair| two(&pair.upper, &pair.lower) == two(one, other)) => {
            Ok(question.yes("they do meet in this round".to_owned()))
        }
        None if paired.byes.iter().any(|bye| bye.player == *one) => Ok(question.yes(question.bye_of(one))),
        // A format without byes has no bye rule of its own.
        None if paired.byes.is_empty() && rules.bye != rules.pairing => {
            let answer = "an even number of players is in, and no player has a bye";
            Ok(question.no(&rulebook.paragraph(rules.bye), answer.to_owned()))
        }
        _ => format.why_not(&question),
    }
}

impl Question<'_> {
    fn asked(&self) -> String {
        match self.other {
            Some(other) => format!("{} against {other}", self.one),
            None => format!("a bye for {}", self.one),
        }
    }

    /// It is in the round, or in an equivalent one.
    fn yes(&self, answer: String) -> WhyNot {
        WhyNot { asked: self.asked(), possible: true, paragraph: None, loses_on: None, answer }
    }

    /// It is excluded by the paragraph, which may be empty.
    pub fn no(&self, paragraph: &str, answer: String) -> WhyNot {
        let paragraph = (!paragraph.is_empty()).then(|| paragraph.to_owned());
        WhyNot { asked: self.asked(), possible: false, paragraph, loses_on: None, answer }
    }

    /// It is excluded by a rule.
    pub fn by(&self, rule: RuleId, answer: String) -> WhyNot {
        self.no(&self.rulebook.paragraph(rule), answer)
    }

    fn bye_of(&self, player: &PlayerId) -> String {
        let byes = self.proposal.paired.byes.iter().zip(&self.proposal.reasons.byes);
        let because = byes.filter(|(bye, _)| bye.player == *player).map(|(_, reason)| &reason.because);
        let because: String = because.cloned().collect();
        format!("{player} has the bye: {because}")
    }

    /// One of the players has the bye, or another player does.
    pub fn taken_by_the_bye(&self, rule: RuleId) -> Option<WhyNot> {
        let of =
            |player: &&PlayerId| self.other.is_none() || [Some(self.one), self.other].contains(&Some(player));
        let player = self.proposal.paired.byes.iter().map(|bye| &bye.player).find(of)?;
        Some(self.by(rule, self.bye_of(player)))
    }

    /// How a candidate is worse than the best round.
    ///
    /// # Errors
    /// If a player is not in the round.
    pub fn of_best(&self, best: &RoundPairing) -> Result<WhyNot, Refusal> {
        let Question { one, other, .. } = *self;
        let found = best.why_not(one, other)?;
        let with = found.alternative.as_ref().map_or_else(String::new, |pairing| best.in_words(pairing));
        let instead = || match (best.pairs().find(|pair| pair.0 == one || pair.1 == one), other) {
            (Some((upper, lower)), Some(_)) => {
                format!("{one} meets {}", if upper == one { lower } else { upper })
            }
            _ => best.bye().map_or_else(String::new, |bye| format!("{bye} has the bye")),
        };
        Ok(match found.verdict {
            WhyNotVerdict::Chosen => self.yes("it is in the round".to_owned()),
            WhyNotVerdict::EquallyGood => self.yes(format!(
                "a round with it is as good on every criterion ({with}); of equals the canonical one is taken, in which {}",
                instead()
            )),
            WhyNotVerdict::Forbidden { paragraph, because } => {
                self.no(&paragraph, format!("it is forbidden: {one} {because}"))
            }
            WhyNotVerdict::LeavesNoRound => {
                self.no("", "it is allowed, but nothing allowed remains for the others".to_owned())
            }
            WhyNotVerdict::Loses { counts, chosen, alternative, .. } => {
                let answer = format!(
                    "the best round with it ({with}) has {alternative} {}, the round paired has {chosen}; in it {}",
                    counts.counts,
                    instead()
                );
                let loses_on = Some((CriterionValue::from((&counts, chosen)), alternative));
                WhyNot { loses_on, ..self.no(&counts.paragraph, answer) }
            }
        })
    }
}
