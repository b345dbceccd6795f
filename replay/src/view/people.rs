//! Who is who, as it is shown.

use std::collections::BTreeMap;

use annals_events::people::Alias;
use annals_events::{PlayerId, PlayerKind};
use annals_report::list;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::text;
use crate::cut::Cut;
use crate::finding::Finding;
use crate::people::People;

/// Everybody at a cut, or one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PeopleView {
    /// The point that is shown.
    pub cut: Cut,
    /// The identities that stand for themselves, by name in the log.
    pub identities: BTreeMap<PlayerId, IdentityView>,
    /// The merges that stand.
    pub merges: Vec<MergeView>,
    /// What does not follow.
    pub findings: Vec<Finding>,
}

/// One identity, with all that is merged into it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdentityView {
    /// The name to show.
    pub name: String,
    /// Human or program.
    pub kind: PlayerKind,
    /// Country code.
    pub country: Option<String>,
    /// Of a program: who develops it.
    pub developers: Vec<String>,
    /// Of a program: its earlier version.
    pub earlier_version: Option<PlayerId>,
    /// The other identities that it stands for.
    pub stands_for: Vec<PlayerId>,
    /// The names and accounts that lead to it.
    pub aliases: Vec<AliasView>,
}

/// A name or an account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AliasView {
    /// Where it is good; none for everywhere.
    pub place: Option<String>,
    /// The name.
    pub name: Option<String>,
    /// The number of the account.
    pub account: Option<u64>,
}

/// A merge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MergeView {
    /// The identity that means the other.
    pub merged: PlayerId,
    /// The identity that stays.
    pub kept: PlayerId,
    /// The event that says so.
    pub seq: u64,
}

impl PeopleView {
    /// What is shown of everybody, or of one player with all that is merged.
    #[must_use]
    pub fn of(people: &People, player: Option<&PlayerId>, cut: &Cut) -> PeopleView {
        let wanted = player.map(|player| people.who(player));
        let shown = |identity: &PlayerId| wanted.is_none_or(|wanted| people.who(identity) == wanted);
        let identities = people
            .identities()
            .filter(|identity| shown(&identity.player))
            .map(|identity| {
                let mut aliases: Vec<AliasView> =
                    people.aliases_of(&identity.player).map(AliasView::of).collect();
                aliases.sort();
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
        let merges = people
            .merges()
            .iter()
            .filter(|merge| shown(&merge.kept))
            .map(|merge| MergeView { merged: merge.merged.clone(), kept: merge.kept.clone(), seq: merge.seq })
            .collect();
        PeopleView { cut: *cut, identities, merges, findings: people.findings().to_vec() }
    }

    pub(super) fn render(&self, zone: &TimeZone) -> String {
        let mut out = text::heading("People", &self.cut, zone);
        for (player, identity) in &self.identities {
            let mut about = vec![identity.kind.word().to_owned()];
            about.extend(identity.country.clone());
            if !identity.developers.is_empty() {
                about.push(format!("by {}", identity.developers.join(", ")));
            }
            if let Some(earlier) = &identity.earlier_version {
                about.push(format!("after {earlier}"));
            }
            let mut lines: Vec<String> =
                identity.stands_for.iter().map(|other| format!("stands for {other}")).collect();
            lines.extend(identity.aliases.iter().map(AliasView::words));
            list(&mut out, &format!("{player}: {} ({})", identity.name, about.join(", ")), &lines);
            if lines.is_empty() {
                out += &format!("\n{player}: {} ({})\n", identity.name, about.join(", "));
            }
        }
        let merges: Vec<String> = self
            .merges
            .iter()
            .map(|merge| format!("{} means {} (event {})", merge.merged, merge.kept, merge.seq))
            .collect();
        list(&mut out, "Merges", &merges);
        text::findings(&mut out, &self.findings);
        out
    }
}

impl AliasView {
    fn of(alias: &Alias) -> AliasView {
        AliasView { place: alias.place.clone(), name: alias.name.clone(), account: alias.account }
    }

    fn words(&self) -> String {
        let name = self.name.as_ref().map(|name| format!("`{name}`"));
        let account = self.account.map(|account| format!("account {account}"));
        let what: Vec<String> = [name, account].into_iter().flatten().collect();
        let place = self.place.as_ref().map_or("everywhere".to_owned(), |place| format!("at {place}"));
        format!("{} {place}", what.join(", "))
    }
}
