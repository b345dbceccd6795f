//! Lines of steps, and the legal turns that they are.

use annals_rules::arimaa::{Action, Direction, NextStep, Pending, Position, Square, Steps, Token, Turn};

use super::Past;

/// The end of a turn before its fourth step, as an entry of a line. No step goes from a1 to a1.
pub(super) const PASS: u16 = 0;

/// A step by its two squares. At any point of a turn they say which step is meant.
#[inline]
pub(super) fn id_of(from: Square, to: Square) -> u16 {
    u16::from(from.index()) << 6 | u16::from(to.index())
}

/// A turn while it is put together: the steps with their captures.
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

    /// The position after the turn if it ends here legally.
    fn ended(&self, start: &Position, past: &Past) -> Option<(Turn, Position)> {
        let after = self.steps.finish(start).ok().filter(|after| !past.forbids(after.hash()))?;
        Some((self.turn, after))
    }

    /// The first legal turn that begins like this, shortest way first at every step.
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

/// The turn that a line begins with, and the position after it. Where the line breaks off within the turn, or the turn may not
/// end as the line has it, it is the legal turn that shares the most steps with it; none where there is no legal turn.
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

/// The turns of a line; the first is always whole, of the others those that the line brings to their end.
pub(super) fn turns(line: &[u16], start: &Position, past: &Past) -> Vec<Turn> {
    let Some((turn, mut position)) = first_turn(line, start, past) else { return Vec::new() };
    let mut turns = vec![turn];
    let stands = |step: &u16| *step != PASS;
    let mut rest = after_turn(line);
    // Where the first turn is not the line's own, what follows in the line has nothing to do with it.
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

/// What comes after the first turn of a line.
fn after_turn(line: &[u16]) -> &[u16] {
    let ends = line.iter().take(4).position(|step| *step == PASS).map_or(4, |at| at + 1);
    line.get(ends..).unwrap_or_default()
}

/// The steps of a turn as a line, with its end.
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

/// Whether a push is open, so that the next step is the pusher's.
#[inline]
pub(super) fn push_is_open(steps: &Steps) -> bool {
    matches!(steps.pending(), Pending::Push { .. })
}
