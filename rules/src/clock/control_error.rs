use std::fmt;

/// The fields of a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ControlField {
    /// M.
    MoveTime,
    /// R.
    Reserve,
    /// P.
    Percent,
    /// L.
    ReserveLimit,
    /// G.
    GameLimit,
    /// T.
    TurnLimit,
    /// The time for all moves of a game.
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

    /// Letter and meaning: `M (time per move)`.
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

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlError {
    /// Fewer than two or more than six fields.
    #[error(
        "`{text}` has {fields} fields; a time control has two to six, M/R/P/L/G/T, for example `2/2/100/10/8`, or is one \
         time for all moves of a game: `game 30m`"
    )]
    FieldCount {
        /// The first 80 characters.
        text: String,
        fields: usize,
    },
    /// Move time or reserve is missing.
    #[error("`{text}` leaves out {field}; write 0 where there is none")]
    Missing {
        /// The first 80 characters.
        text: String,
        field: ControlField,
    },
    /// An invalid fixed time.
    #[error(
        "`{found}` in `{text}` is no time in which all moves of a game could be made; write `game 30m`, `game 1h30m`, or \
         minutes alone: `game 30`"
    )]
    NoWholeGame {
        /// The first 80 characters.
        text: String,
        /// The first 80 characters.
        found: String,
    },
    /// An invalid time, percentage or number of turns.
    #[error(
        "`{found}` in `{text}` is no {field}; write minutes (hours for G) as `2` or `1:30`, units as `2m30s`, \
         turns for G as `90t`"
    )]
    Malformed {
        /// The first 80 characters.
        text: String,
        field: ControlField,
        /// The first 80 characters.
        found: String,
    },
    #[error("`{found}` in `{text}` is too large for {field}: at most {limit}")]
    TooLarge {
        /// The first 80 characters.
        text: String,
        field: ControlField,
        /// The first 80 characters.
        found: String,
        /// In the field's unit: seconds, percent or turns.
        limit: u32,
    },
}

impl TimeControlError {
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
