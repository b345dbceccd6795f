//! The state of a tournament at a cut: its stream folded by `annals_tournaments::Tournament`.

use annals_events::Event;
use annals_tournaments::Tournament;

use crate::context::StandingBans;
use crate::finding::{Finding, out_of_bounds};
use crate::projection::Projection;
use crate::timeline::EffectiveEvent;

#[derive(Debug, Clone, Default)]
pub struct TournamentReplay {
    pub tournament: Tournament,
    /// Recorded and not lifted here.
    pub(crate) bans: StandingBans,
    findings: Vec<Finding>,
    reported: usize,
}

impl Projection for TournamentReplay {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        self.bans.apply(event);
        let decoded = event.decode().map(|entry| entry.event);
        self.findings.extend(decoded.as_ref().ok().and_then(|what| out_of_bounds(event.seq, what)));
        match decoded {
            Ok(Event::Tournament(what)) => {
                if self.tournament.announced.is_none()
                    && self.tournament.events == 0
                    && what.type_name() != "tournament.announced"
                {
                    let message = format!("`{}` before the tournament was announced", what.type_name());
                    self.findings.push(Finding::new(event.seq, "not_announced", message));
                }
                self.tournament.evolve(event.seq, event.effective_at, &what);
                self.findings.extend_from_slice(&self.tournament.findings[self.reported..]);
                self.reported = self.tournament.findings.len();
            }
            Ok(other) => {
                let message = format!("`{}` is no event of a tournament", other.event_type().name());
                self.findings.push(Finding::new(event.seq, "foreign_event", message));
            }
            Err(error) => self.findings.push(Finding::new(event.seq, "unreadable", error.to_string())),
        }
    }

    fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

impl TournamentReplay {
    /// In log order.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}
