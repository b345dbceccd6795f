//! Compares an event with the rulebook, on the state before it. The command handler and the audit call the
//! same functions.
//!
//! Rules of order compare positions in the log; deadlines compare effective times, so that a later import is
//! not late. Each file checks the events of one subject.

mod absent;
mod accounts;
mod announcement;
mod attempts;
pub(crate) mod checker;
mod clocks;
mod computers;
mod conduct;
mod dates;
mod endings;
mod entries;
mod field;
mod findings;
mod forfeits;
mod games;
mod grounds;
mod hardware;
mod judging;
mod limit;
mod money;
mod programs;
mod published;
mod results;
mod rulings;
mod schedule;
mod score;
mod territory;
mod week;

use annals_events::tournament::Milestone;
use annals_events::{GameId, TournamentEvent};

pub use accounts::{Overdue, overdue};
pub(crate) use attempts::RESUMPTION;
pub use attempts::has_begun;
pub(crate) use checker::Checker;
pub(crate) use conduct::{ban_until, costs_penalty};
pub(crate) use forfeits::is_removed;
pub use games::InPlay;
pub use judging::{EventMeta, JudgingContext};
pub use programs::untested;
pub(crate) use rulings::{first_changed, next_number, rules_of};
pub(crate) use score::{Due as ScoreDue, due as score_due};
pub(crate) use territory::of_the_game as territory_of_the_game;

use crate::rulebook::{RuleId, Rulebook};
use crate::verdict::Verdict;

/// Compares an event with the rules.
pub fn check(case: &JudgingContext<'_>, when: &EventMeta, event: &TournamentEvent) -> Vec<Verdict> {
    use TournamentEvent as E;
    let mut checker = Checker::new(case, when);
    let check = &mut checker;
    after_the_close(check, event);
    if let E::RoundStarted(started) = event {
        programs::round_started(check, started);
        dates::round_started(check, started);
        hardware::round_started(check, started);
    }
    crate::round_check::check(check, event);
    match event {
        E::Announced(announced) => announcement::announced(check, announced),
        E::ScheduleChanged(changed) => announcement::schedule_changed(check, changed),
        E::PlayerRegistered(entry) => entries::registered(check, entry),
        E::RatingsRecorded(recorded) => entries::ratings(check, recorded),
        E::PlayerWithdrawn(withdrawn) => entries::withdrawn_by(check, withdrawn),
        E::PlayerReinstated(back) => entries::reinstated(check, back),
        E::HardwareSpecified(specified) => hardware::specified(check, specified),
        E::HardwareDeclared(declared) => hardware::declared(check, declared),
        E::ReferenceHardwareRecorded(recorded) => hardware::reference(check, recorded),
        E::MachinesAssigned(assigned) => hardware::assigned(check, assigned),
        E::AccountGiven(given) => accounts::given(check, given),
        E::AccountWithdrawn(withdrawn) => accounts::withdrawn(check, withdrawn),
        E::ProgramPublished(published) => accounts::published(check, published),
        E::ProgramSubmitted(submitted) => programs::program_submitted(check, submitted),
        E::ProgramTested(tested) => programs::program_tested(check, tested),
        E::ProgramUpdated(updated) => programs::program_updated(check, updated),
        E::ProgramSubstituted(substituted) => programs::stand_in(check, substituted),
        E::BenchmarksDeclared(declared) => field::games::benchmarks(check, declared),
        E::QualifyingGamePlayed(game) => field::games::played(check, game),
        E::Qualified(qualified) => field::order::qualified(check, qualified),
        E::Invited(invited) => field::invitations::invited(check, invited),
        E::InvitationLapsed(lapsed) => field::invitations::lapsed(check, lapsed),
        E::Disqualified(out) => field::invitations::disqualified(check, out),
        E::AvailabilityGiven(given) => schedule::availability(check, given),
        E::GameScheduled(scheduled) => {
            schedule::appointed(check, scheduled);
            week::fixed(check, scheduled);
        }
        E::NoticeGiven(notice) => {
            schedule::told(check, notice);
            week::told(check, notice);
        }
        E::RoundStarted(started) => {
            results::rests_on_results_in_force(check, started.round);
            // A game that is named is attached by an event of its own.
            if let (Some(pairing), None) = (started.pairing, &started.game) {
                week::begun(check, pairing);
            }
        }
        E::GameAttached(attached) => {
            results::game_attached(check, attached);
            dates::game_attached(check, attached);
            if attached.attempt == 1 {
                week::begun(check, attached.pairing);
            }
        }
        E::ResultRecorded(result) => {
            results::result_recorded(check, result);
            dates::result_recorded(check, result);
            week::ended(check, result);
        }
        E::ForfeitClaimed(claimed) => forfeits::claimed(check, claimed),
        E::RulingGiven(ruling) => rulings::ruling_given(check, ruling),
        E::DisputeFiled(dispute) => rulings::dispute_filed(check, dispute),
        E::AppealFiled(appeal) => rulings::appeal_filed(check, appeal),
        E::AppealDecided(decided) => rulings::appeal_decided(check, decided),
        E::PenaltyRecorded(penalty) => conduct::recorded(check, penalty),
        E::PenaltyPaid(payment) => conduct::paid(check, payment),
        E::BanRecorded(ban) => conduct::banned(check, ban),
        E::BanLifted(lifted) => conduct::ban_lifted(check, lifted),
        E::FeeRecorded(fee) => money::fee_recorded(check, fee),
        E::RefundRecorded(refund) => money::refunded(check, refund),
        E::PrizeAwarded(prize) => money::awarded(check, prize),
        E::PrizeForfeited(prize) => money::forfeited(check, prize),
        E::PrizeReturned(prize) => money::returned(check, prize),
        E::TablePublished(table) => published::table(check, table),
        E::Closed(closed) => money::close::check(check, closed),
        E::RoundPaired(paired) => week::published(check, paired),
        // No rule covers a gift; `round_check` checks the rest.
        E::ContributionRecorded(_)
        | E::RoundsDeclared(_)
        | E::LotsDrawn(_)
        | E::PairingRevoked(_)
        | E::ColourDrawn(_)
        | E::ColourChosen(_) => {}
    }
    checker.verdicts()
}

/// Whether the rulebook forbids a finding in a game.
pub fn counts_against(rulebook: &Rulebook, code: &str) -> bool {
    findings::rule_of(rulebook, code).is_some()
}

pub fn check_in_play(
    case: &JudgingContext<'_>,
    when: &EventMeta,
    game: &GameId,
    what: &InPlay<'_>,
) -> Vec<Verdict> {
    let mut check = Checker::new(case, when);
    games::in_play(&mut check, game, what);
    check.verdicts()
}

/// Whether an event only dates the end of the challenge match.
fn is_about_the_challenge(event: &TournamentEvent) -> bool {
    let TournamentEvent::ScheduleChanged(changed) = event else { return false };
    changed.schedule.iter().all(|deadline| deadline.milestone == Milestone::ChallengeEnds)
}

/// After the close only money, conduct, publication of programs and the end of the challenge match are
/// recorded.
fn after_the_close(check: &mut Checker<'_>, event: &TournamentEvent) {
    use TournamentEvent as E;
    if check.case.tournament.closed.is_none() {
        return;
    }
    let may = matches!(
        event,
        E::FeeRecorded(_)
            | E::ContributionRecorded(_)
            | E::RefundRecorded(_)
            | E::PenaltyRecorded(_)
            | E::PenaltyPaid(_)
            | E::BanRecorded(_)
            | E::BanLifted(_)
            | E::PrizeAwarded(_)
            | E::PrizeForfeited(_)
            | E::PrizeReturned(_)
            | E::Disqualified(_)
            | E::NoticeGiven(_)
            | E::DisputeFiled(_)
            | E::AppealFiled(_)
            | E::AppealDecided(_)
            | E::ProgramPublished(_)
    ) || is_about_the_challenge(event);
    if !may {
        check.hold(RuleId::Closed, "the closed tournament", false, || {
            ("after the close only money and conduct", format!("`{}`", event.type_name()))
        });
    }
}
