use std::fmt;

use annals_events::BoardId;
use serde::{Serialize, Serializer};

/// The subject of a verdict. As text and in JSON a phrase: `round 3`, `r3.2`, `the entry of sharp`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Round(u32),
    Pairing(BoardId),
    Colours(BoardId),
    /// A phrase about a pairing.
    About(String, BoardId),
    Words(String),
}

impl Subject {
    /// Its pairing, if any.
    pub const fn pairing(&self) -> Option<BoardId> {
        match self {
            Subject::Pairing(pairing) | Subject::Colours(pairing) | Subject::About(_, pairing) => {
                Some(*pairing)
            }
            Subject::Round(_) | Subject::Words(_) => None,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Round(round) => write!(f, "round {round}"),
            Subject::Pairing(pairing) => write!(f, "{pairing}"),
            Subject::Colours(pairing) => write!(f, "the colours of {pairing}"),
            Subject::About(words, _) | Subject::Words(words) => f.write_str(words),
        }
    }
}

impl Serialize for Subject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<String> for Subject {
    fn from(words: String) -> Subject {
        Subject::Words(words)
    }
}

impl From<&String> for Subject {
    fn from(words: &String) -> Subject {
        Subject::Words(words.clone())
    }
}

impl From<&str> for Subject {
    fn from(words: &str) -> Subject {
        Subject::Words(words.to_owned())
    }
}

impl From<&Subject> for Subject {
    fn from(subject: &Subject) -> Subject {
        subject.clone()
    }
}

impl From<BoardId> for Subject {
    fn from(pairing: BoardId) -> Subject {
        Subject::Pairing(pairing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_a_phrase_and_names_its_pairing() {
        let pairing = BoardId { round: 3, board: 2 };
        for (subject, phrase, of) in [
            (Subject::Round(3), "round 3", None),
            (pairing.into(), "r3.2", Some(pairing)),
            (Subject::Colours(pairing), "the colours of r3.2", Some(pairing)),
            (Subject::About("the result of r3.2".to_owned(), pairing), "the result of r3.2", Some(pairing)),
            ("the entry of sharp".into(), "the entry of sharp", None),
        ] {
            assert_eq!(serde_json::to_value(&subject).unwrap(), phrase);
            assert_eq!((subject.to_string().as_str(), subject.pairing()), (phrase, of));
        }
    }
}
