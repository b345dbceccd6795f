//! The map of two times: each event as a dot, to the right by when it happened, up by when it was recorded. A late entry
//! or a correction is off the diagonal.

use annals_events::{Micros, RawEnvelope};
use annals_replay::point::show;
use annals_replay::{Cut, HeldStream};
use jiff::tz::TimeZone;
use maud::{Markup, html};

use crate::address::Address;

/// An event on the map.
pub struct Dot {
    pub seq: u64,
    pub event_type: String,
    pub effective_at: Micros,
    pub recorded_at: Micros,
}

/// The events of a stream as dots, and the times at which something changes: ascending, each once.
pub struct DottedStream {
    pub events: HeldStream,
    pub dots: Vec<Dot>,
    pub effective: Vec<Micros>,
    pub recorded: Vec<Micros>,
}

impl Dot {
    /// Whether it is a correction, or happened and was recorded at times that differ.
    fn is_off_diagonal(&self) -> bool {
        self.event_type == "log.correction" || self.recorded_at.abs_diff(self.effective_at) > ON_DIAGONAL
    }
}

impl DottedStream {
    pub fn of(events: HeldStream) -> DottedStream {
        let dot = |event: &RawEnvelope| Dot {
            seq: event.seq,
            event_type: event.event_type.clone(),
            effective_at: event.effective_at,
            recorded_at: event.recorded_at,
        };
        let dots: Vec<Dot> = events.events().iter().map(dot).collect();
        let distinct = |of: fn(&Dot) -> Micros| {
            let mut times: Vec<Micros> = dots.iter().map(of).collect();
            times.sort_unstable();
            times.dedup();
            times
        };
        let (effective, recorded) = (distinct(|dot| dot.effective_at), distinct(|dot| dot.recorded_at));
        DottedStream { events, dots, effective, recorded }
    }

    /// Its bytes.
    pub fn memory(&self) -> usize {
        let dots = self.dots.iter().map(|dot| size_of::<Dot>() + dot.event_type.len());
        let times = (self.effective.capacity() + self.recorded.capacity()) * size_of::<Micros>();
        self.events.memory() + dots.sum::<usize>() + times
    }
}

/// The most dots on the diagonal: of more events one in some is drawn.
const MOST: usize = 400;

/// The most between the two times of an event on the diagonal, in microseconds.
const ON_DIAGONAL: u64 = 60_000_000;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 20.0;
const BOTTOM: f64 = 46.0;

/// A range of times along an edge of the map.
struct Axis {
    first: Micros,
    last: Micros,
    length: f64,
}

impl Axis {
    fn of(times: impl Iterator<Item = Micros> + Clone, length: f64) -> Axis {
        Axis { first: times.clone().min().unwrap_or(0), last: times.max().unwrap_or(0), length }
    }

    /// The place of a time, from 0 to the length.
    fn place(&self, at: Micros) -> f64 {
        let range = (self.last as f64 - self.first as f64).max(1.0);
        let share = (at as f64 - self.first as f64) / range;
        if self.last == self.first { self.length / 2.0 } else { share.clamp(0.0, 1.0) * self.length }
    }
}

/// The map, with links from the dots `to` pages, and with lines at the times of the cut; what counts lies to the left of one and below the other.
pub fn map(dots: &[Dot], cut: &Cut, zone: &TimeZone, to: &dyn Fn(&Dot) -> Address) -> Markup {
    let across = Axis::of(dots.iter().map(|dot| dot.effective_at), WIDTH - LEFT - 20.0);
    let up = Axis::of(dots.iter().map(|dot| dot.recorded_at), HEIGHT - BOTTOM - 20.0);
    let x = |at: Micros| LEFT + across.place(at);
    let y = |at: Micros| HEIGHT - BOTTOM - up.place(at);
    let counts = |dot: &Dot| {
        cut.has_happened(dot.seq, dot.effective_at)
            && cut.known_at.is_none_or(|known| dot.recorded_at <= known)
            && cut.seq.is_none_or(|seq| dot.seq <= seq)
    };
    let on_diagonal = dots.iter().filter(|dot| !dot.is_off_diagonal()).count();
    let every = on_diagonal.div_ceil(MOST).max(1);
    let mut passed = 0;
    let is_drawn = |dot: &&Dot| {
        passed += usize::from(!dot.is_off_diagonal());
        dot.is_off_diagonal() || passed % every == 1 % every
    };
    let drawn: Vec<&Dot> = dots.iter().filter(is_drawn).collect();
    html! {
        figure.map {
            svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="group" xmlns="http://www.w3.org/2000/svg"
                aria-label="Events by when they happened (to the right) and when they were recorded (up)" {
                path.axis d=(format!("M{LEFT} 10V{}H{}", HEIGHT - BOTTOM, WIDTH - 10.0)) {}
                // One stop of the keyboard, from which a script moves to the other dots.
                @for (place, dot) in drawn.iter().enumerate() {
                    a href=(to(dot)) tabindex=(if place == 0 { "0" } else { "-1" }) {
                        title {
                            (dot.seq) " " (dot.event_type) " " (show(dot.effective_at, zone))
                            @if dot.recorded_at != dot.effective_at { ", recorded " (show(dot.recorded_at, zone)) }
                        }
                        circle class=[(!counts(dot)).then_some("out")] r="4"
                            cx=(x(dot.effective_at).round()) cy=(y(dot.recorded_at).round()) {}
                    }
                }
                @if let Some(at) = cut.as_of {
                    path.bound d=(format!("M{:.1} 10V{}", x(at), HEIGHT - BOTTOM)) {}
                }
                @if let Some(at) = cut.known_at {
                    path.bound d=(format!("M{LEFT} {:.1}H{}", y(at), WIDTH - 10.0)) {}
                }
                text.edge.start x=(LEFT) y=(HEIGHT - BOTTOM + 22.0) { (show(across.first, zone)) }
                text.edge.end x=(WIDTH - 10.0) y=(HEIGHT - BOTTOM + 22.0) { (show(across.last, zone)) }
                text.edge.name x=(WIDTH / 2.0) y=(HEIGHT - 8.0) { "happened (effective) →" }
                text.edge.start x=(LEFT + 6.0) y="20" { "↑ recorded" tspan.name { ", " (show(up.first, zone)) " to " (show(up.last, zone)) } }
            }
            figcaption {
                (dots.len()) " events"
                @if every > 1 {
                    ", " (drawn.len()) " of them drawn: every correction, every event that was recorded over "
                        (ON_DIAGONAL / 1_000_000) " s after or before it happened, and one of " (every) " others"
                }
                ". Filled dots count at the chosen point in time. Arrow keys move along the dots, Enter opens one."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(dots: &[Dot]) -> Vec<u64> {
        let page = map(dots, &Cut::NOW, &TimeZone::UTC, &|dot| Address::of(&["log", &dot.seq.to_string()]));
        let page = page.into_string();
        let links =
            page.split("href=\"/log/").skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok());
        assert_eq!(page.matches("tabindex=\"0\"").count(), 1, "one stop of the keyboard");
        links.collect()
    }

    #[test]
    fn late_entries_and_corrections_are_drawn_and_only_others_are_thinned() {
        let event = |seq: u64, event_type: &str, late: i64| Dot {
            seq,
            event_type: event_type.to_owned(),
            effective_at: seq as i64 * 1_000_000,
            recorded_at: (seq as i64 + late) * 1_000_000,
        };
        let mut dots: Vec<Dot> = (0..1_000).map(|seq| event(seq, "tournament.game_over", 2)).collect();
        let late = [1_001, 1_002, 1_003].map(|seq| event(seq, "tournament.game_over", 61));
        let corrections = [1_004, 1_005].map(|seq| event(seq, "log.correction", 0));
        dots.extend(late);
        dots.extend(corrections);
        let found = drawn(&dots);
        assert_eq!(found[found.len() - 5..], [1_001, 1_002, 1_003, 1_004, 1_005]);
        assert_eq!(found.len(), 334 + 5, "one of 3 of the 1,000 others");
        assert_eq!(drawn(&dots[..300]).len(), 300);
    }
}
