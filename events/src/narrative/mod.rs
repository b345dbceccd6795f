//! An event as one English sentence with all its figures, and its reason, rules and evidence.
//!
//! It follows from the event alone. Nothing of it is stored or hashed, so its wording may change at any time.
//!
//! ```
//! use annals_events::narrative::{Narrator, utc};
//! use annals_events::{Entry, Event};
//!
//! let payload = r#"{"gold_reserve":148,"number":2,"side":"gold","silver_reserve":150,"steps":"Eb2n","used":17}"#;
//! let entry = Entry::from_payload("game.turn_taken", 1, payload).unwrap();
//! let story = Narrator::default().narrate(&entry);
//! assert_eq!(story.what, "Gold took turn 2 in 0:17: Eb2n (reserves: Gold 2:28, Silver 2:30).");
//! assert_eq!(story.why, None);
//! assert_eq!(utc(0), "1970-01-01 00:00:00Z");
//! # let _: Event<'_> = entry.event;
//! ```

mod conduct;
mod game;
mod log;
mod narrator;
mod opening;
mod people;
mod players;
mod programs;
mod rounds;
mod rulings;
mod wording;

pub use narrator::{Narrative, Narrator, utc};
pub use wording::{elo as rating, ending, money, points};

use crate::event::{Entry, Event};
use crate::log::Correction;
use crate::time::TimeNote;
use crate::tournament::{Effect, TournamentEvent};

impl Narrator<'_> {
    #[must_use]
    pub fn narrate(&self, entry: &Entry<'_>) -> Narrative {
        let mut narrative = self.narrate_event(&entry.event);
        let note = match entry.time {
            None => return narrative,
            Some(TimeNote::Unknown) => {
                "The source does not state the time; the one shown is the nearest known one, and gives the order."
                    .to_owned()
            }
            Some(TimeNote::Stated(period)) => {
                format!("The source states {period}; the event is in order by the earliest time that can be.")
            }
            Some(TimeNote::Lifted { stated_at }) => format!(
                "The source states {}, which is before what this rests on; the time shown is the earliest that \
                 can be.",
                self.at(stated_at)
            ),
        };
        narrative.why = Some(match narrative.why {
            Some(why) => format!("{why} {note}"),
            None => note,
        });
        narrative
    }

    #[must_use]
    pub fn narrate_event(&self, event: &Event<'_>) -> Narrative {
        match event {
            Event::Log(event) => log::narrate(self, event),
            Event::Game(event) => game::narrate(self, event),
            Event::People(event) => people::narrate(event),
            Event::Tournament(event) => self.tell_tournament(event),
        }
    }

    /// With the type of the corrected event, so that the new payload is narrated too.
    #[must_use]
    pub fn tell_correction(&self, correction: &Correction, corrected_type: &str) -> Narrative {
        log::correction(self, correction, Some(corrected_type))
    }

    /// What a ruling changes.
    #[must_use]
    pub fn tell_effect(&self, effect: &Effect) -> String {
        rulings::effect(self, effect)
    }

    fn tell_tournament(&self, event: &TournamentEvent) -> Narrative {
        use TournamentEvent as T;
        match event {
            T::Announced(e) => opening::announced(self, e),
            T::ScheduleChanged(e) => opening::schedule_changed(self, e),
            T::RoundsDeclared(e) => opening::rounds_declared(e),
            T::Closed(e) => opening::closed(self, e),
            T::TablePublished(e) => opening::table_published(self, e),
            T::PlayerRegistered(e) => players::registered(e),
            T::RatingsRecorded(e) => players::ratings_recorded(self, e),
            T::PlayerWithdrawn(e) => players::withdrawn(self, e),
            T::PlayerReinstated(e) => players::reinstated(self, e),
            T::Invited(e) => players::invited(self, e),
            T::InvitationLapsed(e) => players::invitation_lapsed(self, e),
            T::Disqualified(e) => players::disqualified(self, e),
            T::AvailabilityGiven(e) => players::availability_given(self, e),
            T::NoticeGiven(e) => players::notice_given(self, e),
            T::FeeRecorded(e) => conduct::fee_recorded(self, e),
            T::ContributionRecorded(e) => conduct::contribution_recorded(e),
            T::RefundRecorded(e) => conduct::refund_recorded(self, e),
            T::PenaltyRecorded(e) => conduct::penalty_recorded(self, e),
            T::PenaltyPaid(e) => conduct::penalty_paid(self, e),
            T::BanRecorded(e) => conduct::ban_recorded(self, e),
            T::BanLifted(e) => conduct::ban_lifted(self, e),
            T::PrizeAwarded(e) => conduct::prize_awarded(self, e),
            T::PrizeForfeited(e) => conduct::prize_forfeited(self, e),
            T::PrizeReturned(e) => conduct::prize_returned(self, e),
            T::HardwareSpecified(e) => programs::hardware_specified(e),
            T::HardwareDeclared(e) => programs::hardware_declared(self, e),
            T::ReferenceHardwareRecorded(e) => programs::reference_hardware(e),
            T::MachinesAssigned(e) => programs::machines_assigned(self, e),
            T::AccountGiven(e) => programs::account_given(self, e),
            T::AccountWithdrawn(e) => programs::account_withdrawn(self, e),
            T::ProgramPublished(e) => programs::published(self, e),
            T::ProgramSubmitted(e) => programs::submitted(self, e),
            T::ProgramTested(e) => programs::tested(self, e),
            T::ProgramUpdated(e) => programs::updated(self, e),
            T::ProgramSubstituted(e) => programs::substituted(self, e),
            T::BenchmarksDeclared(e) => programs::benchmarks_declared(e),
            T::QualifyingGamePlayed(e) => programs::qualifying_game_played(self, e),
            T::Qualified(e) => programs::qualified(self, e),
            T::LotsDrawn(e) => rounds::lots_drawn(self, e),
            T::RoundPaired(e) => rounds::paired(self, e),
            T::PairingRevoked(e) => rounds::pairing_revoked(e),
            T::ColourDrawn(e) => rounds::colour_drawn(self, e),
            T::ColourChosen(e) => rounds::colour_chosen(self, e),
            T::RoundStarted(e) => rounds::started(self, e),
            T::GameScheduled(e) => rounds::game_scheduled(self, e),
            T::GameAttached(e) => rounds::game_attached(e),
            T::ResultRecorded(e) => rounds::result_recorded(self, e),
            T::ForfeitClaimed(e) => rounds::forfeit_claimed(self, e),
            T::DisputeFiled(e) => rulings::dispute_filed(self, e),
            T::RulingGiven(e) => rulings::given(self, e),
            T::AppealFiled(e) => rulings::appeal_filed(self, e),
            T::AppealDecided(e) => rulings::appeal_decided(self, e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::GameKind;

    #[test]
    fn the_sides_bear_the_names_of_the_game() {
        let payload = r#"{"draw":false,"termination":"immobilization","winner":"silver"}"#;
        let entry = Entry::from_payload("game.ended", 1, payload).unwrap();
        assert_eq!(Narrator::default().narrate(&entry).what, "Silver won by immobilization.");
        let amazons = Narrator::default().of_game(GameKind::Amazons);
        assert_eq!(amazons.narrate(&entry).what, "Black won by immobilization.");
    }

    #[test]
    fn times_are_shown_in_utc() {
        for (at, shown) in [
            (0, "1970-01-01 00:00:00Z"),
            (-1, "1969-12-31 23:59:59.999999Z"),
            (951_782_400_000_000, "2000-02-29 00:00:00Z"),
            (1_425_427_200_000_000, "2015-03-04 00:00:00Z"),
            (1_769_941_065_000_001, "2026-02-01 10:17:45.000001Z"),
            (4_107_542_399_000_000, "2100-02-28 23:59:59Z"),
        ] {
            assert_eq!(utc(at), shown);
        }
    }

    #[test]
    fn no_time_is_too_far_away() {
        assert_eq!(utc(i64::MAX), "294247-01-10 04:00:54.775807Z");
        assert!(utc(i64::MIN).starts_with("-290308-12-21 "));
    }
}
