//! Names of players, games, tournaments and pairings, checked on reading, so that every name can be a stream's.

use std::fmt;
use std::str::FromStr;

/// In bytes.
pub const MAX_NAME: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no name of a {what}: {wanted}")]
pub struct NameError {
    /// "player", "pairing".
    pub what: &'static str,
    /// The first 80 characters.
    pub found: String,
    /// The form of such a name.
    pub wanted: &'static str,
}

impl NameError {
    fn new(what: &'static str, found: &str, wanted: &'static str) -> NameError {
        NameError { what, found: found.chars().take(80).collect(), wanted }
    }
}

/// The name part of a stream: ASCII lower case, digits, `.`, `-`, `_`; 1 to 200 bytes.
pub(crate) fn is_name(text: &str) -> bool {
    (1..=MAX_NAME).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
}

/// Serde by `FromStr` and `Display`.
macro_rules! text_serde {
    ($name:ident, $expecting:literal) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                struct Text;
                impl<'de> serde::de::Visitor<'de> for Text {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }

                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }

                    fn visit_newtype_struct<D: serde::Deserializer<'de>>(
                        self,
                        inner: D,
                    ) -> Result<$name, D::Error> {
                        inner.deserialize_str(self)
                    }
                }
                deserializer.deserialize_newtype_struct(stringify!($name), Text)
            }
        }
    };
}
pub(crate) use text_serde;

macro_rules! name_type {
    ($(#[$docs:meta])* $name:ident, $what:literal) => {
        $(#[$docs])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<$name, NameError> {
                if is_name(text) {
                    Ok($name(text.to_owned()))
                } else {
                    let wanted = "write 1 to 200 lower-case letters, digits, `.`, `-` or `_`";
                    Err(NameError::new($what, text, wanted))
                }
            }
        }

        text_serde!($name, "1 to 200 lower-case letters, digits, `.`, `-` or `_`");
    };
}

name_type! {
    /// A human, or a program of one year. Its stream is `people/NAME`.
    PlayerId, "player"
}

name_type! {
    /// Its stream is `game/NAME`.
    GameId, "game"
}

name_type! {
    /// Its stream is `tournament/NAME`.
    TournamentId, "tournament"
}

/// A pairing within its tournament: `r3.2` is board 2 of round 3. Rounds count through all stages; both numbers start
/// at 1. A pairing is one game; an encounter of two games is two pairings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardId {
    /// From 1.
    pub round: u32,
    /// From 1.
    pub board: u32,
}

impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}.{}", self.round, self.board)
    }
}

/// Digits, no leading zero, at least 1.
fn counting_number(text: &str) -> Option<u32> {
    let plain = !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

impl FromStr for BoardId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<BoardId, NameError> {
        let numbers = text.strip_prefix('r').and_then(|rest| rest.split_once('.'));
        numbers
            .and_then(|(round, board)| {
                Some(BoardId { round: counting_number(round)?, board: counting_number(board)? })
            })
            .ok_or_else(|| NameError::new("pairing", text, "write rROUND.BOARD, for example `r3.2`"))
    }
}

text_serde!(BoardId, "a pairing such as `r3.2`");

/// A pairing with its tournament: `wcc-2015.r3.2`. Also the name of its first game.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PairingId {
    pub tournament: TournamentId,
    pub pairing: BoardId,
}

impl fmt::Display for PairingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.tournament, self.pairing)
    }
}

impl FromStr for PairingId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<PairingId, NameError> {
        text.rmatch_indices(".r")
            .find_map(|(at, _)| {
                let tournament = text[..at].parse().ok()?;
                let pairing = text[at + 1..].parse().ok()?;
                Some(PairingId { tournament, pairing })
            })
            .ok_or_else(|| {
                let wanted = "write TOURNAMENT.rROUND.BOARD, for example `wcc-2015.r3.2`";
                NameError::new("pairing", text, wanted)
            })
    }
}

text_serde!(PairingId, "a pairing such as `wcc-2015.r3.2`");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pairing_survives_its_text_and_nothing_else_is_one() {
        for text in ["r1.1", "r12.34", "r4294967295.1"] {
            assert_eq!(text.parse::<BoardId>().unwrap().to_string(), text);
        }
        for bad in ["", "r", "r1", "r1.", "r0.1", "r1.0", "r01.1", "r1.+2", "r1.2.3", "1.2", "r4294967296.1"]
        {
            assert!(bad.parse::<BoardId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_tournament_may_have_dots_in_its_name() {
        for text in ["wcc-2015.r3.2", "a.r1.r2.3", "x.y.r9.9"] {
            assert_eq!(text.parse::<PairingId>().unwrap().to_string(), text);
        }
        for bad in ["r3.2", ".r3.2", "WCC.r3.2", "wcc-2015.r3", "wcc-2015"] {
            assert!(bad.parse::<PairingId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_player_is_named_as_a_stream_can_be() {
        assert!("bot_sharp2014".parse::<PlayerId>().is_ok());
        for bad in ["", "Fritzlein", "a b", "a/b", "é", &"x".repeat(201)] {
            assert!(bad.parse::<PlayerId>().is_err(), "{bad}");
        }
        let error = serde_json::from_str::<PlayerId>("\"A\"").unwrap_err();
        assert!(error.to_string().contains("no name of a player"), "{error}");
    }
}
