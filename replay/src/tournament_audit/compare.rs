//! The same audit under another reading of an ambiguous text: only what changes is told.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::{PlayerId, StreamName};
use annals_store::Log;
use annals_tournaments::verdict::Holds;
use serde::Serialize;

use super::{AuditCounts, TournamentAudit, TournamentAuditError, audit_tournament};
use crate::cut::Cut;

/// A verdict that another reading changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedHolds {
    pub seq: u64,
    pub subject: String,
    pub rule: String,
    pub paragraph: String,
    pub says: String,
    /// As announced; empty where the rule was not asked.
    pub before: Vec<Holds>,
    pub after: Vec<Holds>,
}

/// A rank that another reading changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedRank {
    pub player: PlayerId,
    pub before: Option<u32>,
    pub after: Option<u32>,
}

/// A place that another reading changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedPlace {
    pub place: u32,
    /// Who has it as announced.
    pub before: Vec<PlayerId>,
    /// Who has it under the other reading.
    pub after: Vec<PlayerId>,
}

/// What another reading changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadingsCompared {
    pub stream: StreamName,
    /// The readings that differ: the number, the announced one, the other.
    pub readings: Vec<(String, String, String)>,
    /// The prefix of the log that was looked at ends here.
    pub up_to: u64,
    /// How many of each as announced.
    pub counts_before: AuditCounts,
    /// How many of each under the other reading.
    pub counts_after: AuditCounts,
    /// Whether everything follows under the other reading.
    pub clean_after: bool,
    pub verdicts: Vec<ChangedHolds>,
    pub standings: Vec<ChangedRank>,
    pub places: Vec<ChangedPlace>,
    /// What stands in the way of standings or places under the other reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

impl ReadingsCompared {
    /// Whether the other reading changes anything.
    #[must_use]
    pub fn changes(&self) -> bool {
        !(self.verdicts.is_empty() && self.standings.is_empty() && self.places.is_empty())
    }
}

/// Audits a tournament as it was announced and under other readings, and gives what changes.
///
/// # Errors
/// As [`audit_tournament`].
pub fn compare_readings(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    readings: &[(String, String)],
) -> Result<ReadingsCompared, TournamentAuditError> {
    // Both on one prefix, whatever is appended meanwhile.
    let cut = Cut { seq: Some(cut.last_seq(log)?), ..*cut };
    let before = audit_tournament(log, stream, &cut, &[])?;
    let after = audit_tournament(log, stream, &cut, readings)?;
    Ok(ReadingsCompared {
        stream: stream.clone(),
        readings: other_readings(&before, &after),
        up_to: before.up_to,
        counts_before: before.counts,
        counts_after: after.counts,
        clean_after: after.is_clean(),
        verdicts: changed_verdicts(&before, &after),
        standings: changed_ranks(&before, &after),
        places: changed_places(&before, &after),
        undecided: after.undecided.filter(|why| before.undecided.as_ref() != Some(why)),
    })
}

fn other_readings(before: &TournamentAudit, after: &TournamentAudit) -> Vec<(String, String, String)> {
    let pairs = before.readings.iter().filter_map(|(number, was)| {
        let is = after.readings.get(number)?;
        (was != is).then(|| (number.clone(), was.clone(), is.clone()))
    });
    pairs.collect()
}

type Asked = (u64, String, &'static str);

fn verdicts(audit: &TournamentAudit) -> BTreeMap<Asked, (annals_tournaments::rulebook::Rule, Vec<Holds>)> {
    let mut all = BTreeMap::new();
    for verdict in audit.events.iter().flat_map(|event| &event.verdicts) {
        let key = (verdict.seq, verdict.subject.to_string(), verdict.rule.id.name());
        all.entry(key).or_insert((verdict.rule, Vec::new())).1.push(verdict.holds.clone());
    }
    all
}

fn changed_verdicts(before: &TournamentAudit, after: &TournamentAudit) -> Vec<ChangedHolds> {
    let (mut before, mut after) = (verdicts(before), verdicts(after));
    let keys: BTreeSet<Asked> = before.keys().chain(after.keys()).cloned().collect();
    let mut changed = Vec::new();
    for key in keys {
        let (was, is) = (before.remove(&key), after.remove(&key));
        let Some(rule) = was.as_ref().or(is.as_ref()).map(|(rule, _)| *rule) else { continue };
        let holds = |found: Option<(_, Vec<Holds>)>| found.map(|(_, holds)| holds).unwrap_or_default();
        let (was, is) = (holds(was), holds(is));
        if was != is {
            changed.push(ChangedHolds {
                seq: key.0,
                subject: key.1,
                rule: rule.id.name().to_owned(),
                paragraph: rule.paragraph.to_owned(),
                says: rule.says.to_owned(),
                before: was,
                after: is,
            });
        }
    }
    changed
}

fn changed_ranks(before: &TournamentAudit, after: &TournamentAudit) -> Vec<ChangedRank> {
    let ranks = |audit: &TournamentAudit| -> BTreeMap<PlayerId, u32> {
        audit.standings.iter().map(|line| (line.player.clone(), line.rank)).collect()
    };
    let (was, is) = (ranks(before), ranks(after));
    let players: BTreeSet<&PlayerId> = was.keys().chain(is.keys()).collect();
    let mut changed: Vec<ChangedRank> = players
        .into_iter()
        .map(|player| ChangedRank {
            player: player.clone(),
            before: was.get(player).copied(),
            after: is.get(player).copied(),
        })
        .filter(|changed| changed.before != changed.after)
        .collect();
    changed.sort_by_key(|changed| (changed.after.unwrap_or(u32::MAX), changed.player.clone()));
    changed
}

fn changed_places(before: &TournamentAudit, after: &TournamentAudit) -> Vec<ChangedPlace> {
    let places = |audit: &TournamentAudit| -> BTreeMap<u32, BTreeSet<PlayerId>> {
        let mut places: BTreeMap<u32, BTreeSet<PlayerId>> = BTreeMap::new();
        for placing in &audit.places {
            places.entry(placing.place).or_default().insert(placing.player.clone());
        }
        places
    };
    let (was, is) = (places(before), places(after));
    let numbers: BTreeSet<u32> = was.keys().chain(is.keys()).copied().collect();
    let holders = |places: &BTreeMap<u32, BTreeSet<PlayerId>>, place: u32| {
        places.get(&place).map(|players| players.iter().cloned().collect()).unwrap_or_default()
    };
    numbers
        .into_iter()
        .map(|place| ChangedPlace { place, before: holders(&was, place), after: holders(&is, place) })
        .filter(|changed| changed.before != changed.after)
        .collect()
}
