//! Unique names without spaces that do not begin a comment.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::PlayerId;
use annals_tournaments::Tournament;

#[derive(Debug, Clone, Default)]
pub(super) struct Names(BTreeMap<PlayerId, String>);

impl Names {
    /// Names of entered players in order, and of others who play.
    pub(super) fn of(tournament: &Tournament, others: &[PlayerId], remarks: &mut Vec<String>) -> Names {
        let mut entrants: Vec<_> = tournament.entrants.iter().collect();
        entrants.sort_by_key(|(_, entrant)| entrant.order);
        let entered = entrants.into_iter().map(|(player, entrant)| (player, entrant.name.as_str()));
        let strangers = others.iter().filter(|player| !tournament.entrants.contains_key(*player));
        let strangers = strangers.map(|player| (player, player.as_str()));
        let (mut names, mut taken) = (Names::default(), BTreeSet::new());
        for (player, shown) in entered.chain(strangers) {
            let name = free(player, shown, &taken);
            if name != shown {
                remarks.push(format!("`{shown}` cannot stand in such a file, and is written `{name}`"));
            }
            taken.insert(name.clone());
            names.0.insert(player.clone(), name);
        }
        names
    }

    pub(super) fn get(&self, player: &PlayerId) -> String {
        self.0.get(player).cloned().unwrap_or_else(|| player.to_string())
    }
}

fn free(player: &PlayerId, shown: &str, taken: &BTreeSet<String>) -> String {
    let plain = |sign: char| if sign.is_whitespace() || "#*".contains(sign) { '_' } else { sign };
    let wanted: String = shown.chars().map(plain).filter(|sign| !sign.is_control()).collect();
    let numbered = (2u32..).map(|number| format!("{player}-{number}"));
    let mut choices =
        [wanted, player.to_string()].into_iter().filter(|name| !name.is_empty()).chain(numbered);
    choices.find(|name| !taken.contains(name)).unwrap_or_default()
}
