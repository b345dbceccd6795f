//! Common to all imported tournaments: announcement, identities of players, and events with stated times or a note that
//! there is none.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Announced, Stage, StagePlan};
use annals_events::{MAX_NAME, Micros, PlayerId, PlayerKind, TimeNote, TournamentEvent};
use annals_tournaments::rulebook::Rulebook;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedEvent {
    /// When it happened, or had happened.
    pub at: Micros,
    /// Why the file does not state that time.
    pub note: Option<TimeNote>,
    pub event: TournamentEvent,
}

/// How a tournament from a file is to be recorded.
#[derive(Debug, Clone)]
pub struct Recording {
    /// For display.
    pub name: String,
    pub rulebook: Rulebook,
    /// Of its rounds.
    pub stage: Stage,
    /// When it began, if known; a file may state it.
    pub begins: Option<Micros>,
    /// For names in the file.
    pub identities: BTreeMap<String, PlayerId>,
}

impl Recording {
    /// With the rulebook's first stage that is played in rounds.
    #[must_use]
    pub fn new(name: &str, rulebook: Rulebook) -> Recording {
        let rulebook = rulebook.of_games_only();
        let stage = first_stage(&rulebook);
        Recording { name: name.to_owned(), rulebook, stage, begins: None, identities: BTreeMap::new() }
    }

    /// The announcement with all readings of the rulebook. Facts not in the file are omitted.
    #[must_use]
    pub fn announcement(&self, note: String) -> Announced {
        let rulebook = &self.rulebook;
        let stages = rulebook.stages.iter().map(|rules| StagePlan {
            stage: rules.stage,
            time_control: rules.time_control.map(str::to_owned),
            rounds: None,
            places: rules.places,
        });
        Announced {
            series: rulebook.series.map(str::to_owned),
            edition: rulebook.edition,
            options: rulebook.options(),
            stages: stages.collect(),
            note: Some(note),
            ..Announced::plain(&self.name, rulebook.name, rulebook.game)
        }
    }

    /// The stage from which players advance to this one.
    #[must_use]
    pub fn stage_before(&self) -> Option<Stage> {
        let stages = &self.rulebook.stages;
        let place = stages.iter().position(|rules| rules.stage == self.stage)?;
        let before = stages.get(place.checked_sub(1)?)?;
        before.places.is_some().then_some(before.stage)
    }

    /// By the file, else by the name (`bot_…`), else by the rulebook.
    #[must_use]
    pub fn kind(&self, name: &str, said: Option<PlayerKind>) -> PlayerKind {
        match (said, self.rulebook.players) {
            (Some(kind), _) => kind,
            (None, _) if name.to_ascii_lowercase().starts_with("bot_") => PlayerKind::Bot,
            (None, [only]) => *only,
            (None, _) => PlayerKind::Human,
        }
    }
}

/// The first stage played in rounds.
#[must_use]
pub fn first_stage(rulebook: &Rulebook) -> Stage {
    let stages = rulebook.stages.iter().map(|rules| rules.stage);
    stages.into_iter().find(|stage| *stage != Stage::Qualifier).unwrap_or(Stage::Final)
}

/// Gives every name an identity: the requested one, or the lower-case name with `_` for invalid characters. A repeated
/// one gets a number.
#[derive(Debug)]
pub(crate) struct Identities<'a> {
    asked: &'a BTreeMap<String, PlayerId>,
    taken: BTreeSet<PlayerId>,
}

impl<'a> Identities<'a> {
    pub fn new(asked: &'a BTreeMap<String, PlayerId>) -> Identities<'a> {
        Identities { asked, taken: asked.values().cloned().collect() }
    }

    pub fn of(&mut self, name: &str) -> PlayerId {
        if let Some(asked) = self.asked.get(name) {
            return asked.clone();
        }
        let mut plain: String = name
            .chars()
            .map(|sign| sign.to_ascii_lowercase())
            .map(|sign| {
                let fits = sign.is_ascii_lowercase() || sign.is_ascii_digit() || "._-".contains(sign);
                if fits { sign } else { '_' }
            })
            .take(MAX_NAME - 12)
            .collect();
        if plain.is_empty() {
            plain.push('_');
        }
        let numbered = (2u32..).map(|number| format!("{plain}-{number}"));
        let free = std::iter::once(plain.clone())
            .chain(numbered)
            .filter_map(|text| text.parse::<PlayerId>().ok())
            .find(|id| !self.taken.contains(id));
        // The name is valid, and there are more numbers than players.
        let id = free.unwrap_or_else(|| unreachable!("no identity is left for `{name}`"));
        self.taken.insert(id.clone());
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_gets_an_identity_of_its_own() {
        let asked = BTreeMap::from([("Omar".to_owned(), "omar-2015".parse().unwrap())]);
        let mut identities = Identities::new(&asked);
        let names = ["Fritzlein", "fritzlein", "grey_0x2A", "Þór B", "", "Omar", "omar-2015"];
        let ids = names.map(|name| identities.of(name).to_string());
        assert_eq!(ids, ["fritzlein", "fritzlein-2", "grey_0x2a", "__r_b", "_", "omar-2015", "omar-2015-2"]);
        let long = "x".repeat(500);
        assert_ne!(identities.of(&long), identities.of(&long));
    }

    #[test]
    fn a_rulebook_says_which_stage_is_played_first() {
        let first = |name: &str| first_stage(&Rulebook::named(name).unwrap());
        assert_eq!(first("wcc-2015"), Stage::Final);
        assert_eq!(first("wc-2009"), Stage::Swiss);
        let mut recording = Recording::new("x", Rulebook::named("wc-2009").unwrap());
        assert_eq!(recording.stage_before(), None);
        recording.stage = Stage::Final;
        assert_eq!(recording.stage_before(), Some(Stage::Swiss));
        let mut encounters = Recording::new("x", Rulebook::named("olympiad-amazons-2000").unwrap());
        encounters.stage = Stage::Swiss;
        assert_eq!(encounters.stage_before(), None, "one or the other is played");
    }
}
