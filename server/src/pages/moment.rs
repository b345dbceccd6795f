//! The two times of a page: what was true at a time, and what was recorded by a time.

use annals_events::{Micros, StreamName};
use annals_replay::{Asked, Cut, point, resolve};
use annals_store::Log;
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::map::Dot;
use crate::Failure;
use crate::address::Address;
use crate::app::Context;
use crate::request::TIMES;
use crate::site::{Chapter, text};

/// The most times of a slider: more are thinned out.
const MOST_STEPS: usize = 1500;

/// The zone in which times are read and shown.
pub fn zone(context: &Context<'_>) -> Result<TimeZone, Failure> {
    Ok(point::zone(context.request.get("tz").unwrap_or("UTC"))?)
}

/// The cut that the parameters `as_of` and `known_at` name.
pub fn cut(
    context: &Context<'_>,
    log: &Log,
    stream: Option<&StreamName>,
) -> Result<(Cut, TimeZone), Failure> {
    let zone = zone(context)?;
    let request = context.request;
    let asked = Asked { as_of: request.get("as_of"), known_at: request.get("known_at"), seq: None };
    Ok((resolve(log, stream, &asked, &zone)?, zone))
}

/// The point in time as hidden fields, for a form on the same page.
pub fn kept(context: &Context<'_>) -> Markup {
    html! {
        @for name in TIMES {
            @if let Some(value) = context.request.get(name) { input type="hidden" name=(name) value=(value); }
        }
    }
}

/// One of the two times: its name, label and the times at which something changes.
pub struct TimeChoice<'a> {
    pub parameter: &'a str,
    pub label: &'a str,
    /// The time of the cut; none for no bound.
    pub chosen: Option<Micros>,
    /// Ascending, each once.
    pub times: &'a [Micros],
}

/// The place in a game, which it may not have at another time.
const WITHIN_GAME: [&str; 2] = ["turn", "step"];

/// The same page, before its time is chosen.
fn at_other_time(context: &Context<'_>) -> Address {
    context.request.address().with_all(WITHIN_GAME.map(|name| (name, "")))
}

/// A form for both times. Each has a field, links to the event before and after, and with a script a slider.
pub fn form(context: &Context<'_>, choices: &[TimeChoice<'_>]) -> Markup {
    if let Some(chapter) = chapter(context) {
        return written(context, chapter, choices);
    }
    let request = context.request;
    let kept = request.parameters.iter().filter(|(name, _)| {
        !WITHIN_GAME.contains(&name.as_str()) && !choices.iter().any(|choice| choice.parameter == name)
    });
    html! {
        form.times method="get" aria-label="Point in time" {
            @for (name, value) in kept { input type="hidden" name=(name) value=(value); }
            @for choice in choices { (one(context, choice)) }
            button type="submit" { "Show" }
            @if choices.iter().any(|choice| request.get(choice.parameter).is_some()) {
                a.now href=(choices.iter().fold(at_other_time(context), |address, choice| address.with(choice.parameter, ""))) {
                    "now"
                }
            }
        }
    }
}

/// The tournament of a page of a site.
fn chapter<'a>(context: &Context<'a>) -> Option<&'a Chapter> {
    context.site?.chapter(context.request.path.get(1)?)
}

/// The view of a tournament's page.
fn view<'a>(context: &Context<'a>) -> &'a str {
    context.request.path.get(2).map_or("standings", String::as_str)
}

/// The page of a dot on the map: its event; in a site the first state written in which the event is recorded.
pub fn of_dot(context: &Context<'_>, dot: &Dot) -> Address {
    let event = Address::of(&["log", &dot.seq.to_string()]);
    let Some(chapter) = chapter(context) else { return event };
    let mut points = chapter.points(view(context), "known_at").peekable();
    if points.peek().is_none() {
        return event;
    }
    let first = points.find(|point| point.at >= dot.recorded_at).map_or("", |point| point.value.as_str());
    Address::of(&context.request.segments()).with("known_at", first)
}

/// Links to the points in time that a site has, in the place of the form.
fn written(context: &Context<'_>, chapter: &Chapter, choices: &[TimeChoice<'_>]) -> Markup {
    let now = Address::of(&context.request.segments());
    html! {
        section.times aria-label="Point in time" {
            @for TimeChoice { parameter, label, .. } in choices {
                @let chosen = context.request.get(parameter);
                @let points: Vec<_> = chapter.points(view(context), parameter).collect();
                @let place = points.iter().position(|point| Some(point.value.as_str()) == chosen);
                @let earlier = place.unwrap_or(points.len()).checked_sub(1).map(|place| points[place]);
                @let later = place.and_then(|place| points.get(place + 1));
                @if !points.is_empty() {
                    fieldset {
                        legend { (label) }
                        nav.views aria-label=(label) {
                            @if let Some(point) = earlier { a rel="prev" href=(now.clone().with(parameter, &point.value)) { "← earlier" } }
                            @if let Some(point) = later { a rel="next" href=(now.clone().with(parameter, &point.value)) { "later →" } }
                            @for point in &points { @if let Some(round) = point.round {
                                a href=(now.clone().with(parameter, &point.value))
                                    aria-current=[(Some(point.value.as_str()) == chosen).then_some("true")] { "round " (round) }
                            } }
                            a href=(now) aria-current=[(chosen.is_none()).then_some("true")] { "now" }
                        }
                        @if let Some(chosen) = chosen.filter(|_| place.is_some_and(|place| points[place].round.is_none())) { p { (chosen) } }
                    }
                }
            }
        }
    }
}

fn one(context: &Context<'_>, choice: &TimeChoice<'_>) -> Markup {
    let TimeChoice { parameter, label, chosen, times } = choice;
    let request = context.request;
    let to = |at: Micros| at_other_time(context).with(parameter, &text(at));
    // Without a bound everything counts, so that the step before it is the last time but one.
    let place = chosen.map_or(times.len(), |at| times.partition_point(|time| *time <= at));
    let earlier = place.checked_sub(2).and_then(|place| times.get(place));
    let later = chosen.and_then(|_| times.get(place));
    let every = times.len().div_ceil(MOST_STEPS).max(1);
    let steps: Vec<Micros> = times.iter().copied().step_by(every).collect();
    html! {
        fieldset {
            legend { (label) }
            input type="text" name=(parameter) value=(request.get(parameter).unwrap_or_default()) placeholder="now"
                aria-label=(label) maxlength="80" autocomplete="off";
            span.steps {
                @if let Some(earlier) = earlier { a rel="prev" href=(to(*earlier)) { "← earlier" } }
                @else { span.quiet { "← earlier" } }
                " "
                @if let Some(later) = later { a rel="next" href=(to(*later)) { "later →" } }
                @else { span.quiet { "later →" } }
            }
            input.slider type="range" hidden aria-label={ (label) " as a slider" } data-for=(parameter)
                data-times=(differences(&steps)) min="0" max=(steps.len()) step="1"
                value=(chosen.map_or(steps.len(), |_| place.saturating_sub(1) / every));
        }
    }
}

/// Times as the differences from the one before, in base 36: of many times far shorter.
fn differences(times: &[Micros]) -> String {
    let mut before = 0;
    let texts = times.iter().map(|&at| base36(at - std::mem::replace(&mut before, at)));
    texts.collect::<Vec<_>>().join(" ")
}

fn base36(number: Micros) -> String {
    let mut rest = number.unsigned_abs();
    let mut digits = Vec::new();
    while rest > 0 || digits.is_empty() {
        digits.extend(char::from_digit((rest % 36) as u32, 36));
        rest /= 36;
    }
    let sign = if number < 0 { "-" } else { "" };
    sign.chars().chain(digits.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_differences_in_base_36() {
        assert_eq!(differences(&[-36, 0, 35, 36 * 36 + 35]), "-10 10 z 100");
        assert_eq!(differences(&[]), "");
    }
}
