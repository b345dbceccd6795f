//! Why a text is no time control.

use std::fmt;

/// One of the six fields of a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ControlField {
    /// M: time for each turn.
    MoveTime,
    /// R: reserve at the start.
    Reserve,
    /// P: percentage of unused move time that goes to the reserve.
    Percent,
    /// L: what the reserve may grow to.
    ReserveLimit,
    /// G: length of the game.
    GameLimit,
    /// T: longest time for one turn.
    TurnLimit,
    /// The time of a side for all its moves of a game, which stands alone.
    WholeGame,
}

impl ControlField {
    pub(super) const ALL: [ControlField; 6] = [
        ControlField::MoveTime,
        ControlField::Reserve,
        ControlField::Percent,
        ControlField::ReserveLimit,
        ControlField::GameLimit,
        ControlField::TurnLimit,
    ];

    /// The letter and the meaning: `M (time per move)`.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            ControlField::MoveTime => "M (time per move)",
            ControlField::Reserve => "R (reserve)",
            ControlField::Percent => "P (percent of unused time)",
            ControlField::ReserveLimit => "L (limit of the reserve)",
            ControlField::GameLimit => "G (length of the game)",
            ControlField::TurnLimit => "T (longest move)",
            ControlField::WholeGame => "time for all moves of a game",
        }
    }
}

impl fmt::Display for ControlField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.describe())
    }
}

/// Why a text is no time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlError {
    /// Fewer than two or more than six fields.
    #[error(
        "`{text}` has {fields} fields; a time control has two to six, M/R/P/L/G/T, for example `2/2/100/10/8`, or is one \
         time for all moves of a game: `game 30m`"
    )]
    FieldCount {
        /// The whole text (its first 80 characters).
        text: String,
        fields: usize,
    },
    /// Move time or reserve is left out.
    #[error("`{text}` leaves out {field}; write 0 where there is none")]
    Missing {
        /// The whole text (its first 80 characters).
        text: String,
        field: ControlField,
    },
    /// A fixed time for a whole game that is no time, or none at all.
    #[error(
        "`{found}` in `{text}` is no time in which all moves of a game could be made; write `game 30m`, `game 1h30m`, or \
         minutes alone: `game 30`"
    )]
    NoWholeGame {
        /// The whole text (its first 80 characters).
        text: String,
        /// What stands there (its first 80 characters).
        found: String,
    },
    /// A field that is no time (or no percentage, or no number of turns).
    #[error(
        "`{found}` in `{text}` is no {field}; write minutes (hours for G) as `2` or `1:30`, units as `2m30s`, \
         turns for G as `90t`"
    )]
    Malformed {
        /// The whole text (its first 80 characters).
        text: String,
        field: ControlField,
        /// What stands there (its first 80 characters).
        found: String,
    },
    #[error("`{found}` in `{text}` is too large for {field}: at most {limit}")]
    TooLarge {
        /// The whole text (its first 80 characters).
        text: String,
        field: ControlField,
        /// What stands there (its first 80 characters).
        found: String,
        /// The largest value, in the unit of the field: seconds, percent or turns.
        limit: u32,
    },
}

impl TimeControlError {
    /// A short stable word for the kind of error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            TimeControlError::FieldCount { .. } => "field_count",
            TimeControlError::Missing { .. } => "field_missing",
            TimeControlError::NoWholeGame { .. } | TimeControlError::Malformed { .. } => "field_malformed",
            TimeControlError::TooLarge { .. } => "field_too_large",
        }
    }
}
