//! Checks every game of the log against the rules in one pass, with the games under way in memory. A game with a
//! correction, or that continues after it was put aside, is folded again from its stream, so that memory is bounded by
//! the games under way.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;

use annals_events::StreamName;
use annals_store::{Log, ReadError};
use serde::Serialize;

use crate::cut::Cut;
use crate::error::ReplayError;
use crate::finding::Finding;
use crate::game::GameReplay;
use crate::projection::{Projection as _, Replayed};
use crate::recorded::Scope;
use crate::timeline::{CORRECTION, EffectiveEvent};

/// Games in memory.
const SIDE_BY_SIDE: usize = 1024;

/// Events between progress calls.
const EVERY: u64 = 1 << 16;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameFinding {
    pub stream: StreamName,
    #[serde(flatten)]
    pub finding: Finding,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GamesAudit {
    /// With an event at the cut.
    pub games: u64,
    pub events: u64,
    pub flagged: u64,
    pub findings: Vec<GameFinding>,
}

#[derive(Default)]
struct Pass {
    live: HashMap<String, GameReplay>,
    /// The game of the last event, outside `live` while its events follow each other.
    present: Option<(String, GameReplay)>,
    spare: Vec<GameReplay>,
    /// Games put aside, with their findings.
    aside: BTreeMap<String, (u64, Vec<Finding>)>,
    again: BTreeSet<String>,
}

impl Pass {
    /// None if it will be folded again.
    fn game(&mut self, stream: &str) -> Option<&mut GameReplay> {
        if self.present.as_ref().is_none_or(|(present, _)| present != stream) {
            if let Some((name, game)) = self.present.take() {
                self.put_back(name, game);
            }
            if self.again.contains(stream) {
                return None;
            }
            if self.aside.remove(stream).is_some() {
                self.again.insert(stream.to_owned());
                return None;
            }
            self.present = Some(match self.live.remove_entry(stream) {
                Some(found) => found,
                None => (stream.to_owned(), self.spare.pop().unwrap_or_default()),
            });
        }
        self.present.as_mut().map(|(_, game)| game)
    }

    fn put_back(&mut self, name: String, game: GameReplay) {
        // An ended game is put aside at once, so that the next reuses its buffers; if it continues, which is rare, it
        // is folded again.
        if game.ended_at().is_some() || game.game().is_annulled() {
            return self.put_aside(name, game);
        }
        if self.live.len() >= SIDE_BY_SIDE {
            for (name, game) in std::mem::take(&mut self.live) {
                self.put_aside(name, game);
            }
        }
        self.live.insert(name, game);
    }

    fn put_aside(&mut self, name: String, mut game: GameReplay) {
        self.aside.insert(name, (game.events(), game.findings().to_vec()));
        if self.spare.len() < SIDE_BY_SIDE {
            game.clear();
            self.spare.push(game);
        }
    }

    fn drop_game(&mut self, stream: &str) {
        if self.present.as_ref().is_some_and(|(present, _)| present == stream) {
            self.present = None;
        }
        self.live.remove(stream);
        self.aside.remove(stream);
        self.again.insert(stream.to_owned());
    }
}

/// Folds every game at a cut and returns the violations of rules. `progress` gets the number of events so far.
pub fn audit_games(log: &Log, cut: &Cut, progress: Option<&dyn Fn(u64)>) -> Result<GamesAudit, ReplayError> {
    let up_to = cut.last_seq(log)?;
    let mut pass = Pass::default();
    log.scan_for_fold(1..=up_to, |event| {
        if let Some(progress) = progress.filter(|_| event.seq.is_multiple_of(EVERY)) {
            progress(event.seq);
        }
        if event.stream.starts_with("game/") {
            if event.event_type == CORRECTION {
                pass.drop_game(event.stream);
            } else if cut.has_happened(event.seq, event.effective_at)
                && let Some(game) = pass.game(event.stream)
            {
                game.apply(&EffectiveEvent::as_recorded(&event));
            }
        }
        Ok::<_, ReadError>(ControlFlow::Continue(()))
    })?;
    let Pass { live, present, mut aside, again, .. } = pass;
    for (name, game) in live.into_iter().chain(present) {
        aside.insert(name, (game.events(), game.findings().to_vec()));
    }
    for name in again {
        let Ok(stream) = name.parse() else { continue };
        let cut = Cut { seq: Some(up_to), ..*cut };
        let game = Replayed::<GameReplay>::rebuild(log, Scope::Stream(stream), &cut)?;
        if game.folded() > 0 {
            aside.insert(name, (game.state().events(), game.state().findings().to_vec()));
        }
    }
    let mut audit = GamesAudit::default();
    for (name, (events, findings)) in aside {
        audit.games += 1;
        audit.events += events;
        audit.flagged += u64::from(!findings.is_empty());
        if let Ok(stream) = name.parse::<StreamName>() {
            let of_game = |finding| GameFinding { stream: stream.clone(), finding };
            audit.findings.extend(findings.into_iter().map(of_game));
        }
    }
    audit.findings.sort_by_key(|found| found.finding.seq);
    Ok(audit)
}
