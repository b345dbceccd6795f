//! The ambiguous texts of a rulebook with their readings in force and the source of each.

use annals_events::PlayerId;
use annals_events::tournament::Stage;

use super::readings::RECORDED_IF_CHOSEN;
use super::{Readings, Rulebook, RulebookError, option_key};
use crate::formats::elimination::RemovedInContinuation;
use crate::state::{Entrant, EntrantStatus, Tournament, pairs_who_left};

/// The rulebook with the readings in force, rulings included. None before the announcement, or for an unknown
/// rulebook: then nothing is checked.
///
/// # Errors
/// If the rulebook is known, but not in that edition or with those readings.
pub fn rulebook_in_force(tournament: &Tournament) -> Result<Option<Rulebook>, RulebookError> {
    let Some(announced) = &tournament.announced else { return Ok(None) };
    let mut rulebook = match Rulebook::of(announced) {
        Ok(rulebook) => rulebook,
        Err(RulebookError::Unknown { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    for (number, reading) in &tournament.readings_ruled {
        // A ruling with an unknown reading changes none; its check reports it.
        let _ = rulebook.read(number, reading);
    }
    Ok(Some(rulebook))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingFrom {
    Announcement,
    Ruling,
    /// The default of the edition.
    Edition,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadingInForce {
    /// For example `T7`.
    pub number: &'static str,
    /// What the text leaves undetermined.
    pub question: &'static str,
    pub letter: &'static str,
    pub name: &'static str,
    pub from: ReadingFrom,
}

impl Rulebook {
    /// Readings of this rulebook, the one in force, in register order.
    pub fn readings_of(&self, tournament: &Tournament) -> Vec<ReadingInForce> {
        let announced = tournament.announced.iter().flat_map(|announced| &announced.options);
        let announced: Vec<(&str, &str)> =
            announced.map(|(option, value)| (option.as_str(), value.as_str())).collect();
        let ruled: Vec<(&str, &str)> = tournament
            .readings_ruled
            .iter()
            .map(|(option, value)| (option.as_str(), value.as_str()))
            .collect();
        let known = Readings::register().into_iter().filter(|entry| self.ambiguous.contains(&entry.number));
        let in_force = |entry: super::RegisterEntry| {
            let name = self.readings.get(entry.number)?;
            let letter = entry.readings.iter().find(|(_, known)| *known == name)?.0;
            let named = |options: &[(&str, &str)]| {
                let of = |option: &str| option_key(option) == option_key(entry.number);
                options.iter().any(|(option, value)| of(option) && [letter, name].contains(value))
            };
            // An announcement of edition 2 states the default by leaving it out.
            let left_out = self.edition > 1 && RECORDED_IF_CHOSEN.contains(&entry.number);
            let from = match (named(&ruled), named(&announced) || left_out) {
                (true, _) => ReadingFrom::Ruling,
                (false, true) => ReadingFrom::Announcement,
                (false, false) => ReadingFrom::Edition,
            };
            Some(ReadingInForce { number: entry.number, question: entry.question, letter, name, from })
        };
        known.filter_map(in_force).collect()
    }
}

impl Tournament {
    /// Why a player is not to be paired in a stage, without a rulebook. In an all-play-all and a playoff,
    /// games of players who left are paired and forfeited. The continuation depends on a reading.
    pub(crate) fn not_to_be_paired(&self, player: &PlayerId, stage: Stage) -> Option<&'static str> {
        match self.entrants.get(player).map(Entrant::status) {
            None => Some("never entered"),
            Some(EntrantStatus::Disqualified) => Some("is disqualified"),
            Some(EntrantStatus::Entered | EntrantStatus::Invited) => None,
            Some(_) if pairs_who_left(stage) || self.returns_for(stage) => None,
            Some(EntrantStatus::Removed) => Some("was removed"),
            Some(EntrantStatus::Lapsed) => Some("was invited, and the invitation lapsed"),
            Some(EntrantStatus::Withdrawn) => Some("has withdrawn"),
        }
    }

    /// Whether a withdrawn player plays in a stage, by the recorded reading of T26.
    fn returns_for(&self, stage: Stage) -> bool {
        let rulebook = || rulebook_in_force(self).ok().flatten();
        stage == Stage::Continuation
            && rulebook().is_some_and(|rules| rules.readings.elimination.removed == RemovedInContinuation::In)
    }
}

#[cfg(test)]
mod tests {
    use annals_events::tournament::Announced;

    use super::*;
    use crate::commands::{AnnounceOrder, announcement};

    fn announced(edition: u32) -> Tournament {
        let rulebook = Rulebook::named("wc-2009").unwrap();
        let mut options = rulebook.options();
        if edition == 1 {
            options
                .retain(|option, _| !super::super::SINCE_EDITION_2.contains(&option.to_uppercase().as_str()));
        }
        let announced = announcement(&rulebook, AnnounceOrder::default());
        let announced = Announced { edition, options, ..announced };
        Tournament { announced: Some(announced), ..Tournament::default() }
    }

    fn from(tournament: &Tournament, number: &str) -> (&'static str, ReadingFrom) {
        let rulebook = rulebook_in_force(tournament).unwrap().unwrap();
        let readings = rulebook.readings_of(tournament);
        assert_eq!(readings.len(), rulebook.ambiguous.len());
        let reading = readings.iter().find(|reading| reading.number == number).unwrap();
        (reading.letter, reading.from)
    }

    #[test]
    fn each_reading_in_force_has_its_origin() {
        let mut first = announced(1);
        assert_eq!(from(&first, "T10"), ("A", ReadingFrom::Announcement));
        assert_eq!(from(&first, "T45"), ("B", ReadingFrom::Edition));
        // Edition 1 recorded another reading of this text than it used.
        assert_eq!(from(&first, "T29"), ("C", ReadingFrom::Edition));
        first.readings_ruled = vec![("T45".to_owned(), "A".to_owned()), ("T10".to_owned(), "Z".to_owned())];
        assert_eq!(from(&first, "T45"), ("A", ReadingFrom::Ruling));
        assert_eq!(from(&first, "T10"), ("A", ReadingFrom::Announcement));
        let second = announced(2);
        for number in Rulebook::named("wc-2009").unwrap().ambiguous {
            assert_eq!(from(&second, number).1, ReadingFrom::Announcement, "{number}");
        }
    }
}
