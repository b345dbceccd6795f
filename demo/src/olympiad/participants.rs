//! Who takes part: seven variants of the engine's player of the Amazons, each a setting and named by it.

use annals_engine::amazons::{Kind, Settings};
use annals_engine::player::{Noise, Resign};
use annals_engine::search::Limits;
use annals_events::PlayerId;

use crate::DemoError;

/// A program with its operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The identity, which is the name too: it says the settings.
    pub id: PlayerId,
    /// The settings.
    pub settings: Settings,
    /// How many seconds it takes for a move, at least and at most.
    pub pace: (u32, u32),
    /// Whether it minds the clock: one that does not may lose on time.
    pub minds_the_clock: bool,
}

/// Everybody.
#[derive(Debug, Clone)]
pub struct Participants {
    /// The programs in the order in which they enter, not that of their strength.
    pub programs: Vec<Program>,
}

/// How often a program plays any move at all in its first moves, so that two games of the same settings differ.
const A_LITTLE: Noise = Noise { turns: 2, per_mille: 250 };
/// The same of a program whose weakness it is.
const NOISY: Noise = Noise { turns: 30, per_mille: 120 };
/// When the one program that gives up does so: eight squares behind, three times in a row.
const HOPELESS: Resign = Resign { behind: 800, turns: 3 };

/// What makes a program another one than the next.
struct Variant {
    evaluator: &'static str,
    kind: Kind,
    eighths: u64,
    habit: Habit,
}

/// What a program is known for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Habit {
    None,
    Noisy,
    Resigns,
    Slow,
}

const fn searcher(evaluator: &'static str, eighths: u64, habit: Habit) -> Variant {
    Variant { evaluator, kind: Kind::Searcher, eighths, habit }
}

const VARIANTS: [Variant; 7] = [
    searcher("annals", 8, Habit::None),
    searcher("mobility", 8, Habit::Resigns),
    searcher("queens", 8, Habit::Slow),
    Variant { evaluator: "queens", kind: Kind::Greedy, eighths: 0, habit: Habit::None },
    searcher("annals", 16, Habit::None),
    searcher("territory", 8, Habit::None),
    searcher("annals", 8, Habit::Noisy),
];

impl Participants {
    /// The programs by the positions that the middle of the field searches in a move; the strongest searches twice as many.
    ///
    /// # Errors
    /// When a name would not be one.
    pub fn with_nodes(nodes: u64) -> Result<Participants, DemoError> {
        let programs = VARIANTS.iter().map(|variant| program(variant, nodes));
        Ok(Participants { programs: programs.collect::<Result<_, _>>()? })
    }

    /// A program by its identity.
    pub fn program(&self, id: &PlayerId) -> Option<&Program> {
        self.programs.iter().find(|program| program.id == *id)
    }
}

fn program(variant: &Variant, nodes: u64) -> Result<Program, DemoError> {
    let Variant { evaluator, kind, eighths, habit } = *variant;
    let nodes = (nodes * eighths / 8).max(1);
    let looks = match kind {
        Kind::Searcher => format!("n{nodes}"),
        kind => kind.word().to_owned(),
    };
    let (noise, resign, suffix) = match habit {
        Habit::None => (A_LITTLE, None, ""),
        Habit::Noisy => (NOISY, None, "-noisy"),
        Habit::Resigns => (A_LITTLE, Some(HOPELESS), "-resigns"),
        Habit::Slow => (A_LITTLE, None, "-slow"),
    };
    let id = format!("{evaluator}-{looks}{suffix}").parse()?;
    let settings = Settings {
        kind,
        evaluator: evaluator.to_owned(),
        limits: Limits::nodes(nodes),
        hash_mib: 2,
        noise,
        resign,
        ..Settings::default()
    };
    let slow = habit == Habit::Slow;
    Ok(Program { id, settings, pace: if slow { (15, 70) } else { (5, 40) }, minds_the_clock: !slow })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn everybody_has_a_name_of_their_own_that_says_the_settings() {
        for nodes in [8, 100, 400] {
            let participants = Participants::with_nodes(nodes).unwrap();
            let names: BTreeSet<&str> =
                participants.programs.iter().map(|program| program.id.as_str()).collect();
            assert_eq!((participants.programs.len(), names.len()), (7, 7), "{names:?}");
            assert!(names.contains(format!("annals-n{}", nodes * 2).as_str()), "{names:?}");
        }
    }
}
