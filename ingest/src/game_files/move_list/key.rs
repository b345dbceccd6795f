//! The keys of header lines.

/// Known keys. The result may also follow the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    White,
    Black,
    WhiteRating,
    BlackRating,
    Event,
    Site,
    Date,
    Rated,
    Board,
    Position,
    Time,
    Result,
}

impl Key {
    pub const ALL: [Key; 12] = [
        Key::White,
        Key::Black,
        Key::WhiteRating,
        Key::BlackRating,
        Key::Event,
        Key::Site,
        Key::Date,
        Key::Rated,
        Key::Board,
        Key::Position,
        Key::Time,
        Key::Result,
    ];

    pub const fn word(self) -> &'static str {
        match self {
            Key::White => "White",
            Key::Black => "Black",
            Key::WhiteRating => "White rating",
            Key::BlackRating => "Black rating",
            Key::Event => "Event",
            Key::Site => "Site",
            Key::Date => "Date",
            Key::Rated => "Rated",
            Key::Board => "Board",
            Key::Position => "Position",
            Key::Time => "Time",
            Key::Result => "Result",
        }
    }
}
