//! Flags: observations on a stored game. A row with odd content is stored with these codes. They are part of the
//! dataset and never change their meaning; new ones are added at the end.

use std::fmt;

macro_rules! flags {
    ($($(#[doc = $meaning:literal])+ $name:ident = $word:literal),+ $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Flag {
            $($(#[doc = $meaning])+ $name),+
        }

        impl Flag {
            /// In the order of their bits.
            pub const ALL: &'static [Flag] = &[$(Flag::$name),+];

            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $(Flag::$name => $word),+
                }
            }

            /// What was noticed, in a sentence.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Flag::$name => concat!($($meaning),+).trim_ascii()),+
                }
            }
        }
    };
}

flags! {
    /// The source itself marks the row as corrupt.
    Corrupt = "corrupt",
    /// A turn of the move list is not legal; the turns before it are stored.
    IllegalTurn = "illegal-turn",
    /// The board shows another ending than the row.
    EndingDisagrees = "ending-disagrees",
    /// The server's clock figures do not follow from the time control and the times used.
    ClockDisagrees = "clock-disagrees",
    /// The server log contradicts the row or its move list.
    LogDisagrees = "log-disagrees",
    /// Turns follow the one that decided the game.
    PlayAfterEnd = "play-after-end",
    /// A capture is missing in the notation, or stated without one.
    CapturesUnstated = "captures-unstated",
    /// The letter of the termination is unknown.
    UnknownTermination = "unknown-termination",
    /// The letter of the result is unknown, or the source states that it is.
    UnknownResult = "unknown-result",
    /// The time control cannot be read.
    BadTimeControl = "bad-time-control",
    /// A number cannot be read, or is outside its column's range.
    BadNumber = "bad-number",
    /// A letter or yes/no column has an unknown value.
    BadLetter = "bad-letter",
    /// Some text is not UTF-8 and was read with replacement characters.
    NotUtf8 = "not-utf8",
    /// A time is missing or implausible: before 2002, after 2100, or an end before its start.
    ImplausibleTime = "implausible-time",
    /// `plycount` is not the number of the last turn.
    PlycountDisagrees = "plycount-disagrees",
    /// The move list has no turn.
    NoTurns = "no-turns",
    /// A turn split over two lines by a stray line break was joined.
    SplitTurn = "split-turn",
    /// A line of the move list lacks its number or side, or has one that does not follow.
    BadLabel = "bad-label",
    /// A line of the move list is not a turn, or follows the end of the game.
    StrayLine = "stray-line",
    /// A line of the server log cannot be read.
    BadLogLine = "bad-log-line",
    /// The file ends within the game.
    CutShort = "cut-short",
    /// The file states no result.
    NoResult = "no-result",
    /// The stated result is unknown.
    UnreadableResult = "unreadable-result",
    /// The file states two results.
    ResultDisagrees = "result-disagrees",
    /// The stated territory is not that of the board.
    TerritoryDisagrees = "territory-disagrees",
    /// Variations were omitted.
    Variations = "variations",
    /// Comments were omitted.
    Comments = "comments",
    /// A property or header without a column.
    Property = "property",
    /// A repeated property or header.
    Twice = "twice",
    /// Meaningless characters between properties or outside games.
    StrayText = "stray-text",
    /// The game is not named, but its moves are those of the Amazons.
    GameUnstated = "game-unstated",
    /// The moves start from the organisers' position instead of SGF's.
    UsualStart = "usual-start",
    /// The date in the file cannot be read.
    UnreadableDate = "unreadable-date",
    /// The time limit, or the time left after a move, cannot be read.
    UnreadableTime = "unreadable-time",
    /// An unsupported encoding.
    OtherCharset = "other-charset",
    /// A turn or another end follows the moment at which the game reached its limit, or the score decides before it.
    GameLimit = "game-limit",
}

impl Flag {
    #[must_use]
    pub fn from_word(word: &str) -> Option<Flag> {
        Flag::ALL.iter().copied().find(|flag| flag.word() == word)
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Flags(u64);

impl Flags {
    pub const NONE: Flags = Flags(0);

    pub fn set(&mut self, flag: Flag) {
        self.0 |= 1 << flag as u8;
    }

    #[must_use]
    pub const fn contains(self, flag: Flag) -> bool {
        self.0 & (1 << flag as u8) != 0
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub const fn union(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// In the order of [`Flag::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Flag> {
        Flag::ALL.iter().copied().filter(move |flag| self.contains(*flag))
    }
}

impl std::ops::BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

impl FromIterator<Flag> for Flags {
    fn from_iter<I: IntoIterator<Item = Flag>>(flags: I) -> Flags {
        let mut set = Flags::NONE;
        for flag in flags {
            set.set(flag);
        }
        set
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, flag) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            f.write_str(flag.word())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_was_put_in_in_the_order_of_the_list() {
        let mut set = Flags::NONE;
        for flag in Flag::ALL.iter().rev() {
            assert!(!set.contains(*flag));
            set.set(*flag);
            assert!(set.contains(*flag));
            assert_eq!(Flag::from_word(flag.word()), Some(*flag));
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), Flag::ALL);
        assert!(!set.is_empty());
        assert_eq!(
            [Flag::BadNumber, Flag::Corrupt].into_iter().collect::<Flags>().to_string(),
            "corrupt, bad-number"
        );
    }

    #[test]
    fn no_two_flags_share_a_word_and_all_fit_the_set() {
        let mut words: Vec<_> = Flag::ALL.iter().map(|flag| flag.word()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Flag::ALL.len());
        assert!(Flag::ALL.len() <= 64);
    }
}
