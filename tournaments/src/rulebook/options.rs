//! What an announcement records of a rulebook: readings and other options.

use std::collections::BTreeMap;

use super::readings::RECORDED_IF_CHOSEN;
use super::{ReadingError, Readings, RuleId, Rulebook};

/// Option: the number of finalists, if not the rulebook's.
pub const FINALISTS: &str = "finalists";
/// Option: piece points.
pub const PIECE_POINTS: &str = "piece_points";
/// Option: what an imported record contains.
const RECORD: &str = "record";
/// Its value for games only: no fees, dates, lots, or numbers of rounds.
const GAMES: &str = "games";
const MOST_FINALISTS: u32 = 100;

impl Rulebook {
    /// Sets an option: a reading, or an option of this module, which no ruling changes.
    ///
    /// # Errors
    /// If the option or value is unknown.
    pub fn choose(&mut self, name: &str, value: &str) -> Result<(), ReadingError> {
        let wrong = |known: String| ReadingError::NoSuchChoice {
            name: name.to_owned(),
            found: value.chars().take(80).collect(),
            known,
        };
        let scored = self.rule(RuleId::GameScore).is_some();
        let limited = self.stages.iter_mut().find(|stage| stage.places.is_some());
        match (name, limited) {
            (FINALISTS, Some(stage)) if self.edition > 1 => {
                let places = value.parse().ok().filter(|places| (2..=MOST_FINALISTS).contains(places));
                let wrong = || wrong(format!("a number from 2 to {MOST_FINALISTS}"));
                stage.places = Some(places.ok_or_else(wrong)?);
                self.finalists = stage.places;
                Ok(())
            }
            (RECORD, _) if self.edition > 1 => {
                self.games_only = value == GAMES;
                if self.games_only || value == "whole" {
                    Ok(())
                } else {
                    Err(wrong(format!("{GAMES}, whole")))
                }
            }
            (PIECE_POINTS, _) if scored => {
                self.piece_points = Some(value.parse()?);
                Ok(())
            }
            _ => self.read(name, value),
        }
    }

    /// For a record of games only.
    #[must_use]
    pub fn of_games_only(self) -> Rulebook {
        Rulebook { games_only: true, ..self }
    }

    /// Readings and other options, as announcements record them.
    pub fn options(&self) -> BTreeMap<String, String> {
        let default = Readings::default();
        let is_chosen = |number: &&str| self.readings.get(number) != default.get(number);
        let ambiguous = self.ambiguous.iter().copied().filter(|number| RECORDED_IF_CHOSEN.contains(number));
        let mut options = self.readings.options(&self.recorded());
        options.extend(self.readings.options(&ambiguous.filter(is_chosen).collect::<Vec<_>>()));
        options.extend(self.chosen());
        options
    }

    /// The options that are no readings, as far as they were chosen.
    pub fn chosen(&self) -> impl Iterator<Item = (String, String)> {
        let chosen = [
            (PIECE_POINTS, self.piece_points.map(|points| points.to_string())),
            (FINALISTS, self.finalists.map(|places| places.to_string())),
            (RECORD, self.games_only.then(|| GAMES.to_owned())),
        ];
        chosen.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_finalists_is_chosen_within_bounds_and_no_ruling_changes_it() {
        let mut rulebook = Rulebook::named("wcc-2015").unwrap();
        let before = rulebook.options();
        for wrong in ["", "0", "1", "101", "-8", "8.0", "4294967304"] {
            assert!(
                matches!(rulebook.choose(FINALISTS, wrong), Err(ReadingError::NoSuchChoice { .. })),
                "{wrong}"
            );
        }
        assert_eq!(rulebook.options(), before);
        rulebook.choose(FINALISTS, "12").unwrap();
        assert_eq!(rulebook.stages[0].places, Some(12));
        assert_eq!(rulebook.options().get(FINALISTS).map(String::as_str), Some("12"));
        assert!(matches!(rulebook.read(FINALISTS, "10"), Err(ReadingError::NoSuchReading { .. })));
        let mut ring = Rulebook::named("postal-2006").unwrap();
        assert!(matches!(ring.choose(FINALISTS, "12"), Err(ReadingError::NoSuchReading { .. })));
        let mut first = Rulebook::edition("wcc-2015", 1).unwrap();
        assert!(matches!(first.choose(FINALISTS, "12"), Err(ReadingError::NoSuchReading { .. })));
    }

    #[test]
    fn a_record_is_whole_or_of_games() {
        let mut rulebook = Rulebook::named("wc-2009").unwrap();
        assert!(matches!(rulebook.choose(RECORD, "half"), Err(ReadingError::NoSuchChoice { .. })));
        rulebook.choose(RECORD, GAMES).unwrap();
        assert_eq!(rulebook, Rulebook::named("wc-2009").unwrap().of_games_only());
        rulebook.choose(RECORD, "whole").unwrap();
        assert_eq!(rulebook, Rulebook::named("wc-2009").unwrap());
    }
}
