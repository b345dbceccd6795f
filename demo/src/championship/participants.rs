//! Participants: twelve entrants and six benchmark bots, each a setting of the engine that names it.

use annals_engine::evaluation::Registry;
use annals_engine::player::{Noise, Settings, SetupStyle};
use annals_engine::search::{Limits, SearchOptions};
use annals_events::{PROGRAM, PlayerId};
use sha2::{Digest as _, Sha256};

use crate::DemoError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bot {
    /// Also the name: it states the settings.
    pub id: PlayerId,
    pub settings: Settings,
}

impl Bot {
    /// The settings as a submitted program: algorithm, colon, hexadecimal digits.
    pub fn digest(&self) -> String {
        let hash = Sha256::digest(self.program());
        let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("sha256:{digits}")
    }

    /// As text.
    pub fn program(&self) -> String {
        let Settings { evaluator, limits, noise, .. } = &self.settings;
        let nodes = limits.nodes.unwrap_or(0);
        format!(
            "{PROGRAM} with the evaluator {evaluator}, {nodes} positions a turn, noise {} in 1000 in the first {} turns",
            noise.per_mille, noise.turns
        )
    }
}

#[derive(Debug, Clone)]
pub struct Participants {
    /// By order of entry.
    pub entrants: Vec<Bot>,
    /// To be beaten for qualification.
    pub benchmarks: Vec<Bot>,
}

/// Random first turns, so that games of equal settings differ.
const A_LITTLE: Noise = Noise { turns: 3, per_mille: 200 };
/// Of a bot with this weakness.
const NOISY: Noise = Noise { turns: 20, per_mille: 150 };

/// Eighths of positions per turn, and whether they are noisy; not by strength.
const ENTRANTS: [(u64, bool); 12] = [
    (8, false),
    (32, false),
    (4, true),
    (16, false),
    (6, false),
    (24, true),
    (12, false),
    (3, false),
    (24, false),
    (8, true),
    (16, true),
    (2, false),
];

/// The weakest first.
const BENCHMARKS: [u64; 6] = [1, 2, 4, 6, 10, 14];

impl Participants {
    /// `nodes` is the middle bots' positions per turn; the strongest searches four times as many.
    ///
    /// # Errors
    /// If a name is invalid.
    pub fn with_nodes(nodes: u64) -> Result<Participants, DemoError> {
        let entrants = ENTRANTS.iter().map(|(eighths, noisy)| bot("", nodes * eighths / 8, *noisy));
        let benchmarks = BENCHMARKS.iter().map(|eighths| bot("bench-", nodes * eighths / 8, false));
        Ok(Participants {
            entrants: entrants.collect::<Result<_, _>>()?,
            benchmarks: benchmarks.collect::<Result<_, _>>()?,
        })
    }

    pub fn bot(&self, id: &PlayerId) -> Option<&Bot> {
        self.entrants.iter().chain(&self.benchmarks).find(|bot| bot.id == *id)
    }
}

fn bot(prefix: &str, nodes: u64, noisy: bool) -> Result<Bot, DemoError> {
    let evaluator = Registry::DEFAULT;
    let (noise, suffix) = if noisy { (NOISY, "-noisy") } else { (A_LITTLE, "") };
    let name = format!("{prefix}{evaluator}-n{nodes}{suffix}");
    let id = name.parse()?;
    let settings = Settings {
        evaluator: evaluator.to_owned(),
        limits: Limits::nodes(nodes),
        hash_mib: 4,
        setup: SetupStyle::Varied,
        noise,
        // So the log of the demonstration stays the same.
        search: SearchOptions { likelihood: false, ..SearchOptions::default() },
        ..Settings::default()
    };
    Ok(Bot { id, settings })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn everybody_has_a_name_of_their_own_that_says_the_settings() {
        for nodes in [8, 100, 400] {
            let participants = Participants::with_nodes(nodes).unwrap();
            let all = || participants.entrants.iter().chain(&participants.benchmarks);
            let names: BTreeSet<&str> = all().map(|bot| bot.id.as_str()).collect();
            let digests: BTreeSet<String> = all().map(Bot::digest).collect();
            assert_eq!(
                (participants.entrants.len(), participants.benchmarks.len(), names.len()),
                (12, 6, 18),
                "{names:?}"
            );
            assert!(digests.len() >= 12, "{digests:?}");
            assert!(all().all(|bot| bot.settings.limits.nodes.is_some_and(|nodes| nodes > 0)));
            assert!(
                names.contains(format!("{}-n{}-noisy", Registry::DEFAULT, nodes * 3).as_str()),
                "{names:?}"
            );
        }
    }
}
