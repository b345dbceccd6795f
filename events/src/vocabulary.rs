//! Closed vocabularies: sides, games, kinds of player, terminations. The archive's letters are translated only here.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no {what}; known: {known}")]
pub struct UnknownWord {
    /// "side", "termination".
    pub what: &'static str,
    pub found: String,
    /// Separated by commas.
    pub known: &'static str,
}

/// An enum with words, parsing and serde from one table.
#[macro_export]
macro_rules! closed_words {
    (
        $(#[$docs:meta])*
        pub enum $name:ident, $what:literal {
            $($(#[$word_docs:meta])* $variant:ident = $word:literal,)*
        }
    ) => {
        $(#[$docs])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$word_docs])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// In events, tables and JSON.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(text: &str) -> Result<$name, $crate::UnknownWord> {
                $name::ALL.iter().copied().find(|known| known.word() == text).ok_or_else(|| {
                    $crate::UnknownWord {
                        what: $what,
                        found: text.chars().take(80).collect(),
                        known: concat!($($word, ", "),*).trim_end_matches(", "),
                    }
                })
            }
        }
    };
}
pub(crate) use closed_words;

/// Gold moves first; in the Amazons Gold is White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The archive's `w`.
    Gold,
    /// The archive's `b`.
    Silver,
}

impl Side {
    /// In order of play.
    pub const BOTH: [Side; 2] = [Side::Gold, Side::Silver];

    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Gold => Side::Silver,
            Side::Silver => Side::Gold,
        }
    }

    /// 0 for Gold, 1 for Silver.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `w` or `b`.
    #[must_use]
    pub const fn archive_letter(self) -> char {
        match self {
            Side::Gold => 'w',
            Side::Silver => 'b',
        }
    }

    /// Of present notation: `g` or `s`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Side::Gold => 'g',
            Side::Silver => 's',
        }
    }

    /// `w` and `g` are Gold; `b` and `s` are Silver.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Side> {
        match letter {
            b'w' | b'g' => Some(Side::Gold),
            b'b' | b's' => Some(Side::Silver),
            _ => None,
        }
    }

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Side::Gold => "gold",
            Side::Silver => "silver",
        }
    }

    /// A side or an outcome as a record states it; in the Amazons a side has the name of [`Side::name_in`].
    #[must_use]
    pub fn stated_in(game: GameKind, stated: &str) -> &str {
        match (game, stated.parse::<Side>()) {
            (GameKind::Amazons, Ok(side)) => side.name_in(game),
            _ => stated,
        }
    }

    /// Gold and Silver, in the Amazons White and Black. Events, tables and JSON have [`Side::word`].
    #[must_use]
    pub const fn name_in(self, game: GameKind) -> &'static str {
        match (game, self) {
            (GameKind::Arimaa, Side::Gold) => "Gold",
            (GameKind::Arimaa, Side::Silver) => "Silver",
            (GameKind::Amazons, Side::Gold) => "White",
            (GameKind::Amazons, Side::Silver) => "Black",
        }
    }

    /// The small initial of [`Side::name_in`].
    #[must_use]
    pub const fn letter_in(self, game: GameKind) -> char {
        match game {
            GameKind::Arimaa => self.letter(),
            GameKind::Amazons => self.archive_letter(),
        }
    }

    /// By its name in a game, ignoring case.
    #[must_use]
    pub fn named_in(name: &str, game: GameKind) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| side.name_in(game).eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Side {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Side, UnknownWord> {
        match text {
            "gold" | "g" | "w" => Ok(Side::Gold),
            "silver" | "s" | "b" => Ok(Side::Silver),
            _ => Err(UnknownWord { what: "side", found: text.to_owned(), known: "gold, silver, g, s, w, b" }),
        }
    }
}

closed_words! {
    pub enum GameKind, "game that is kept here" {
        Arimaa = "arimaa",
        Amazons = "amazons",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerKind {
    /// The archive's `h`.
    Human,
    /// The archive's `b`.
    Bot,
}

impl PlayerKind {
    #[must_use]
    pub const fn from_archive_letter(letter: u8) -> Option<PlayerKind> {
        match letter {
            b'h' => Some(PlayerKind::Human),
            b'b' => Some(PlayerKind::Bot),
            _ => None,
        }
    }

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            PlayerKind::Human => "human",
            PlayerKind::Bot => "bot",
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// `g`.
    Goal,
    /// No legal turn (`m`).
    Immobilization,
    /// All rabbits lost (`e`).
    Elimination,
    /// `t`.
    Time,
    /// `r`.
    Resignation,
    /// By a program (`i`, from 2009-02-20).
    IllegalMove,
    /// `f`.
    Forfeit,
    /// `a`.
    Abandoned,
    /// By score at the game length (`s`).
    Score,
    /// Third occurrence (`p`, before 2008-07-01).
    Repetition,
    /// On either side (`n`, before 2008-07-01).
    NoRabbits,
}

impl Termination {
    /// In the order of the archive's documentation.
    pub const ALL: [Termination; 11] = [
        Termination::Goal,
        Termination::Immobilization,
        Termination::Elimination,
        Termination::Time,
        Termination::Resignation,
        Termination::IllegalMove,
        Termination::Forfeit,
        Termination::Abandoned,
        Termination::Score,
        Termination::Repetition,
        Termination::NoRabbits,
    ];

    #[must_use]
    pub const fn archive_letter(self) -> char {
        match self {
            Termination::Goal => 'g',
            Termination::Immobilization => 'm',
            Termination::Elimination => 'e',
            Termination::Time => 't',
            Termination::Resignation => 'r',
            Termination::IllegalMove => 'i',
            Termination::Forfeit => 'f',
            Termination::Abandoned => 'a',
            Termination::Score => 's',
            Termination::Repetition => 'p',
            Termination::NoRabbits => 'n',
        }
    }

    #[must_use]
    pub fn from_archive_letter(letter: u8) -> Option<Termination> {
        Termination::ALL.into_iter().find(|t| t.archive_letter() as u8 == letter)
    }

    /// In events, tables and JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Termination::Goal => "goal",
            Termination::Immobilization => "immobilization",
            Termination::Elimination => "elimination",
            Termination::Time => "time",
            Termination::Resignation => "resignation",
            Termination::IllegalMove => "illegal_move",
            Termination::Forfeit => "forfeit",
            Termination::Abandoned => "abandoned",
            Termination::Score => "score",
            Termination::Repetition => "repetition",
            Termination::NoRabbits => "no_rabbits",
        }
    }

    /// Whether such a game can end so. The Amazons have no rabbits, goal ranks, repetitions and scores (Olympiad 2000,
    /// Game Rules).
    #[must_use]
    pub const fn occurs_in(self, game: GameKind) -> bool {
        match game {
            GameKind::Arimaa => true,
            GameKind::Amazons => !matches!(
                self,
                Termination::Goal
                    | Termination::Elimination
                    | Termination::Score
                    | Termination::Repetition
                    | Termination::NoRabbits
            ),
        }
    }

    /// Visible on the board alone (goal, immobilization, elimination, and the two of the early era).
    #[must_use]
    pub const fn shows_on_board(self) -> bool {
        matches!(
            self,
            Termination::Goal
                | Termination::Immobilization
                | Termination::Elimination
                | Termination::Repetition
                | Termination::NoRabbits
        )
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Termination {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Termination, UnknownWord> {
        Termination::ALL.into_iter().find(|t| t.word() == text).ok_or_else(|| UnknownWord {
            what: "termination",
            found: text.to_owned(),
            known: "goal, immobilization, elimination, time, resignation, illegal_move, forfeit, abandoned, \
                    score, repetition, no_rabbits",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_termination_survives_its_letter_its_word_and_json() {
        for t in Termination::ALL {
            assert_eq!(Termination::from_archive_letter(t.archive_letter() as u8), Some(t));
            assert_eq!(t.word().parse(), Ok(t));
            assert_eq!(serde_json::to_string(&t).unwrap(), format!("\"{}\"", t.word()));
        }
        assert_eq!(Termination::from_archive_letter(b'?'), None);
        assert!("goals".parse::<Termination>().unwrap_err().to_string().contains("known: goal"));
    }

    #[test]
    fn both_letter_conventions_name_the_same_side() {
        for side in Side::BOTH {
            assert_eq!(Side::from_letter(side.letter() as u8), Some(side));
            assert_eq!(Side::from_letter(side.archive_letter() as u8), Some(side));
            assert_eq!(side.other().other(), side);
        }
        assert_eq!(Side::from_letter(b'x'), None);
    }

    #[test]
    fn each_game_has_its_own_names_for_the_sides() {
        let said = |game| Side::BOTH.map(|side| (side.name_in(game), side.letter_in(game)));
        assert_eq!(said(GameKind::Arimaa), [("Gold", 'g'), ("Silver", 's')]);
        assert_eq!(said(GameKind::Amazons), [("White", 'w'), ("Black", 'b')]);
        for game in GameKind::ALL {
            assert_eq!(game.word().parse(), Ok(*game));
        }
        let unknown = "chess".parse::<GameKind>().unwrap_err();
        assert_eq!(unknown.to_string(), "`chess` is no game that is kept here; known: arimaa, amazons");
        assert_eq!(Side::named_in("black", GameKind::Amazons), Some(Side::Silver));
        assert_eq!(Side::named_in("black", GameKind::Arimaa), None);
    }
}
