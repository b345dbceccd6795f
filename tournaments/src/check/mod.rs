//! One event held against the rulebook, as things stood before it. The same judgement serves the desk, which refuses
//! what departs, and the audit, which reports it; so what the desk lets in is what the audit finds in order.
//!
//! Order rules go by the order of the log; deadlines go by when something happened, so that an import of today is not
//! late for 2015. Each file judges the events of one subject.

mod announcement;
mod attempts;
mod bench;
mod conduct;
mod entries;
mod field;
mod games;
mod money;
mod programs;
mod results;
mod rulings;
mod schedule;

use annals_events::{GameId, Micros, TournamentEvent};
use annals_rules::Retraction;

pub(crate) use bench::Bench;
pub(crate) use results::changes_result_of;
pub(crate) use results::first_rule;

use crate::context::TournamentContext;
use crate::rulebook::{RuleId, Rulebook};
use crate::state::Tournament;
use crate::verdict::Verdict;

/// What an event is judged on: the tournament before it, the rulebook, and what is around.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The tournament before the event.
    pub tournament: &'a Tournament,
    /// The rulebook as it is read.
    pub rulebook: &'a Rulebook,
    pub around: &'a dyn TournamentContext,
}

/// Which event is judged, and its two times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    pub seq: u64,
    pub at: Micros,
    /// When the log took it.
    pub recorded_at: Micros,
    /// Whether it was imported: then the time of recording says nothing.
    pub imported: bool,
}

/// Holds an event against the rules.
#[must_use]
pub fn judge(case: &Case<'_>, when: &When, event: &TournamentEvent) -> Vec<Verdict> {
    let mut bench = Bench::new(case, when);
    after_the_close(&mut bench, event);
    entries::judge(&mut bench, event);
    programs::judge(&mut bench, event);
    field::judge(&mut bench, event);
    schedule::judge(&mut bench, event);
    crate::round_check::check(&mut bench, event);
    results::judge(&mut bench, event);
    rulings::judge(&mut bench, event);
    conduct::judge(&mut bench, event);
    money::judge(&mut bench, event);
    bench.verdicts()
}

/// Holds a move that is taken back in a game of a tournament against the rules: who may, and that they say why.
#[must_use]
pub fn judge_retraction(
    case: &Case<'_>,
    when: &When,
    game: &GameId,
    retraction: &Retraction,
) -> Vec<Verdict> {
    let mut bench = Bench::new(case, when);
    games::taken_back(&mut bench, &format!("a move taken back in the game {game}"), retraction);
    bench.verdicts()
}

/// After the close money may still move, and conduct be judged; the record of play stands.
fn after_the_close(bench: &mut Bench<'_>, event: &TournamentEvent) {
    use TournamentEvent as E;
    if bench.case.tournament.closed.is_none() {
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
    );
    if !may {
        bench.hold(RuleId::Closed, "the closed tournament", false, || {
            ("after the close only money and conduct".to_owned(), format!("`{}`", event.type_name()))
        });
    }
}
