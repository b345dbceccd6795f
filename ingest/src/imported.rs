//! Common to all imported tournaments: announcement, identities of players, and events with stated times or a note that
//! there is none.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Announced, Stage, StagePlan};
use annals_events::{Entry, Event, MAX_NAME, Micros, PlayerId, PlayerKind, TimeNote, TournamentEvent};
use annals_tournaments::formats::swiss::{WITHOUT_ROUNDS, rounds_for};
use annals_tournaments::rulebook::{Format, Rulebook};

/// Of a tournament from a file, unless another is named.
pub const DEFAULT_RULEBOOK: &str = "wcc-2015";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedEvent {
    /// When it happened, or had happened.
    pub at: Micros,
    /// Why the file does not state that time.
    pub note: Option<TimeNote>,
    pub event: TournamentEvent,
}

impl ImportedEvent {
    /// The event as a log records it, with its time.
    #[must_use]
    pub fn entry(&self) -> (Micros, Entry<'static>) {
        (self.at, Entry { event: Event::from(self.event.clone()), time: self.note })
    }
}

/// Why a tournament cannot be recorded as requested.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    #[error("the rulebook {rulebook} has no stage `{stage}`")]
    NoStage { rulebook: &'static str, stage: Stage, stages: Vec<&'static str> },
    #[error("`{player}` cannot be both `{one}` and `{other}` of one tournament")]
    OneIdentity { player: PlayerId, one: String, other: String },
    #[error("--player names `{name}`, and no player of the file has that name")]
    UnknownName { name: String, known: Vec<String> },
}

/// How a tournament from a file is to be recorded.
#[derive(Debug, Clone)]
pub struct Recording {
    /// For display.
    pub name: String,
    pub rulebook: Rulebook,
    /// Of its rounds, if requested.
    pub stage: Option<Stage>,
    /// When it began, if known; a file may state it.
    pub begins: Option<Micros>,
    /// For names in the file.
    pub identities: BTreeMap<String, PlayerId>,
}

impl Recording {
    #[must_use]
    pub fn new(name: &str, rulebook: Rulebook) -> Recording {
        let rulebook = rulebook.of_games_only();
        Recording { name: name.to_owned(), rulebook, stage: None, begins: None, identities: BTreeMap::new() }
    }

    /// The recording with another stage of its rulebook.
    ///
    /// # Errors
    /// When the rulebook has no such stage.
    pub fn of_stage(self, stage: Stage) -> Result<Recording, RecordingError> {
        if self.rulebook.stage(stage).is_none() {
            let stages = self.rulebook.stages.iter().map(|rules| rules.stage.word()).collect();
            return Err(RecordingError::NoStage { rulebook: self.rulebook.name, stage, stages });
        }
        Ok(Recording { stage: Some(stage), ..self })
    }

    /// The recording with identities of players by their names.
    ///
    /// # Errors
    /// When two names have one identity.
    pub fn with_identities(mut self, players: &[(String, PlayerId)]) -> Result<Recording, RecordingError> {
        for (name, player) in players {
            if let Some((other, _)) =
                self.identities.iter().find(|(other, id)| *id == player && *other != name)
            {
                let (one, other) = (other.clone(), name.clone());
                return Err(RecordingError::OneIdentity { player: player.clone(), one, other });
            }
            self.identities.insert(name.clone(), player.clone());
        }
        Ok(self)
    }

    /// Checks that each name with an identity is one of the file.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check_names<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<(), RecordingError> {
        let names: BTreeSet<&str> = names.into_iter().collect();
        match self.identities.keys().find(|name| !names.contains(name.as_str())) {
            None => Ok(()),
            Some(name) => Err(RecordingError::UnknownName {
                name: name.clone(),
                known: names.into_iter().map(str::to_owned).collect(),
            }),
        }
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

    /// The stage of the rounds: the requested one, else the first that this number of players plays in rounds.
    #[must_use]
    pub fn stage_for(&self, players: usize) -> Stage {
        self.stage.unwrap_or_else(|| first_stage(&self.rulebook, players))
    }

    /// Why the rounds are not those of the rulebook's first stage, if they are not and no stage is requested.
    #[must_use]
    pub fn remark_on_stage(&self, players: usize) -> Option<String> {
        let (first, stage) = (first_stage(&self.rulebook, usize::MAX), self.stage_for(players));
        (self.stage.is_none() && stage != first).then(|| {
            format!(
                "at most {WITHOUT_ROUNDS} players play no {first} stage, so the rounds are recorded as those of the {stage}; \
                 `--stage {first}` records them as a {first} stage"
            )
        })
    }

    /// The stage from which players advance to a stage.
    #[must_use]
    pub fn stage_before(&self, stage: Stage) -> Option<Stage> {
        let stages = &self.rulebook.stages;
        let place = stages.iter().position(|rules| rules.stage == stage)?;
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

/// The first stage that this number of players plays in rounds: up to eight play no Swiss (2009 WC, Preliminary 1).
#[must_use]
pub fn first_stage(rulebook: &Rulebook, players: usize) -> Stage {
    let players = u32::try_from(players).unwrap_or(u32::MAX);
    let has_rounds = |format: &Format| match format {
        Format::Qualifier { .. } => false,
        Format::Swiss => rounds_for(players) != Ok(0),
        _ => true,
    };
    let first = rulebook.stages.iter().find(|rules| has_rounds(&rules.format));
    first.map_or(Stage::Final, |rules| rules.stage)
}

/// Gives every name an identity: the requested one, or the lower-case name with `_` for invalid characters. A repeated
/// one gets a number.
#[derive(Debug)]
pub(crate) struct Identities<'a> {
    asked: &'a BTreeMap<String, PlayerId>,
    taken: BTreeSet<PlayerId>,
    /// The least number that may be free, by the identity without a number.
    next: BTreeMap<String, u32>,
}

impl<'a> Identities<'a> {
    pub fn new(asked: &'a BTreeMap<String, PlayerId>) -> Identities<'a> {
        Identities { asked, taken: asked.values().cloned().collect(), next: BTreeMap::new() }
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
        let named = |number: u32| match number {
            1 => plain.parse::<PlayerId>(),
            _ => format!("{plain}-{number}").parse(),
        };
        let first = self.next.get(&plain).copied().unwrap_or(1);
        let mut numbered = (first..).filter_map(|number| Some((number, named(number).ok()?)));
        // The name is valid, and there are more numbers than players.
        let (number, id) = numbered
            .find(|(_, id)| !self.taken.contains(id))
            .unwrap_or_else(|| unreachable!("no identity is left for `{name}`"));
        self.next.insert(plain, number.saturating_add(1));
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
        // Names of another script have one plain form, and each has its own number soon.
        let begun = std::time::Instant::now();
        let last = (0..100_000).map(|_| identities.of("小明")).last().unwrap();
        assert_eq!(last.to_string(), "__-100000");
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    #[test]
    fn an_identity_is_of_one_name_and_each_name_is_one_of_the_file() {
        let recording = || Recording::new("x", Rulebook::named("wc-2009").unwrap());
        let pair = |name: &str, id: &str| (name.to_owned(), id.parse::<PlayerId>().unwrap());
        let two = recording().with_identities(&[pair("Omar", "o"), pair("omar", "o")]);
        assert!(matches!(two, Err(RecordingError::OneIdentity { .. })));
        let one = recording().with_identities(&[pair("Omar", "o"), pair("Omar", "o")]).unwrap();
        assert_eq!(one.check_names(["Omar", "Anna"]), Ok(()));
        assert!(matches!(one.check_names(["omar"]), Err(RecordingError::UnknownName { .. })));
        assert!(matches!(recording().of_stage(Stage::Ring), Err(RecordingError::NoStage { .. })));
    }

    #[test]
    fn a_rulebook_says_which_stage_is_played_first() {
        let first = |name: &str, players| first_stage(&Rulebook::named(name).unwrap(), players);
        assert_eq!(first("wcc-2015", 8), Stage::Final);
        assert_eq!([8, 9].map(|players| first("wc-2009", players)), [Stage::Final, Stage::Swiss]);
        let recording = Recording::new("x", Rulebook::named("wc-2009").unwrap());
        assert_eq!(recording.stage_before(Stage::Swiss), None);
        assert_eq!(recording.stage_before(Stage::Final), Some(Stage::Swiss));
        assert_eq!([8, 9].map(|players| recording.remark_on_stage(players).is_some()), [true, false]);
        let recording = recording.of_stage(Stage::Swiss).unwrap();
        assert_eq!((recording.stage_for(8), recording.remark_on_stage(8)), (Stage::Swiss, None));
        let encounters = Recording::new("x", Rulebook::named("olympiad-amazons-2000").unwrap());
        assert_eq!(encounters.stage_before(Stage::Swiss), None, "one or the other is played");
    }
}
