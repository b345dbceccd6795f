//! The places that a final has decided, and the playoff or ruling that the next one needs.

use annals_events::PlayerId;
use annals_events::tournament::Stage;

use crate::colours::PlayoffColour;

/// What the rules do not decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RulingNeeded {
    /// The last players lost together: there is no champion.
    Champion,
    /// More than two are level for second, in a way that the rules do not cover.
    Second,
    /// More than two are level for third.
    Third,
}

/// The places decided so far, and what the other places need. Level players are in seed order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conclusion<'a> {
    /// The last player in; none while undecided, or if the last ones lost together.
    pub champion: Option<&'a PlayerId>,
    pub level_for_second: Vec<&'a PlayerId>,
    pub second: Option<&'a PlayerId>,
    /// Players level for third, once the second is decided.
    pub level_for_third: Vec<&'a PlayerId>,
    /// Several if the place is shared.
    pub third: Vec<&'a PlayerId>,
    pub next: Option<Playoff<'a>>,
    pub ruling: Option<RulingNeeded>,
    /// Every player with a place, best first; equals together.
    pub order: Vec<Vec<&'a PlayerId>>,
}

impl<'a> Conclusion<'a> {
    pub(super) fn put_in_order(&mut self, placed: Vec<&'a PlayerId>, wins: impl Fn(&PlayerId) -> u32) {
        let first = [self.champion, self.second].into_iter().flatten().map(|player| vec![player]);
        self.order.extend(first);
        self.order.extend((!self.third.is_empty()).then(|| self.third.clone()));
        let known = self.order.concat();
        let mut rest: Vec<&PlayerId> = placed.into_iter().filter(|player| !known.contains(player)).collect();
        rest.sort_by_key(|player| std::cmp::Reverse(wins(player)));
        self.order.extend(rest.chunk_by(|one, other| wins(one) == wins(other)).map(<[_]>::to_vec));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Playoff<'a> {
    /// The stage of the second or third place.
    pub stage: Stage,
    pub better: &'a PlayerId,
    pub worse: &'a PlayerId,
    /// Who has Gold, or chooses.
    pub colour: PlayoffColour<'a>,
}

/// The players with the greatest value.
pub(super) fn greatest<'a, V: Ord>(
    players: &[&'a PlayerId],
    value: impl Fn(&PlayerId) -> V,
) -> Vec<&'a PlayerId> {
    let most = players.iter().map(|player| value(player)).max();
    players.iter().copied().filter(|player| Some(value(player)) == most).collect()
}
