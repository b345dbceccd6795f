//! Lines of steps, and their legal turns.

use annals_rules::arimaa::{Action, Direction, NextStep, Position, Square, Steps, Token, Turn};

use super::Past;

/// The end of a turn before its fourth step. No step goes from a1 to a1.
pub(super) const PASS: u16 = 0;

/// From its two squares, which identify a step at any point of a turn.
#[inline]
pub(super) fn id_of(from: Square, to: Square) -> u16 {
    u16::from(from.index()) << 6 | u16::from(to.index())
}

/// A turn under construction, with captures.
#[derive(Clone, Copy)]
struct Draft {
    steps: Steps,
    turn: Turn,
}

impl Draft {
    fn begin(position: &Position) -> Draft {
        Draft { steps: Steps::begin(position), turn: Turn::EMPTY }
    }

    fn with(mut self, next: NextStep) -> Draft {
        self.turn.push(next.token());
        if let Some(capture) = self.steps.take(next) {
            self.turn.push(capture);
        }
        self
    }

    fn find(&self, id: u16) -> Option<NextStep> {
        let mut found = None;
        self.steps.for_each_next(|next| {
            if id_of(next.from, next.to) == id {
                found = Some(next);
            }
            found.is_none()
        });
        found
    }

    /// If it can end here legally.
    fn ended(&self, start: &Position, past: &Past) -> Option<(Turn, Position)> {
        let after = self.steps.finish(start).ok().filter(|after| !past.forbids(after.hash()))?;
        Some((self.turn, after))
    }

    /// The first legal turn with this beginning, shortest way first.
    fn completed(&self, start: &Position, past: &Past) -> Option<(Turn, Position)> {
        self.ended(start, past).or_else(|| {
            let mut found = None;
            self.steps.for_each_next(|next| {
                found = self.with(next).completed(start, past);
                found.is_none()
            });
            found
        })
    }
}

/// A line's first turn, and the position after it. If the line ends within the turn, or the turn is illegal, the legal
/// turn with the most common steps; none without a legal turn.
pub(super) fn first_turn(line: &[u16], start: &Position, past: &Past) -> Option<(Turn, Position)> {
    let mut drafts = vec![Draft::begin(start)];
    for id in line.iter().take_while(|id| **id != PASS) {
        match drafts.last().and_then(|draft| Some(draft.with(draft.find(*id)?))) {
            Some(next) => drafts.push(next),
            None => break,
        }
    }
    drafts.iter().rev().find_map(|draft| draft.completed(start, past))
}

/// The turns of a line; the first is always complete, later ones only if the line is.
pub(super) fn turns(line: &[u16], start: &Position, past: &Past) -> Vec<Turn> {
    let Some((turn, mut position)) = first_turn(line, start, past) else { return Vec::new() };
    let mut turns = vec![turn];
    let stands = |step: &u16| *step != PASS;
    let mut rest = after_turn(line);
    // If the first turn differs from the line, the rest of the line does not apply.
    let own = line.iter().take(4).take_while(|step| stands(step)).count() == turn.steps();
    while own && !rest.is_empty() {
        let mut draft = Draft::begin(&position);
        for id in rest.iter().take(4).take_while(|step| stands(step)) {
            match draft.find(*id) {
                Some(next) => draft = draft.with(next),
                None => return turns,
            }
        }
        match draft.ended(&position, past) {
            Some((turn, after)) => {
                turns.push(turn);
                position = after;
            }
            None => return turns,
        }
        rest = after_turn(rest);
    }
    turns
}

/// The rest after the first turn.
fn after_turn(line: &[u16]) -> &[u16] {
    let ends = line.iter().take(4).position(|step| *step == PASS).map_or(4, |at| at + 1);
    line.get(ends..).unwrap_or_default()
}

/// With its end.
pub(super) fn line_of(turn: &Turn) -> Vec<u16> {
    let step = |token: &Token| match token.action() {
        Action::Step(direction) => to_of(token.square(), direction).map(|to| id_of(token.square(), to)),
        _ => None,
    };
    let mut line: Vec<u16> = turn.tokens().iter().filter_map(step).collect();
    if line.len() < 4 {
        line.push(PASS);
    }
    line
}

fn to_of(from: Square, direction: Direction) -> Option<Square> {
    from.step(direction)
}
