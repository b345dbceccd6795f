//! The counts by which move generators are compared: distinct turns, step sequences, nodes. As in published figures, a
//! push counts by its first step, and every order of steps is walked.

use std::collections::HashSet;

use annals_rules::arimaa::{Generator, MOST_STEPS, Position, Steps};

/// Without repetition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StepCounts {
    /// A push counts by its first step.
    pub first_steps: u64,
    /// Different boards after one turn, by fewest steps (1 to 4).
    pub distinct_by_min_steps: [u64; 4],
    /// Sequences of one to four steps without an open push, those that restore the board included.
    pub sequences_all: u64,
    /// Without those that restore the board.
    pub sequences_legal: u64,
    /// Sequences, and prefixes that end within a push.
    pub step_nodes: u64,
    /// Steps generated if equal states are merged after each step.
    pub merged_step_nodes: u64,
}

impl StepCounts {
    /// Different boards after one turn.
    pub fn distinct(&self) -> u64 {
        self.distinct_by_min_steps.iter().sum()
    }
}

/// Walks all sequences, up to some 50 per distinct turn.
pub fn step_counts(position: &Position) -> StepCounts {
    let mut counts = StepCounts {
        distinct_by_min_steps: Generator::new().count_by_steps(position).map(|n| n as u64),
        ..StepCounts::default()
    };
    let start = Steps::begin(position);
    walk(&start, position.hash(), &mut counts);
    let mut states = vec![start];
    for made in 0..MOST_STEPS {
        let mut next_states = Vec::new();
        let mut seen = HashSet::new();
        for state in &states {
            state.for_each_next(|next| {
                counts.merged_step_nodes += 1;
                counts.first_steps += u64::from(made == 0);
                let mut after = *state;
                after.take(next);
                if seen.insert((after.hash(), after.pending())) {
                    next_states.push(after);
                }
                true
            });
        }
        states = next_states;
    }
    counts
}

/// Nodes below a position without its root: every step of every sequence up to four is made. Measures the speed of
/// single steps.
#[allow(dead_code, reason = "for the benchmark of the search, which shares this file")]
pub fn step_nodes(position: &Position) -> u64 {
    let mut counts = StepCounts::default();
    walk(&Steps::begin(position), position.hash(), &mut counts);
    counts.step_nodes
}

fn walk(steps: &Steps, start: u64, counts: &mut StepCounts) {
    steps.for_each_next(|next| {
        let mut after = *steps;
        after.take(next);
        counts.step_nodes += 1;
        if !after.is_push_open() {
            counts.sequences_all += 1;
            counts.sequences_legal += u64::from(after.hash() != start);
        }
        if after.made() < MOST_STEPS {
            walk(&after, start, counts);
        }
        true
    });
}
