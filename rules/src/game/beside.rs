//! A clock charged with recorded times and compared with recorded figures. It continues from those, so that a
//! discrepancy is reported once.

use annals_events::{Side, TurnTaken};

use crate::clock::{ChargeResult, Clock, Figures, FlagFall, TimeControl};

/// The reliability of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// All time since the last recorded figure is known.
    Known,
    /// Assumed (after a takeback), so that a difference proves nothing.
    Assumed,
    /// Unrecorded time was used.
    Unknown,
}

/// Gold's reserve, Silver's reserve, game time.
const FIGURES: usize = 3;
const GAME_TIME: usize = 2;

/// A recorded figure that contradicts the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Difference {
    pub what: &'static str,
    /// By the clock.
    pub expected: i64,
    /// In the record.
    pub found: i64,
}

/// The effect of one turn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tick {
    /// By the clock; none if unknown.
    pub reserves: [Option<i64>; 2],
    /// By the clock; none if unknown.
    pub game_time: Option<u64>,
    /// None without recorded figures.
    pub matches: Option<bool>,
    /// The first difference other than unused setup time.
    pub difference: Option<Difference>,
    /// The record adds unused setup time to the reserve.
    pub adds_setup_time: bool,
    /// The mover's flag fell.
    pub flag: Option<FlagFall>,
}

/// A clock with the reliability of its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Beside {
    clock: Clock,
    trust: [Trust; FIGURES],
}

impl Beside {
    pub(super) const fn new(control: TimeControl) -> Beside {
        Beside { clock: Clock::new(control), trust: [Trust::Known; FIGURES] }
    }

    /// If both reserves are known (the game time may be less certain).
    pub(super) fn clock(&self) -> Option<Clock> {
        let known = |i: usize| self.trust[i] != Trust::Unknown;
        (known(0) && known(1)).then_some(self.clock)
    }

    /// As far as known. Its game time is a lower bound.
    pub(super) const fn at_least(&self) -> &Clock {
        &self.clock
    }

    /// All time used is known.
    pub(super) fn knows_game_time(&self) -> bool {
        self.trust[GAME_TIME] != Trust::Unknown
    }

    pub(super) fn knows_reserve(&self, side: Side) -> bool {
        self.trust[side.index()] != Trust::Unknown
    }

    /// Sets some or both reserves.
    pub(super) fn set(&mut self, reserves: [Option<i64>; 2]) {
        for side in Side::BOTH {
            if let Some(seconds) = reserves[side.index()] {
                self.clock.set_reserve(side, seconds);
                self.trust[side.index()] = Trust::Known;
            }
        }
    }

    /// From now on the figures are assumed.
    pub(super) fn doubt(&mut self) {
        for trust in &mut self.trust {
            if *trust == Trust::Known {
                *trust = Trust::Assumed;
            }
        }
    }

    /// Charges a turn, compares, and continues from the recorded figures.
    pub(super) fn turn(&mut self, turn: &TurnTaken<'_>, setup: bool) -> Tick {
        let mut flag = None;
        let mover = turn.side.index();
        let unused = turn.used.filter(|_| setup).map(|used| self.clock.unused_setup_time(turn.side, used));
        if let Some(used) = turn.used {
            let charge: ChargeResult = self.clock.charge(turn.side, used, setup);
            flag = charge.flag.filter(|flag| {
                matches!(flag, FlagFall::TurnTooLong { .. }) || self.trust[mover] == Trust::Known
            });
        } else {
            // The turn counts without time: the mover's clock is unknown until recorded.
            let Figures { reserves, game_time, .. } = self.clock.figures();
            self.clock.charge(turn.side, 0, setup);
            self.clock.set_reserve(turn.side, reserves[mover]);
            self.clock.set_game_time(game_time);
            self.trust[mover] = Trust::Unknown;
            self.trust[GAME_TIME] = Trust::Unknown;
        }
        let ours = self.clock.figures();
        let known = |i: usize| self.trust[i] != Trust::Unknown;
        let mut tick = Tick {
            reserves: [known(0).then_some(ours.reserves[0]), known(1).then_some(ours.reserves[1])],
            game_time: known(GAME_TIME).then_some(ours.game_time),
            matches: None,
            difference: None,
            adds_setup_time: false,
            flag,
        };
        let shown = [turn.gold_reserve, turn.silver_reserve, turn.game_time.map(signed)];
        let computed = [ours.reserves[0], ours.reserves[1], signed(ours.game_time)];
        let words = ["gold's reserve", "silver's reserve", "the game time"];
        for i in 0..FIGURES {
            let Some(found) = shown[i] else { continue };
            let expected = computed[i];
            match self.trust[i] {
                Trust::Known | Trust::Assumed if found == expected => {
                    tick.matches = Some(tick.matches.unwrap_or(true));
                }
                Trust::Known => {
                    tick.matches = Some(false);
                    let added = unused.filter(|unused| i == mover && *unused > 0);
                    if added.is_some_and(|added| expected.saturating_add(added) == found) {
                        tick.adds_setup_time = true;
                    } else {
                        let difference = Difference { what: words[i], expected, found };
                        tick.difference = tick.difference.or(Some(difference));
                    }
                }
                Trust::Assumed | Trust::Unknown => {}
            }
            self.trust[i] = Trust::Known;
            match i {
                GAME_TIME => self.clock.set_game_time(turn.game_time.unwrap_or(ours.game_time)),
                side => self.clock.set_reserve(Side::BOTH[side], found),
            }
        }
        tick
    }
}

/// Saturating.
fn signed(seconds: u64) -> i64 {
    i64::try_from(seconds).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside() -> Beside {
        Beside::new(TimeControl::parse("2/2/100/10/8").unwrap())
    }

    fn turn(side: Side, used: Option<u32>, gold: Option<i64>, silver: Option<i64>) -> TurnTaken<'static> {
        TurnTaken { used, gold_reserve: gold, silver_reserve: silver, ..TurnTaken::plain(2, side, "") }
    }

    #[test]
    fn a_discrepancy_is_reported_once() {
        let mut clock = beside();
        let first = clock.turn(&turn(Side::Gold, Some(130), Some(111), Some(120)), false);
        assert_eq!(first.matches, Some(false));
        assert_eq!(first.difference, Some(Difference { what: "gold's reserve", expected: 110, found: 111 }));
        assert_eq!(first.reserves, [Some(110), Some(120)]);
        let second = clock.turn(&turn(Side::Gold, Some(121), Some(110), Some(120)), false);
        assert_eq!(second.matches, Some(true));
    }

    #[test]
    fn an_unknown_time_makes_the_movers_reserve_unknown_until_the_record_shows_it() {
        let mut clock = beside();
        let lost = clock.turn(&turn(Side::Gold, None, None, None), false);
        assert_eq!((lost.reserves, lost.game_time, lost.matches), ([None, Some(120)], None, None));
        assert_eq!(clock.clock(), None);
        let other = clock.turn(&turn(Side::Silver, Some(121), None, Some(119)), false);
        assert_eq!((other.reserves, other.matches), ([None, Some(119)], Some(true)));
        let shown = clock.turn(&turn(Side::Gold, Some(120), Some(77), None), false);
        assert_eq!((shown.reserves[0], shown.matches), (None, None));
        assert_eq!(clock.clock().unwrap().figures().reserves, [77, 119]);
        assert_eq!(clock.clock().unwrap().figures().turns, 3);
    }

    #[test]
    fn a_doubtful_figure_can_agree_but_not_disagree() {
        let mut clock = beside();
        clock.doubt();
        let off = clock.turn(&turn(Side::Gold, Some(130), Some(1), None), false);
        assert_eq!((off.matches, off.difference), (None, None));
        let right = clock.turn(&turn(Side::Silver, Some(130), None, Some(110)), false);
        assert_eq!(right.matches, Some(true));
        let wrong = clock.turn(&turn(Side::Gold, Some(121), Some(1), None), false);
        assert_eq!(wrong.matches, Some(false), "what the record has shown is known again");
    }
}
