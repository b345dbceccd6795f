//! When a game of the 2009 championship is played (2009 WC, Time of games): the week after its pairing, the
//! players' requests, and the time that follows. The text leaves the choice to the coordinator: here the
//! earliest time that both want, else the earliest that one wants.

use annals_events::tournament::{Notice, NoticeGiven, Slot};
use annals_events::{BoardId, Micros, PlayerId};

use crate::rulebook::{DAY, HOUR, RuleId, Rulebook};
use crate::state::{Entrant, Noted, Tournament};

/// Eastern Standard Time relative to UTC; the season has no summer time.
pub(crate) const EST: Micros = 5 * HOUR;
/// Day numbers modulo 7 from the epoch, which was a Thursday.
const TUESDAY: Micros = 5;

/// The days of a round's games: from Tuesday to the end of Sunday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Week {
    pub from: Micros,
    pub to: Micros,
}

impl Week {
    /// The week that begins on the first Tuesday after a day.
    pub fn after(at: Micros) -> Week {
        let day = at.saturating_sub(EST).div_euclid(DAY);
        let ahead = match (TUESDAY - day).rem_euclid(7) {
            0 => 7,
            ahead => ahead,
        };
        let from = day.saturating_add(ahead).saturating_mul(DAY).saturating_add(EST);
        Week { from, to: from.saturating_add(6 * DAY) }
    }

    pub fn holds(&self, at: Micros) -> bool {
        (self.from..self.to).contains(&at)
    }

    /// A span moved by whole weeks into this week and limited to it; none if nothing remains.
    fn moved(&self, slot: &Slot) -> Option<Slot> {
        let weeks = slot.from.saturating_sub(self.from).div_euclid(7 * DAY);
        let by = weeks.saturating_mul(7 * DAY);
        self.cut(&Slot { from: slot.from.saturating_sub(by), to: slot.to.saturating_sub(by) })
    }

    fn cut(&self, slot: &Slot) -> Option<Slot> {
        let cut = Slot { from: slot.from.max(self.from), to: slot.to.min(self.to) };
        (cut.from < cut.to).then_some(cut)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotChoice {
    pub at: Micros,
    /// Spans that both want, else those that one wants.
    pub wanted: Vec<Slot>,
    pub why: &'static str,
}

pub(crate) fn told<'a>(
    tournament: &'a Tournament,
    since: u64,
    about: Notice,
    player: &PlayerId,
    is_it: impl Fn(&NoticeGiven) -> bool,
) -> Option<&'a Noted<NoticeGiven>> {
    tournament.notices.iter().find(|notice| {
        let said = &notice.fact;
        notice.seq > since && said.about == about && said.to.contains(player) && is_it(said)
    })
}

/// The first notice of the opponent, else the publication of the round.
pub fn told_at(tournament: &Tournament, round: u32, player: &PlayerId) -> Option<Micros> {
    let paired = &tournament.rounds.get(&round)?.paired;
    let notice = told(tournament, paired.seq, Notice::Pairing, player, |said| {
        said.round == Some(round) || said.pairing.is_some_and(|pairing| pairing.round == round)
    });
    Some(notice.map_or(paired.at, |notice| notice.at))
}

pub fn told_the_time(tournament: &Tournament, pairing: BoardId, player: &PlayerId) -> bool {
    let round = tournament.rounds.get(&pairing.round);
    let fixed = round.and_then(|round| round.boards.get(&pairing.board)?.scheduled.as_ref());
    fixed.is_some_and(|fixed| {
        let of_the_pairing = |said: &NoticeGiven| said.pairing == Some(pairing);
        told(tournament, fixed.seq, Notice::GameTime, player, of_the_pairing).is_some()
    })
}

pub fn has_answered(tournament: &Tournament, round: u32, player: &PlayerId) -> bool {
    let entrant = tournament.entrants.get(player);
    let since = tournament.rounds.get(&round).map_or(0, |round| round.paired.seq);
    let answers = |entrant: &Entrant| {
        entrant.availability.iter().any(|given| given.fact.round == Some(round) && given.seq > since)
    };
    entrant.is_some_and(answers)
}

/// The spans that a player stated in time for the round, else the last stated before, moved into the week;
/// else any time.
fn wanted(
    tournament: &Tournament,
    rulebook: &Rulebook,
    round: u32,
    player: &PlayerId,
    week: Week,
) -> Vec<Slot> {
    let within = rulebook.availability_within.unwrap_or(DAY);
    let due = told_at(tournament, round, player).map(|told| told.saturating_add(within));
    let given = tournament.entrants.get(player).map_or(&[][..], |entrant| entrant.availability.as_slice());
    let in_time = |at: Micros| due.is_none_or(|due| at < due);
    let own = given.iter().rev().find(|given| given.fact.round == Some(round) && in_time(given.at));
    if let Some(own) = own {
        let slots: Vec<Slot> = own.fact.slots.iter().filter_map(|slot| week.cut(slot)).collect();
        if !slots.is_empty() {
            return slots;
        }
    }
    let before = given.iter().rev().find(|given| {
        given.fact.round.is_none_or(|other| other < round)
            && in_time(given.at)
            && !given.fact.slots.is_empty()
    });
    let slots: Vec<Slot> = before
        .map_or_else(Vec::new, |given| given.fact.slots.iter().filter_map(|slot| week.moved(slot)).collect());
    if slots.is_empty() { vec![Slot { from: week.from, to: week.to }] } else { slots }
}

/// The time that follows from the players' requests if it is fixed at `now`; none without such a pairing or
/// after its week. Times that have passed are excluded.
pub fn choose(
    tournament: &Tournament,
    rulebook: &Rulebook,
    pairing: BoardId,
    now: Micros,
) -> Option<SlotChoice> {
    let round = tournament.rounds.get(&pairing.round)?;
    let board = round.boards.get(&pairing.board)?;
    let week = Week::after(round.paired.at);
    // Edition 1 accepted times before the time was fixed.
    let begins = if rulebook.rule(RuleId::ScheduleFixed).is_some() { week.from.max(now) } else { week.from };
    let rest = Week { from: begins, to: week.to };
    let wanted = |player| -> Vec<Slot> {
        let wanted = wanted(tournament, rulebook, pairing.round, player, week);
        let left: Vec<Slot> = wanted.iter().filter_map(|slot| rest.cut(slot)).collect();
        if left.is_empty() { vec![Slot { from: rest.from, to: rest.to }] } else { left }
    };
    let (one, other) = (wanted(board.upper()), wanted(board.lower()));
    let both: Vec<Slot> = one
        .iter()
        .flat_map(|a| other.iter().map(move |b| Slot { from: a.from.max(b.from), to: a.to.min(b.to) }))
        .filter(|slot| slot.from < slot.to)
        .collect();
    let (wanted, why) = if both.is_empty() {
        (one.into_iter().chain(other).collect(), "the earliest time that one of the players wants")
    } else {
        (both, "the earliest time that both players want")
    };
    let at = wanted.iter().map(|slot| slot.from).min().filter(|_| rest.from < rest.to)?;
    Some(SlotChoice { at, wanted, why })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sunday, 4 January 2009, 20:00 EST.
    const SUNDAY: Micros = 1_231_117_200_000_000;

    #[test]
    fn the_week_after_a_sunday_evening_is_from_tuesday_to_the_end_of_sunday() {
        let week = Week::after(SUNDAY);
        // Tuesday, 6 January 2009, 00:00 EST.
        assert_eq!(week.from, 1_231_218_000_000_000);
        assert_eq!(week.to - week.from, 6 * DAY);
        assert!(week.holds(week.from) && !week.holds(week.to));
        // Of a Tuesday it is the next, and of the Monday before the same as of the Sunday.
        assert_eq!(Week::after(week.from).from, week.from + 7 * DAY);
        assert_eq!(Week::after(week.from - 1), week);
    }

    #[test]
    fn what_was_asked_for_in_an_earlier_week_is_moved_by_whole_weeks() {
        let week = Week::after(SUNDAY);
        let slot = Slot { from: week.from - 14 * DAY + HOUR, to: week.from - 14 * DAY + 3 * HOUR };
        assert_eq!(week.moved(&slot), Some(Slot { from: week.from + HOUR, to: week.from + 3 * HOUR }));
        let monday = Slot { from: week.to + HOUR, to: week.to + 2 * HOUR };
        assert_eq!(week.moved(&monday), None);
    }
}
