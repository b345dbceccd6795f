//! Our own clock beside the server's: it is charged with the times of the record, compared with every figure that the
//! record shows, and goes on from the record's figures, so that one discrepancy is reported once.

use annals_events::{Side, TurnTaken};

use crate::clock::{ChargeResult, Clock, Figures, FlagFall, TimeControl};

/// How far a figure of our clock can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Every second since the last known figure is accounted for.
    Known,
    /// It rests on an assumption (what a takeback does to the clocks), so that a difference proves nothing.
    Assumed,
    /// Somebody used time that the record does not state.
    Unknown,
}

/// The figures compared: Gold's reserve, Silver's reserve, the game time.
const FIGURES: usize = 3;
const GAME_TIME: usize = 2;

/// A figure of the record that our clock contradicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Difference {
    /// Which figure, in words.
    pub what: &'static str,
    /// What our clock gives.
    pub expected: i64,
    /// What the record shows.
    pub found: i64,
}

/// What one turn did to the clock.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tick {
    /// Gold's and Silver's reserve by our clock; none where it is unknown.
    pub reserves: [Option<i64>; 2],
    /// Seconds used by both by our clock; none where unknown.
    pub game_time: Option<u64>,
    /// Whether our figures equal those of the record; none where there is nothing to compare.
    pub matches: Option<bool>,
    /// The first figure that differs, by more than unused time of a setup.
    pub difference: Option<Difference>,
    /// Whether the record adds unused time of a setup to the reserve.
    pub adds_setup_time: bool,
    /// Whether the flag of the side that moved fell.
    pub flag: Option<FlagFall>,
}

/// A clock and how far its figures can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Beside {
    clock: Clock,
    trust: [Trust; FIGURES],
}

impl Beside {
    pub(super) const fn new(control: TimeControl) -> Beside {
        Beside { clock: Clock::new(control), trust: [Trust::Known; FIGURES] }
    }

    /// The clock, if both reserves are known (the game time may rest on less).
    pub(super) fn clock(&self) -> Option<Clock> {
        let known = |i: usize| self.trust[i] != Trust::Unknown;
        (known(0) && known(1)).then_some(self.clock)
    }

    /// The clock as far as it is known. Its game time is the least that was used.
    pub(super) const fn at_least(&self) -> &Clock {
        &self.clock
    }

    /// Whether every second that was used is accounted for.
    pub(super) fn knows_game_time(&self) -> bool {
        self.trust[GAME_TIME] != Trust::Unknown
    }

    /// Whether a side's reserve is known.
    pub(super) fn knows_reserve(&self, side: Side) -> bool {
        self.trust[side.index()] != Trust::Unknown
    }

    /// Both reserves set by hand, or some of them.
    pub(super) fn set(&mut self, reserves: [Option<i64>; 2]) {
        for side in Side::BOTH {
            if let Some(seconds) = reserves[side.index()] {
                self.clock.set_reserve(side, seconds);
                self.trust[side.index()] = Trust::Known;
            }
        }
    }

    /// From now on the figures rest on an assumption.
    pub(super) fn doubt(&mut self) {
        for trust in &mut self.trust {
            if *trust == Trust::Known {
                *trust = Trust::Assumed;
            }
        }
    }

    /// Charges a turn, compares, and goes on from the figures of the record.
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
            // The turn counts, the time does not: what the mover has left is unknown until somebody says so.
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

/// Seconds as a signed number; the largest stands for what does not fit.
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
