use super::narrator::Narrative;
use super::wording::{Why, because, list, part, plain};
use crate::people::{Alias, PeopleEvent};
use crate::vocabulary::PlayerKind;

pub fn narrate(event: &PeopleEvent) -> Narrative {
    match event {
        PeopleEvent::PlayerKnown(e) => {
            let kind = match e.kind {
                PlayerKind::Human => "a human",
                PlayerKind::Bot => "a program",
            };
            let country = part(e.country.as_ref(), |country| format!(" from {country}"));
            let by =
                if e.developers.is_empty() { String::new() } else { format!(" by {}", list(&e.developers)) };
            let before = part(e.earlier_version.as_ref(), |id| format!(", the successor of {id}"));
            plain(format!("{} entered the record as {}, {kind}{country}{by}{before}.", e.name, e.player))
        }
        PeopleEvent::AliasDeclared(e) => {
            let what = format!("{} was found to belong to {}.", alias(&e.alias), e.player);
            because(what, Why::default().reason(e.reason.as_deref()))
        }
        PeopleEvent::AliasWithdrawn(e) => {
            let what = format!("{} was found not to belong to {}.", alias(&e.alias), e.player);
            because(what, Why::default().reason(e.reason.as_deref()))
        }
        PeopleEvent::IdentitiesMerged(e) => {
            let what =
                format!("{} was found to be {}: from here on both names mean {}.", e.merged, e.kept, e.kept);
            because(what, Why::default().reason(e.reason.as_deref()))
        }
        PeopleEvent::IdentitiesParted(e) => {
            let what = format!("{} was found not to be {}: each stands alone again.", e.parted, e.kept);
            because(what, Why::default().reason(e.reason.as_deref()))
        }
    }
}

fn alias(alias: &Alias) -> String {
    let place = part(alias.place.as_ref(), |place| format!(" at {place}"));
    match (&alias.name, alias.account) {
        (Some(name), Some(account)) => format!("The name {name} (account {account}){place}"),
        (Some(name), None) => format!("The name {name}{place}"),
        (None, Some(account)) => format!("Account {account}{place}"),
        (None, None) => format!("An alias without a name or an account{place}"),
    }
}
