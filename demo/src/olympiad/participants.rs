//! Participants: seven variants of the engine's Amazons player, each named by its settings.

use annals_engine::amazons::{Kind, Settings};
use annals_engine::player::{Noise, Resign};
use annals_engine::search::Limits;
use annals_events::PlayerId;

use crate::DemoError;

/// With its operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Also the name: it states the settings.
    pub id: PlayerId,
    pub settings: Settings,
    /// Seconds per move, at least and at most.
    pub pace: (u32, u32),
    /// Others may lose on time.
    pub minds_the_clock: bool,
}

#[derive(Debug, Clone)]
pub struct Participants {
    /// By order of entry.
    pub programs: Vec<Program>,
}

/// Random first moves, so that games of equal settings differ.
const A_LITTLE: Noise = Noise { turns: 2, per_mille: 250 };
/// Of a program with this weakness.
const NOISY: Noise = Noise { turns: 30, per_mille: 120 };
/// Of the one program that resigns: eight squares behind, three times in a row.
const HOPELESS: Resign = Resign { behind: 800, turns: 3 };

/// What distinguishes a program.
struct Variant {
    evaluator: &'static str,
    kind: Kind,
    eighths: u64,
    habit: Habit,
}

/// A program's habit.
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
    /// `nodes` is the middle programs' positions per move; the strongest searches twice as many.
    ///
    /// # Errors
    /// If a name is invalid.
    pub fn with_nodes(nodes: u64) -> Result<Participants, DemoError> {
        let programs = VARIANTS.iter().map(|variant| program(variant, nodes));
        Ok(Participants { programs: programs.collect::<Result<_, _>>()? })
    }

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
