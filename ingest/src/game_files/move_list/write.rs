use annals_events::Side;
use annals_rules::amazons::Size;

use super::super::dates;
use super::super::ending;
use super::super::error::WriteError;
use super::super::record::{Record, Step, one_line};
use super::key::Key;

/// Sides have to alternate: the list cannot express anything else.
pub(crate) fn write(record: &Record<'_>) -> Result<String, WriteError> {
    let started = record.started;
    let mut out = String::new();
    let mut say = |key: Key, value: &str| {
        let value = one_line(value);
        if !value.is_empty() {
            out += &format!("{}: {value}\n", key.word());
        }
    };
    say(Key::White, &started.gold.name);
    say(Key::Black, &started.silver.name);
    for (key, player) in [(Key::WhiteRating, &started.gold), (Key::BlackRating, &started.silver)] {
        say(key, &player.rating.map_or_else(String::new, |rating| rating.to_string()));
    }
    say(Key::Event, started.event.as_deref().unwrap_or_default());
    say(Key::Site, started.site.as_deref().unwrap_or_default());
    say(Key::Date, &record.at.and_then(dates::date_or_time).unwrap_or_default());
    say(Key::Rated, if started.rated { "yes" } else { "" });
    let size: Size = record.position.board().size();
    say(Key::Board, &size.to_string());
    if started.position.is_some() {
        say(Key::Position, &record.position.to_string());
    }
    say(Key::Time, started.time_control.as_deref().unwrap_or_default());
    if let Some(ended) = record.ended {
        say(Key::Result, &ending::to_list(ended, record.territory));
    }
    out.push('\n');
    let first = match (&started.position, record.first()) {
        (Some(_), Some(first)) => first.number,
        _ => 1,
    };
    let mut body = Body { out, open: None };
    let mut standing: Vec<(u32, Side)> = Vec::new();
    for step in &record.steps {
        match step {
            Step::Turn(turn) => {
                let (number, side) = (turn.number, turn.side);
                let expected = match standing.last() {
                    None => (first, record.position.to_move()),
                    Some((number, Side::Gold)) => (*number, Side::Silver),
                    Some((number, Side::Silver)) => (number.saturating_add(1), Side::Gold),
                };
                if (number, side) != expected {
                    return Err(WriteError::OutOfOrder { number, side, expected });
                }
                standing.push(expected);
            }
            Step::Retract(_) => drop(standing.pop()),
            Step::Note(_) => {}
        }
        body.step(step);
    }
    body.end_line();
    Ok(body.out)
}

struct Body {
    out: String,
    /// A White move on a line that can take Black's.
    open: Option<u32>,
}

impl Body {
    fn step(&mut self, step: &Step<'_>) {
        match step {
            Step::Turn(turn) => {
                if turn.side == Side::Silver && self.open == Some(turn.number) {
                    self.out.push(' ');
                } else {
                    self.end_line();
                    let points = if turn.side == Side::Gold { "." } else { "..." };
                    self.out += &format!("{}{points} ", turn.number);
                }
                self.out += &turn.played.to_string();
                if let Some(used) = turn.used {
                    self.out += &format!(" {used}s");
                }
                self.open = (turn.side == Side::Gold).then_some(turn.number);
                if turn.side == Side::Silver {
                    self.out.push('\n');
                }
            }
            Step::Retract(reason) => {
                self.end_line();
                match reason.map(one_line).filter(|reason| !reason.is_empty()) {
                    Some(reason) => self.out += &format!("retracted: {reason}\n"),
                    None => self.out += "retracted\n",
                }
            }
            Step::Note(note) => {
                self.end_line();
                self.out += &format!("# {note}\n");
            }
        }
    }

    fn end_line(&mut self) {
        if self.open.take().is_some() {
            self.out.push('\n');
        }
    }
}
