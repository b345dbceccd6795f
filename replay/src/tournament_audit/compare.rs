//! The changes of an audit under another reading.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::{PlayerId, StreamName};
use annals_store::Log;
use annals_tournaments::verdict::Compliance;
use serde::Serialize;

use super::error::TournamentAuditError;
use super::pass::audit_tournament;
use super::result::{AuditCounts, TournamentAudit};
use crate::cut::Cut;
use crate::error::ReplayError;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedHolds {
    pub seq: u64,
    pub subject: String,
    pub rule: String,
    pub paragraph: String,
    pub says: String,
    /// As announced, without those that stay; empty if the rule was not checked.
    pub before: Vec<Compliance>,
    pub after: Vec<Compliance>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedRank {
    pub player: PlayerId,
    pub before: Option<u32>,
    pub after: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedPlace {
    pub place: u32,
    /// As announced.
    pub before: Vec<PlayerId>,
    /// Under the other reading.
    pub after: Vec<PlayerId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadingsCompared {
    pub stream: StreamName,
    /// Number, announced, other.
    pub readings: Vec<(String, String, String)>,
    /// The last event of the audited prefix.
    pub up_to: u64,
    /// As announced.
    pub counts_before: AuditCounts,
    /// Under the other reading.
    pub counts_after: AuditCounts,
    /// Violations by later corrections, as announced.
    pub by_corrections_before: u64,
    /// The same under the other reading.
    pub by_corrections_after: u64,
    /// No violations under the other reading.
    pub clean_after: bool,
    pub verdicts: Vec<ChangedHolds>,
    pub standings: Vec<ChangedRank>,
    pub places: Vec<ChangedPlace>,
    /// Why there are no standings or places under the other reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

impl ReadingsCompared {
    pub fn changes(&self) -> bool {
        let listed = !(self.verdicts.is_empty() && self.standings.is_empty() && self.places.is_empty());
        listed || self.by_corrections_before != self.by_corrections_after
    }
}

/// Audits a tournament as announced and under other readings, and returns the changes.
pub fn compare_readings(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    readings: &[(String, String)],
) -> Result<ReadingsCompared, TournamentAuditError> {
    // On one prefix, so that events appended meanwhile have no effect.
    let cut = Cut { seq: Some(cut.last_seq(log).map_err(ReplayError::from)?), ..*cut };
    let before = audit_tournament(log, stream, &cut, &[])?;
    let after = audit_tournament(log, stream, &cut, readings)?;
    Ok(ReadingsCompared {
        stream: stream.clone(),
        readings: other_readings(&before, &after),
        up_to: before.up_to,
        counts_before: before.counts,
        counts_after: after.counts,
        by_corrections_before: before.violations_by_corrections(),
        by_corrections_after: after.violations_by_corrections(),
        clean_after: after.is_clean(),
        verdicts: changed_verdicts(&before, &after),
        standings: changed_ranks(&before, &after),
        places: changed_places(&before, &after),
        undecided: after.undecided.filter(|why| before.undecided.as_ref() != Some(why)),
    })
}

fn other_readings(before: &TournamentAudit, after: &TournamentAudit) -> Vec<(String, String, String)> {
    let word = |reading: Option<String>| reading.unwrap_or_else(|| "none".to_owned());
    let all = both(&before.readings, &after.readings).into_iter();
    all.filter(|(_, was, is)| was != is).map(|(number, was, is)| (number, word(was), word(is))).collect()
}

type Asked = (u64, String, &'static str);

fn verdicts(
    audit: &TournamentAudit,
) -> BTreeMap<Asked, (annals_tournaments::rulebook::Rule, Vec<Compliance>)> {
    let mut all = BTreeMap::new();
    for verdict in audit.events.iter().flat_map(|event| &event.verdicts) {
        let key = (verdict.seq, verdict.subject.to_string(), verdict.rule.id.name());
        all.entry(key).or_insert((verdict.rule, Vec::new())).1.push(verdict.holds.clone());
    }
    all
}

fn changed_verdicts(before: &TournamentAudit, after: &TournamentAudit) -> Vec<ChangedHolds> {
    let mut changed = Vec::new();
    for ((seq, subject, _), was, is) in both(&verdicts(before), &verdicts(after)) {
        let Some(rule) = was.as_ref().or(is.as_ref()).map(|(rule, _)| *rule) else { continue };
        let [before, after] = [was, is].map(|found| found.map(|(_, holds)| holds).unwrap_or_default());
        if before != after {
            let (before, after) = differing(before, after);
            let (rule, paragraph, says) =
                (rule.id.name().to_owned(), rule.paragraph.to_owned(), rule.says.to_owned());
            changed.push(ChangedHolds { seq, subject, rule, paragraph, says, before, after });
        }
    }
    changed
}

/// Of equally many verdicts those that differ, else all.
fn differing(before: Vec<Compliance>, after: Vec<Compliance>) -> (Vec<Compliance>, Vec<Compliance>) {
    if before.len() != after.len() {
        return (before, after);
    }
    before.into_iter().zip(after).filter(|(was, is)| was != is).unzip()
}

/// Both values of each key.
fn both<K: Ord + Clone, V: Clone>(
    was: &BTreeMap<K, V>,
    is: &BTreeMap<K, V>,
) -> Vec<(K, Option<V>, Option<V>)> {
    let keys: BTreeSet<&K> = was.keys().chain(is.keys()).collect();
    keys.into_iter().map(|key| (key.clone(), was.get(key).cloned(), is.get(key).cloned())).collect()
}

fn changed_ranks(before: &TournamentAudit, after: &TournamentAudit) -> Vec<ChangedRank> {
    let ranks = |audit: &TournamentAudit| -> BTreeMap<PlayerId, u32> {
        audit.standings.iter().map(|line| (line.player.clone(), line.rank)).collect()
    };
    let all = both(&ranks(before), &ranks(after)).into_iter();
    let mut changed: Vec<ChangedRank> = all
        .filter(|(_, before, after)| before != after)
        .map(|(player, before, after)| ChangedRank { player, before, after })
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
    let holders = |players: Option<BTreeSet<PlayerId>>| players.into_iter().flatten().collect();
    let all = both(&places(before), &places(after)).into_iter();
    all.filter(|(_, before, after)| before != after)
        .map(|(place, before, after)| ChangedPlace { place, before: holders(before), after: holders(after) })
        .collect()
}
