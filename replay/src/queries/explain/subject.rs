//! The subjects of explanations, parsed from arguments, and their explanations.

use annals_events::BoardId;
use annals_report::{Document, Table, ToDocument};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{Asked, QualifierExplained, RankExplained, RoundExplained, part, qualifier, rank, round};
use crate::queries::{QueryError, TournamentAt};

/// The subject of an explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Round(u32),
    /// The byes of a round.
    Byes(u32),
    Colours(BoardId),
    /// The order of two players, by their names.
    Rank(String, String),
    /// The scores of the qualifier, or that of one player.
    Qualifier(Option<String>),
}

/// Arguments that name no subject of an explanation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` cannot be explained")]
pub struct NoSuchSubject(pub String);

/// Further questions about players of a round, by their names.
#[derive(Debug, Clone, Default)]
pub struct WhyNot<'a> {
    /// Why these two do not meet.
    pub pair: Option<(&'a str, &'a str)>,
    /// Why this player has no bye.
    pub bye: Option<&'a str>,
}

/// An explanation.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Explanation {
    Round(Box<RoundExplained>),
    Rank(Box<RankExplained>),
    Qualifier(Box<QualifierExplained>),
}

impl Subject {
    /// Reads `3`, `bye 3`, `colour r3.2`, `rank PLAYER PLAYER`, `qualifier` or `qualifier PLAYER`.
    ///
    /// # Errors
    /// When the arguments have none of these forms.
    pub fn of(words: &[&str]) -> Result<Subject, NoSuchSubject> {
        let subject = match words {
            ["bye", round] => round.parse().ok().map(Subject::Byes),
            ["colour" | "color", pairing] => pairing.parse().ok().map(Subject::Colours),
            ["rank", one, other] => Some(Subject::Rank((*one).to_owned(), (*other).to_owned())),
            ["qualifier"] => Some(Subject::Qualifier(None)),
            ["qualifier", player] => Some(Subject::Qualifier(Some((*player).to_owned()))),
            [round] => round.parse().ok().map(Subject::Round),
            _ => None,
        };
        subject.ok_or_else(|| NoSuchSubject(words.join(" ")))
    }

    /// Explains it.
    ///
    /// # Errors
    /// When there is no such round, pairing or player, or the rules cannot be applied.
    pub fn explain(&self, at: &TournamentAt<'_>, why_not: &WhyNot<'_>) -> Result<Explanation, QueryError> {
        let asked = || -> Result<Asked, QueryError> {
            let pair = match why_not.pair {
                Some((one, other)) => Some((at.player(one)?, at.player(other)?)),
                None => None,
            };
            let why_no_bye = why_not.bye.map(|name| at.player(name)).transpose()?;
            Ok(Asked { why_not: pair, why_no_bye })
        };
        let is_of_round = matches!(self, Subject::Round(_) | Subject::Byes(_));
        if !is_of_round && (why_not.pair.is_some() || why_not.bye.is_some()) {
            return Err(QueryError::OnlyOfRound);
        }
        Ok(match self {
            Subject::Round(number) => Explanation::Round(Box::new(round(at, *number, &asked()?)?)),
            Subject::Byes(number) => {
                Explanation::Round(Box::new(part(at, round(at, *number, &asked()?)?, None)))
            }
            Subject::Colours(pairing) => {
                let explained = part(at, round(at, pairing.round, &Asked::default())?, Some(*pairing));
                if explained.expected.round.pairs.is_empty() {
                    return Err(QueryError::NoSuchPairing { stream: at.stream.clone(), pairing: *pairing });
                }
                Explanation::Round(Box::new(explained))
            }
            Subject::Rank(one, other) => {
                Explanation::Rank(Box::new(rank(at, &at.player(one)?, &at.player(other)?)?))
            }
            Subject::Qualifier(player) => {
                let player = player.as_deref().map(|name| at.player(name)).transpose()?;
                Explanation::Qualifier(Box::new(qualifier(at, player.as_ref())?))
            }
        })
    }
}

impl Explanation {
    fn answer(&self) -> &dyn ToDocument {
        match self {
            Explanation::Round(explained) => &**explained,
            Explanation::Rank(explained) => &**explained,
            Explanation::Qualifier(explained) => &**explained,
        }
    }
}

impl ToDocument for Explanation {
    fn document(&self, zone: &TimeZone) -> Document {
        self.answer().document(zone)
    }

    fn table(&self) -> Table {
        self.answer().table()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_read_from_the_words_of_a_command() {
        assert_eq!(Subject::of(&["3"]), Ok(Subject::Round(3)));
        assert_eq!(Subject::of(&["bye", "3"]), Ok(Subject::Byes(3)));
        assert_eq!(Subject::of(&["color", "r3.2"]), Ok(Subject::Colours(BoardId { round: 3, board: 2 })));
        assert_eq!(Subject::of(&["qualifier"]), Ok(Subject::Qualifier(None)));
        for wrong in
            [&["everything"][..], &["bye"], &["bye", "x"], &["colour", "3"], &["rank", "a"], &["3", "4"]]
        {
            assert_eq!(Subject::of(wrong), Err(NoSuchSubject(wrong.join(" "))));
        }
    }
}
