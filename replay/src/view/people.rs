use std::collections::BTreeMap;

use annals_events::people::Alias;
use annals_events::{PlayerId, PlayerKind};
use annals_report::{Document, Part};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::text;
use crate::cut::Cut;
use crate::finding::Finding;
use crate::people::{Merge, People};

/// All people, or one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PeopleView {
    pub cut: Cut,
    /// Not merged into others, by name in the log.
    pub identities: BTreeMap<PlayerId, IdentityView>,
    pub merges: Vec<Merge>,
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdentityView {
    pub name: String,
    pub kind: PlayerKind,
    pub country: Option<String>,
    pub developers: Vec<String>,
    pub earlier_version: Option<PlayerId>,
    /// Merged into it.
    pub stands_for: Vec<PlayerId>,
    pub aliases: Vec<Alias>,
}

impl PeopleView {
    /// All people, or one player with all merged into it.
    pub fn of(people: &People, player: Option<&PlayerId>, cut: &Cut) -> PeopleView {
        let wanted = player.map(|player| people.who(player));
        let shown = |identity: &PlayerId| wanted.is_none_or(|wanted| people.who(identity) == wanted);
        let identities = people
            .identities()
            .filter(|identity| shown(&identity.player))
            .map(|identity| {
                let mut aliases: Vec<Alias> = people.aliases_of(&identity.player).cloned().collect();
                let key = |alias: &Alias| (alias.place.clone(), alias.name.clone(), alias.account);
                aliases.sort_by_key(key);
                aliases.dedup();
                let mut stands_for: Vec<PlayerId> =
                    people.accounts_of(&identity.player).into_iter().collect();
                stands_for.retain(|other| *other != identity.player);
                let view = IdentityView {
                    name: identity.name.clone(),
                    kind: identity.kind,
                    country: identity.country.clone(),
                    developers: identity.developers.clone(),
                    earlier_version: identity.earlier_version.clone(),
                    stands_for,
                    aliases,
                };
                (identity.player.clone(), view)
            })
            .collect();
        let merges = people.merges().iter().filter(|merge| shown(&merge.kept)).cloned().collect();
        PeopleView { cut: *cut, identities, merges, findings: people.findings().to_vec() }
    }

    pub(super) fn document(&self, zone: &TimeZone) -> Document {
        let mut page = Document::new(text::heading("People", &self.cut, zone));
        for (player, identity) in &self.identities {
            let title = format!("{player}: {} ({})", identity.name, identity.about());
            let lines = identity.also();
            if lines.is_empty() {
                page.parts.push(Part::Subtitle(title));
            } else {
                page = page.lines(title, lines);
            }
        }
        page.parts.extend(self.changes().parts);
        page
    }

    /// The merges, and what is wrong with the events.
    pub fn changes(&self) -> Document {
        let merge = |merge: &Merge| format!("{} means {} (event {})", merge.merged, merge.kept, merge.seq);
        Document::new("")
            .lines("Merges", self.merges.iter().map(merge).collect())
            .lines("Findings", text::findings(&self.findings))
    }
}

impl IdentityView {
    /// The kind, the country, who made a program, and what it followed.
    pub fn about(&self) -> String {
        let mut about = vec![self.kind.word().to_owned()];
        about.extend(self.country.clone());
        if !self.developers.is_empty() {
            about.push(format!("by {}", self.developers.join(", ")));
        }
        about.extend(self.earlier_version.as_ref().map(|earlier| format!("after {earlier}")));
        about.join(", ")
    }

    /// Other identities and names, one each.
    pub fn also(&self) -> Vec<String> {
        let merged = self.stands_for.iter().map(|other| format!("stands for {other}"));
        merged.chain(self.aliases.iter().map(alias_words)).collect()
    }
}

fn alias_words(alias: &Alias) -> String {
    let name = alias.name.as_ref().map(|name| format!("`{name}`"));
    let account = alias.account.map(|account| format!("account {account}"));
    let what: Vec<String> = [name, account].into_iter().flatten().collect();
    let place = alias.place.as_ref().map_or("everywhere".to_owned(), |place| format!("at {place}"));
    format!("{} {place}", what.join(", "))
}
