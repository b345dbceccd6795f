//! A question about a pair or bye of a proposed round, and its common answers.

use annals_events::PlayerId;

use super::proposal::Proposal;
use super::round_pairing::RoundPairing;
use crate::explain::{CriterionValue, WhyNot};
use crate::pairing::WhyNotVerdict;
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, Rulebook};

pub(crate) struct Question<'a> {
    pub rulebook: &'a Rulebook,
    pub proposal: &'a Proposal,
    pub one: &'a PlayerId,
    /// None for a question about a bye.
    pub other: Option<&'a PlayerId>,
}

impl Question<'_> {
    fn asked(&self) -> String {
        match self.other {
            Some(other) => format!("{} against {other}", self.one),
            None => format!("a bye for {}", self.one),
        }
    }

    /// It is in the round, or in an equivalent one.
    pub(super) fn yes(&self, answer: String) -> WhyNot {
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

    pub(super) fn bye_of(&self, player: &PlayerId) -> String {
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
