//! Why two players do not meet in a proposed round, or a player has no bye: the answers common to all
//! formats.

use annals_events::PlayerId;

use super::meetings::two;
use super::{Proposal, Question, module};
use crate::explain::WhyNot;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;

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
