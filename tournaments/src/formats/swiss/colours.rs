use super::reading::ColourMeasure;
use crate::record::Record;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwissColour {
    /// The upper player, with fewer Golds.
    Upper,
    Lower,
    /// Equal: a lot decides, and is recorded.
    ByLot,
}

pub fn colour(upper: ColourCount, lower: ColourCount, reading: ColourMeasure) -> SwissColour {
    match upper.measure(reading).cmp(&lower.measure(reading)) {
        std::cmp::Ordering::Less => SwissColour::Upper,
        std::cmp::Ordering::Greater => SwissColour::Lower,
        std::cmp::Ordering::Equal => SwissColour::ByLot,
    }
}
