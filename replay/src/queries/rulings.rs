//! Rulings: director, time, effect, reason, paragraph, evidence, and the standings and record before and after; with
//! disputes and appeals.

mod changes;

use std::fmt;

use annals_events::narrative::Narrator;
use annals_events::tournament::{Effect, Evidence, Ground, TournamentEvent};
use annals_events::{BoardId, Micros, PlayerId, StatedPeriod};
use annals_report::{Cell, Document, Part, Table, ToDocument, points};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::error::QueryError;
use super::heading::Heading;
use super::standings::{self, StandingRow};
use super::tournament_at::TournamentAt;
use crate::event_history::When;
pub use changes::RulingChange;
use changes::changes;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rulings {
    #[serde(flatten)]
    pub heading: Heading,
    /// In order of recording.
    pub rulings: Vec<RulingAnswer>,
    pub disputes: Vec<DisputeAnswer>,
    pub appeals: Vec<AppealAnswer>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulingAnswer {
    pub number: u32,
    pub seq: u64,
    pub actor: Option<String>,
    pub at: Micros,
    /// The month, season or year, if no more is stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated: Option<StatedPeriod>,
    /// No time is stated; `at` only keeps the order.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub time_is_unknown: bool,
    pub recorded_at: Option<Micros>,
    /// As in the event.
    pub effect: Effect,
    pub words: String,
    pub reason: String,
    pub grounds: Vec<Ground>,
    pub evidence: Vec<Evidence>,
    /// That it decides.
    pub dispute: Option<u32>,
    /// The replaced ruling.
    pub supersedes: Option<u32>,
    /// The replacing ruling.
    pub superseded_by: Option<u32>,
    /// With what it undid.
    pub changes: Vec<RulingChange>,
    /// The standings changed.
    pub changed: bool,
    pub before: Vec<StandingRow>,
    pub after: Vec<StandingRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DisputeAnswer {
    pub number: u32,
    pub by: PlayerId,
    pub against: Option<PlayerId>,
    pub pairing: Option<BoardId>,
    /// The stated events.
    pub claim: String,
    /// The allegedly broken rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
    pub evidence: Vec<Evidence>,
    /// The deciding ruling.
    pub ruling: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppealAnswer {
    pub number: u32,
    pub by: PlayerId,
    /// That it contests.
    pub ruling: Option<u32>,
    pub pairing: Option<BoardId>,
    /// The request and its reason.
    pub claim: String,
    /// None while undecided.
    pub accepted: Option<bool>,
    pub reason: Option<String>,
}

pub fn ask(opened: &TournamentAt<'_>) -> Result<Rulings, QueryError> {
    let tournament = opened.tournament();
    let event_history = opened.event_history()?;
    let mut rulings = Vec::new();
    for said in &event_history.events {
        let TournamentEvent::RulingGiven(ruling) = &*said.event else { continue };
        // Before the first event there are no standings.
        let (then, now) = (opened.before(said.seq).ok(), opened.up_to(said.seq)?);
        let changes = then.as_ref().map(|then| changes(then, &now, ruling));
        let before = then.map(|then| standings::ask(&then).rows).unwrap_or_default();
        let after = standings::ask(&now).rows;
        let in_force = tournament.rulings.iter().find(|known| known.seq == said.seq);
        rulings.push(RulingAnswer {
            number: ruling.number,
            seq: said.seq,
            actor: opened.actor(said.seq)?,
            at: said.at,
            stated: said.stated(),
            time_is_unknown: said.when() == When::Unknown,
            recorded_at: Some(said.recorded_at),
            effect: ruling.effect.clone(),
            words: said.narrative(&Narrator::default().of_game(opened.game())).what,
            reason: ruling.reason.clone(),
            grounds: ruling.grounds.clone(),
            evidence: ruling.evidence.clone(),
            dispute: ruling.dispute,
            supersedes: ruling.supersedes,
            superseded_by: in_force.and_then(|known| known.superseded_by),
            changes: changes.unwrap_or_default(),
            changed: before != after,
            before,
            after,
        });
    }
    let decides = |number: u32| {
        let decided = rulings.iter().rev().find(|ruling| ruling.dispute == Some(number));
        decided.map(|ruling| ruling.number)
    };
    let disputes = tournament
        .disputes
        .iter()
        .map(|dispute| DisputeAnswer {
            number: dispute.number,
            by: dispute.by.clone(),
            against: dispute.against.clone(),
            pairing: dispute.pairing,
            claim: dispute.claim.clone(),
            grounds: dispute.grounds.clone(),
            evidence: dispute.evidence.clone(),
            ruling: decides(dispute.number),
        })
        .collect();
    let appeals = tournament
        .appeals
        .iter()
        .map(|(filed, decided)| (&filed.fact, decided))
        .map(|(appeal, decided)| AppealAnswer {
            number: appeal.number,
            by: appeal.by.clone(),
            ruling: appeal.ruling,
            pairing: appeal.pairing,
            claim: appeal.claim.clone(),
            accepted: decided.as_ref().map(|decided| decided.accepted),
            reason: decided.as_ref().map(|decided| decided.reason.clone()),
        })
        .collect();
    Ok(Rulings { heading: opened.heading("rulings"), rulings, disputes, appeals })
}

pub fn evidence_words(evidence: &Evidence) -> String {
    let mut words = evidence.text.clone();
    let mut add = |label: &str, value: Option<String>| {
        if let Some(value) = value {
            words += &format!(", {label}{value}");
        }
    };
    add("from ", evidence.source.clone());
    add("", evidence.digest.clone());
    add("game ", evidence.game.as_ref().map(ToString::to_string));
    add("ply ", evidence.ply.map(|ply| ply.to_string()));
    add("event ", evidence.seq.map(|seq| seq.to_string()));
    words
}

pub(super) fn ground_words(ground: &Ground) -> String {
    let paragraph = ground.paragraph.as_ref().map_or(String::new(), |paragraph| format!(" ({paragraph})"));
    let finding = ground.finding.as_ref().map_or(String::new(), |finding| format!(": {finding}"));
    format!("{}{paragraph}{finding}", ground.rule)
}

/// What a dispute or appeal contests, and its pairing.
fn against_and_about(against: Option<impl fmt::Display>, pairing: Option<BoardId>) -> String {
    let against = against.map_or(String::new(), |against| format!(" against {against}"));
    against + &pairing.map_or(String::new(), |pairing| format!(" about {pairing}"))
}

impl RulingAnswer {
    fn given(&self) -> Cell {
        match self.stated {
            Some(period) => Cell::text(period),
            None if self.time_is_unknown => Cell::text("not stated"),
            None => Cell::Time(self.at),
        }
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![
            ("Given", self.given()),
            ("By", Cell::some(self.actor.as_ref())),
            ("Why", Cell::text(&self.reason)),
            ("Rules", Cell::join(self.grounds.iter().map(ground_words), "; ")),
            ("Evidence", Cell::join(self.evidence.iter().map(evidence_words), "; ")),
            ("Changes", Cell::join(&self.changes, "; ")),
            ("Superseded", Cell::some(self.superseded_by.map(|n| format!("by ruling {n}")))),
            ("Event", Cell::count(self.seq)),
        ]
    }

    /// Rank, points and score before and after, and what else changed, of the players of whom any of it differs.
    fn change(&self) -> Table {
        let title = format!("Standings before and after ruling {}", self.number);
        let old = |now: &StandingRow| self.before.iter().find(|row| row.player == now.player);
        let was = |now: &StandingRow, value: &Value| old(now).map_or(Cell::Empty, value);
        let differs = |now: &StandingRow, value: &Value| was(now, value) != value(now);
        let always: [(&str, Box<Value>); 3] = [
            ("Rank", Box::new(|row| Cell::count(row.rank))),
            ("Points", Box::new(|row| Cell::Points(row.half_points))),
            ("Score", Box::new(|row| Cell::Text(row.score()))),
        ];
        let mut values: Vec<(String, Box<Value>)> =
            always.into_iter().map(|(head, value)| (head.to_owned(), value)).collect();
        let mut changed: Vec<(String, Box<Value>)> = vec![
            ("Status".to_owned(), Box::new(|row| Cell::text(row.status))),
            ("Place".to_owned(), Box::new(|row| Cell::number(row.place))),
        ];
        for name in standings::measures_to_read(self.before.iter().chain(&self.after)) {
            let value = move |row: &StandingRow| standings::cell_named(&row.measures, name);
            changed.push((standings::head_of(name), Box::new(value)));
        }
        changed.retain(|(_, value)| self.after.iter().any(|now| differs(now, value)));
        values.extend(changed);
        let rows = self.after.iter().filter(|now| values.iter().any(|(_, value)| differs(now, value)));
        let mut table = Table::of(title, rows).column("Player", |now| Cell::named(&now.name, &now.player));
        for (head, value) in &values {
            table = table.column(&format!("{head} before"), |now| was(now, value));
            table = table.column(&format!("{head} after"), |now| value(now));
        }
        table.table()
    }
}

/// A value of standings.
type Value<'v> = dyn Fn(&StandingRow) -> Cell + 'v;

impl Rulings {
    fn dispute_lines(&self) -> Vec<String> {
        let of = |dispute: &DisputeAnswer| {
            let DisputeAnswer { number, by, against, pairing, claim, .. } = dispute;
            let state = dispute.ruling.map_or("open".to_owned(), |n| format!("decided by ruling {n}"));
            let rules: Vec<&str> = dispute.grounds.iter().map(|ground| ground.rule.as_str()).collect();
            let rules = if rules.is_empty() { String::new() } else { format!(" [{}]", rules.join(", ")) };
            let about = against_and_about(against.as_ref(), *pairing);
            format!("{number} by {by}{about}: {claim}{rules} ({state})")
        };
        self.disputes.iter().map(of).collect()
    }

    fn appeal_lines(&self) -> Vec<String> {
        let of = |appeal: &AppealAnswer| {
            let AppealAnswer { number, by, pairing, claim, reason, .. } = appeal;
            let against = appeal.ruling.map(|ruling| format!("ruling {ruling}"));
            let state =
                appeal.accepted.map_or("open", |accepted| if accepted { "accepted" } else { "rejected" });
            let reason = reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
            format!("{number} by {by}{}: {claim} ({state}{reason})", against_and_about(against, *pairing))
        };
        self.appeals.iter().map(of).collect()
    }

    pub(super) fn onto(&self, mut page: Document) -> Document {
        for ruling in &self.rulings {
            page.parts.push(Part::Subtitle(ruling.words.clone()));
            page = page.facts(ruling.facts());
            let change = ruling.change();
            page = match change.rows.is_empty() {
                false => page.table(change),
                true => page.lines("", vec!["the standings are as before".to_owned()]),
            };
        }
        page.lines("Disputes", self.dispute_lines()).lines("Appeals", self.appeal_lines())
    }
}

impl ToDocument for Rulings {
    fn document(&self, zone: &TimeZone) -> Document {
        self.onto(self.heading.document(zone)).or_line("no ruling was given")
    }

    fn table(&self) -> Table {
        let order = |rows: &[StandingRow]| {
            let line = |row: &StandingRow| format!("{} {} {}", row.rank, row.player, points(row.half_points));
            Cell::join(rows.iter().map(line), "; ")
        };
        Table::of("", &self.rulings)
            .column("number", |ruling| Cell::count(ruling.number))
            .column("seq", |ruling| Cell::count(ruling.seq))
            .column("actor", |ruling| Cell::some(ruling.actor.as_ref()))
            .column("given_at", |ruling| Cell::Time(ruling.at))
            .column("recorded_at", |ruling| Cell::time(ruling.recorded_at))
            .column("ruling", |ruling| Cell::text(&ruling.words))
            .column("reason", |ruling| Cell::text(&ruling.reason))
            .column("rules", |ruling| Cell::join(ruling.grounds.iter().map(ground_words), "; "))
            .column("evidence", |ruling| Cell::join(ruling.evidence.iter().map(evidence_words), "; "))
            .column("dispute", |ruling| Cell::number(ruling.dispute))
            .column("supersedes", |ruling| Cell::number(ruling.supersedes))
            .column("superseded_by", |ruling| Cell::number(ruling.superseded_by))
            .column("before", |ruling| order(&ruling.before))
            .column("after", |ruling| order(&ruling.after))
            .table()
    }
}
