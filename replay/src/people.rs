//! The people at a cut: identities, their names and accounts, and merged identities. Merging is reversible, so it is a
//! relation that never changes events.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::people::{Alias, PlayerKnown};
use annals_events::{Event, PeopleEvent, PlayerId};
use serde::Serialize;

use crate::finding::{Finding, out_of_bounds};
use crate::projection::Projection;
use crate::timeline::EffectiveEvent;

/// From now on `merged` is `kept`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Merge {
    pub merged: PlayerId,
    pub kept: PlayerId,
    /// The recording event.
    pub seq: u64,
}

#[derive(Debug, Clone, Default)]
pub struct People {
    known: BTreeMap<PlayerId, PlayerKnown>,
    /// The last event that named each.
    named_by: BTreeMap<PlayerId, u64>,
    aliases: Vec<(Alias, PlayerId)>,
    /// In order. They form a forest: a merge that would close a cycle is ignored, so that each can be undone by itself.
    merges: Vec<Merge>,
    /// For each merged identity, its representative.
    stands_for: BTreeMap<PlayerId, PlayerId>,
    findings: Vec<Finding>,
}

impl Projection for People {
    fn apply(&mut self, standing: &EffectiveEvent<'_>) {
        // Events of other families are skipped.
        let seq = standing.seq;
        match standing.decode().map(|entry| entry.event) {
            Ok(event @ Event::People(_)) => {
                self.findings.extend(out_of_bounds(seq, &event));
                let Event::People(event) = event else { return };
                self.apply_event(seq, &event);
            }
            Ok(_) => {}
            Err(error) => self.found(seq, "unreadable", error.to_string()),
        }
    }

    fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

impl People {
    pub fn apply_event(&mut self, seq: u64, event: &PeopleEvent) {
        match event {
            PeopleEvent::PlayerKnown(known) => {
                self.named_by.insert(known.player.clone(), seq);
                self.known.insert(known.player.clone(), known.clone());
            }
            PeopleEvent::AliasDeclared(declared) => {
                self.must_be_known(seq, &declared.player);
                let taken = |(alias, player): &&(Alias, PlayerId)| {
                    *alias == declared.alias && *player != declared.player
                };
                if let Some((_, other)) = self.aliases.iter().find(taken) {
                    let message = format!(
                        "the alias already leads to `{other}`; it now leads to `{}` as well, so neither can be told",
                        declared.player
                    );
                    self.found(seq, "alias_taken", message);
                }
                let entry = (declared.alias.clone(), declared.player.clone());
                if !self.aliases.contains(&entry) {
                    self.aliases.push(entry);
                }
            }
            PeopleEvent::AliasWithdrawn(withdrawn) => {
                let before = self.aliases.len();
                self.aliases
                    .retain(|(alias, player)| *alias != withdrawn.alias || *player != withdrawn.player);
                if self.aliases.len() == before {
                    let message = format!("`{}` has no such alias to withdraw", withdrawn.player);
                    self.found(seq, "no_such_alias", message);
                }
            }
            PeopleEvent::IdentitiesMerged(merged) => {
                self.must_be_known(seq, &merged.kept);
                self.must_be_known(seq, &merged.merged);
                if self.who(&merged.kept) == self.who(&merged.merged) {
                    let message = format!(
                        "`{}` and `{}` are one already, so merging them would close a circle",
                        merged.kept, merged.merged
                    );
                    self.found(seq, "merged_already", message);
                } else {
                    let (kept, merged) = (merged.kept.clone(), merged.merged.clone());
                    self.merges.push(Merge { kept, merged, seq });
                    self.follow_merges();
                }
            }
            PeopleEvent::IdentitiesParted(parted) => {
                let made = |merge: &Merge| merge.kept == parted.kept && merge.merged == parted.parted;
                match self.merges.iter().position(made) {
                    Some(place) => {
                        self.merges.remove(place);
                        self.follow_merges();
                    }
                    None => {
                        let message =
                            format!("no merge of `{}` into `{}` is in force", parted.parted, parted.kept);
                        self.found(seq, "not_merged", message);
                    }
                }
            }
        }
    }

    fn must_be_known(&mut self, seq: u64, player: &PlayerId) {
        if !self.known.contains_key(player) {
            self.found(seq, "no_such_player", format!("`{player}` was never made known"));
        }
    }

    fn found(&mut self, seq: u64, code: &'static str, message: String) {
        self.findings.push(Finding { seq, code, message });
    }

    /// Computes the representatives, merge by merge.
    fn follow_merges(&mut self) {
        let mut stands_for: BTreeMap<PlayerId, PlayerId> = BTreeMap::new();
        for merge in &self.merges {
            let who = |player: &PlayerId| stands_for.get(player).unwrap_or(player).clone();
            let (kept, merged) = (who(&merge.kept), who(&merge.merged));
            for other in stands_for.values_mut().filter(|other| **other == merged) {
                *other = kept.clone();
            }
            stands_for.insert(merged, kept);
        }
        self.stands_for = stands_for;
    }

    /// The representative of a player.
    pub fn who<'a>(&'a self, player: &'a PlayerId) -> &'a PlayerId {
        self.stands_for.get(player).unwrap_or(player)
    }

    /// The representative of a name or account at a place; `None` if unknown or ambiguous.
    pub fn behind(&self, place: Option<&str>, name: Option<&str>, account: Option<u64>) -> Option<&PlayerId> {
        let fits = |alias: &Alias| {
            let place_fits = alias.place.is_none() || alias.place.as_deref() == place;
            let name_fits = alias.name.as_deref().map(|alias| Some(alias) == name);
            let account_fits = alias.account.zip(account).map(|(alias, account)| alias == account);
            place_fits
                && !matches!((name_fits, account_fits), (Some(false), _) | (_, Some(false)) | (None, None))
        };
        let fitting = self.aliases.iter().filter(|(alias, _)| fits(alias));
        let found: BTreeSet<&PlayerId> = fitting.map(|(_, player)| self.who(player)).collect();
        if found.len() == 1 { found.into_iter().next() } else { None }
    }

    /// The representatives of all players with an alias of this name in any case, at any place.
    pub fn named_by_alias(&self, name: &str) -> BTreeSet<&PlayerId> {
        let wanted = name.to_lowercase();
        let is = |alias: &Alias| alias.name.as_ref().is_some_and(|name| name.to_lowercase() == wanted);
        self.aliases.iter().filter(|(alias, _)| is(alias)).map(|(_, player)| self.who(player)).collect()
    }

    /// The names of declared aliases.
    pub fn alias_names(&self) -> impl Iterator<Item = &str> {
        self.aliases.iter().filter_map(|(alias, _)| alias.name.as_deref())
    }

    /// All known identities that are not merged into another.
    pub fn identities(&self) -> impl Iterator<Item = &PlayerKnown> {
        self.known.values().filter(|identity| !self.stands_for.contains_key(&identity.player))
    }

    pub fn identity(&self, player: &PlayerId) -> Option<&PlayerKnown> {
        self.known.get(self.who(player))
    }

    /// The name that an event after `seq` gave a player, if any.
    pub fn named_after(&self, player: &PlayerId, seq: u64) -> Option<&str> {
        self.named_by.get(player).filter(|by| **by > seq)?;
        self.known.get(player).map(|known| known.name.as_str())
    }

    /// A player and all merged into it.
    pub fn accounts_of(&self, player: &PlayerId) -> BTreeSet<PlayerId> {
        let standing = self.who(player).clone();
        let others = self.stands_for.keys().chain(self.known.keys());
        let mut all: BTreeSet<PlayerId> =
            others.filter(|other| *self.who(other) == standing).cloned().collect();
        all.insert(standing);
        all
    }

    /// Of a player and all merged into it.
    pub fn aliases_of<'a>(&'a self, player: &'a PlayerId) -> impl Iterator<Item = &'a Alias> {
        let standing = self.who(player);
        self.aliases.iter().filter(move |(_, other)| self.who(other) == standing).map(|(alias, _)| alias)
    }

    pub fn merges(&self) -> &[Merge] {
        &self.merges
    }

    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_events::PlayerKind;
    use annals_events::people::{AliasDeclared, AliasWithdrawn, IdentitiesMerged, IdentitiesParted};

    fn id(name: &str) -> PlayerId {
        name.parse().unwrap()
    }

    fn known(name: &str) -> PeopleEvent {
        PeopleEvent::PlayerKnown(PlayerKnown {
            player: id(name),
            name: name.to_uppercase(),
            kind: PlayerKind::Human,
            country: None,
            developers: Vec::new(),
            earlier_version: None,
        })
    }

    fn alias(name: &str) -> Alias {
        Alias { place: Some("gameroom".to_owned()), name: Some(name.to_owned()), account: None }
    }

    fn declared(player: &str, name: &str) -> PeopleEvent {
        PeopleEvent::AliasDeclared(AliasDeclared { player: id(player), alias: alias(name), reason: None })
    }

    fn merged(kept: &str, merged: &str) -> PeopleEvent {
        PeopleEvent::IdentitiesMerged(IdentitiesMerged { kept: id(kept), merged: id(merged), reason: None })
    }

    fn parted(kept: &str, parted: &str) -> PeopleEvent {
        PeopleEvent::IdentitiesParted(IdentitiesParted { kept: id(kept), parted: id(parted), reason: None })
    }

    fn fold(events: &[PeopleEvent]) -> People {
        let mut people = People::default();
        for (i, event) in events.iter().enumerate() {
            people.apply_event(i as u64 + 1, event);
        }
        people
    }

    #[test]
    fn an_alias_leads_to_the_identity_that_stands_for_it() {
        let mut events = vec![known("anna"), known("bela"), declared("anna", "a1"), declared("bela", "b1")];
        let people = fold(&events);
        assert_eq!(people.behind(Some("gameroom"), Some("a1"), None), Some(&id("anna")));
        assert_eq!(people.behind(Some("elsewhere"), Some("a1"), None), None);
        events.push(merged("anna", "bela"));
        let people = fold(&events);
        assert_eq!(people.behind(Some("gameroom"), Some("b1"), None), Some(&id("anna")));
        assert_eq!(people.identities().count(), 1);
        assert_eq!(people.accounts_of(&id("bela")), BTreeSet::from([id("anna"), id("bela")]));
        assert_eq!(people.aliases_of(&id("bela")).count(), 2);
        events.push(parted("anna", "bela"));
        let people = fold(&events);
        assert_eq!(people.behind(Some("gameroom"), Some("b1"), None), Some(&id("bela")));
        assert_eq!(people.identities().count(), 2);
        assert!(people.findings().is_empty());
    }

    #[test]
    fn an_alias_of_two_leads_to_nobody_and_is_reported() {
        let mut events = vec![known("anna"), known("bela"), declared("anna", "x"), declared("bela", "x")];
        let people = fold(&events);
        assert_eq!(people.behind(Some("gameroom"), Some("x"), None), None);
        assert_eq!(people.findings()[0].code, "alias_taken");
        events.push(PeopleEvent::AliasWithdrawn(AliasWithdrawn {
            player: id("anna"),
            alias: alias("x"),
            reason: None,
        }));
        assert_eq!(fold(&events).behind(Some("gameroom"), Some("x"), None), Some(&id("bela")));
    }

    #[test]
    fn parting_undoes_exactly_the_merge_it_names() {
        let mut events: Vec<PeopleEvent> = ["a", "b", "c"].map(known).into();
        events.extend([merged("c", "b"), merged("a", "b")]);
        let people = fold(&events);
        assert_eq!(["a", "b", "c"].map(id).each_ref().map(|player| people.who(player)), [&id("a"); 3]);
        events.push(parted("a", "b"));
        let people = fold(&events);
        assert_eq!(people.who(&id("b")), &id("c"), "the earlier merge stands again");
        assert_eq!(people.who(&id("a")), &id("a"));
        assert!(people.findings().is_empty());
        events.push(parted("a", "c"));
        assert_eq!(fold(&events).findings()[0].code, "not_merged");
    }

    #[test]
    fn no_order_of_merges_makes_a_circle() {
        let people = fold(&[merged("a", "b"), merged("b", "c"), merged("c", "a"), merged("b", "a")]);
        assert_eq!(people.who(&id("c")), &id("a"));
        assert_eq!(people.who(&id("a")), &id("a"));
        assert_eq!(people.findings().iter().filter(|f| f.code == "merged_already").count(), 2);
        assert_eq!(fold(&[parted("a", "b")]).findings()[0].code, "not_merged");
    }
}
