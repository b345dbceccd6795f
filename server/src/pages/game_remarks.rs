//! Remarks on a game where they happened: rejected turns, turns taken back, and findings.

use annals_replay::remarks::{Remark, RemarkKind};
use maud::{Markup, html};

use crate::app::Context;

/// The remarks at a place, in words. The last place of a game has those after it, too.
pub fn at_place(context: &Context<'_>, remarks: &[Remark], place: usize, last: usize) -> Markup {
    let mut here = of_place(remarks, place, last).peekable();
    if here.peek().is_none() {
        return html! {};
    }
    html! {
        ul.remarks aria-label="Remarks on this turn" {
            @for remark in here {
                li { (words(remark)) " "
                    @if let Some(seq) = remark.seq {
                        a href=(context.request.at_same_time(&["log", &seq.to_string()])) { "event " (seq) }
                    }
                }
            }
        }
    }
}

/// What the list of turns has next to a turn.
pub fn mark(remarks: &[Remark], place: usize, last: usize) -> Markup {
    let names: Vec<&str> =
        [RemarkKind::Rejected, RemarkKind::TakenBack, RemarkKind::Illegal, RemarkKind::Finding]
            .into_iter()
            .filter(|kind| of_place(remarks, place, last).any(|remark| remark.kind == *kind))
            .map(|kind| match kind {
                RemarkKind::Rejected => "a turn was rejected here",
                RemarkKind::TakenBack => "a turn was taken back here",
                RemarkKind::Illegal => "the turn here is illegal",
                RemarkKind::Finding => "the record and the rules disagree here",
            })
            .collect();
    html! { @if !names.is_empty() { span.remark { "⚑ " (names.join("; ")) } } }
}

fn of_place(remarks: &[Remark], place: usize, last: usize) -> impl Iterator<Item = &Remark> {
    remarks.iter().filter(move |remark| remark.place.min(last) == place)
}

fn words(remark: &Remark) -> Markup {
    let text =
        |text: &Option<String>| annals_report::escaped(text.as_deref().unwrap_or_default()).into_owned();
    let turn = html! { b { (text(&remark.turn)) } " " (text(&remark.steps)) };
    html! {
        @match remark.kind {
            RemarkKind::Rejected => {
                (turn) " was rejected"
                @if remark.reason.is_some() { ": " (text(&remark.reason)) } "."
                @if remark.rule.is_some() { " The rules reject it, too: " (text(&remark.rule)) "." }
            }
            RemarkKind::TakenBack => {
                (turn) " was taken back" @if remark.reason.is_some() { ": " (text(&remark.reason)) } "."
            }
            RemarkKind::Illegal => { (turn) " is illegal: " (text(&remark.rule)) ". The stored game ends before it." }
            RemarkKind::Finding => {
                "The record and the rules disagree: " (text(&remark.reason))
                @if let Some(code) = remark.code { " (" code { (code) } ")" } "."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remark(place: usize, kind: RemarkKind) -> Remark {
        let text = |text: &str| Some(text.to_owned());
        let (turn, steps, reason, rule) = (text("2b"), text("<b>"), text("no path"), text("it is blocked"));
        Remark { place, seq: Some(7), kind, turn, steps, reason, rule, code: None }
    }

    #[test]
    fn a_remark_is_next_to_its_turn_and_its_text_is_not_markup() {
        let remarks = [remark(3, RemarkKind::Rejected), remark(9, RemarkKind::TakenBack)];
        assert_eq!(mark(&remarks, 2, 5).into_string(), "");
        assert!(mark(&remarks, 3, 5).into_string().contains("a turn was rejected here"));
        // A turn beyond the last one was forgotten when play resumed before it.
        assert!(mark(&remarks, 5, 5).into_string().contains("a turn was taken back here"));
        let words = words(&remarks[0]).into_string();
        assert!(words.contains("<b>2b</b> &lt;b&gt; was rejected: no path."), "{words}");
        assert!(words.contains("The rules reject it, too: it is blocked."), "{words}");
    }
}
