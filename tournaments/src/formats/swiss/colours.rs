//! Colours within a pair (2009 WC, Preliminary 5 and 9).

use super::reading::ColourMeasure;
use crate::record::Record;

/// How often a player has had each colour, forfeited games included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ColourCount {
    pub golds: u32,
    pub silvers: u32,
}

impl From<&Record> for ColourCount {
    fn from(record: &Record) -> ColourCount {
        ColourCount { golds: record.golds, silvers: record.silvers }
    }
}

impl ColourCount {
    fn measure(self, reading: ColourMeasure) -> i64 {
        match reading {
            ColourMeasure::Balance => i64::from(self.golds) - i64::from(self.silvers),
            ColourMeasure::GoldGames => i64::from(self.golds),
        }
    }
}

/// Who of a pair has Gold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwissColour {
    /// The upper player of the pair, who has had it less often.
    Upper,
    Lower,
    /// Both have had it as often: a lot decides, and is recorded.
    ByLot,
}

/// The colours of a pair.
pub fn colour(upper: ColourCount, lower: ColourCount, reading: ColourMeasure) -> SwissColour {
    match upper.measure(reading).cmp(&lower.measure(reading)) {
        std::cmp::Ordering::Less => SwissColour::Upper,
        std::cmp::Ordering::Greater => SwissColour::Lower,
        std::cmp::Ordering::Equal => SwissColour::ByLot,
    }
}
