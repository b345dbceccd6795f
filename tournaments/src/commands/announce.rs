//! Announcing a tournament by its rulebook: everything that the rulebook fixes, every reading of its ambiguous texts, and
//! what the organiser adds. The published dates of the events of 2009 and 2015 are here as well.

use annals_events::Micros;
use annals_events::tournament::{Announced, Deadline, Fees, Milestone, StagePlan};

use crate::rulebook::Rulebook;
use crate::state::calendar::moment;

/// What an organiser adds to a rulebook.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnnounceOrder {
    /// The name as it is shown; the rulebook's title where it is not given.
    pub name: Option<String>,
    /// The year that it bears.
    pub year: Option<i32>,
    pub schedule: Vec<Deadline>,
    /// The fees, where the rulebook names no price; else the rulebook's are taken.
    pub fees: Option<Fees>,
    /// The time control of every stage, where it is not to be the rulebook's.
    pub time_control: Option<String>,
    /// The currency, where the rulebook names none.
    pub currency: Option<String>,
    /// The prize fund before fees and contributions, in cents.
    pub fund: u64,
    pub directors: Vec<String>,
    pub site: Option<String>,
    /// The tournament of the series before this one.
    pub previous: Option<String>,
    pub note: Option<String>,
}

/// The announcement of a tournament by a rulebook as it is read: with every reading, so that a later default changes
/// nothing.
#[must_use]
pub fn announcement(rulebook: &Rulebook, order: AnnounceOrder) -> Announced {
    Announced {
        name: order.name.unwrap_or_else(|| rulebook.title.to_owned()),
        series: rulebook.series.map(str::to_owned),
        year: order.year,
        rulebook: rulebook.name.to_owned(),
        edition: rulebook.edition,
        options: rulebook.readings.options(rulebook.ambiguous),
        game: rulebook.game,
        stages: rulebook
            .stages
            .iter()
            .map(|stage| StagePlan {
                stage: stage.stage,
                time_control: order.time_control.clone().or_else(|| stage.time_control.map(str::to_owned)),
                rounds: None,
                places: stage.places,
            })
            .collect(),
        schedule: order.schedule,
        currency: rulebook.currency.map(str::to_owned).or(order.currency),
        fees: rulebook.fees.clone().or(order.fees),
        fund: order.fund,
        directors: order.directors,
        site: order.site,
        previous: order.previous,
        note: order.note,
    }
}

/// Eastern Standard Time, in which both sources give their hours; a day without an hour is a day of that time.
const fn eastern(year: i64, month: i64, day: i64, hour: i64) -> Micros {
    moment(year, month, day, hour + 5, 0)
}

/// The dates that the source of a rulebook publishes for its own year; none where it publishes none. Of a day without an
/// hour, what is due then is due by its end, and what begins then begins with it.
#[must_use]
pub fn published_schedule(rulebook: &Rulebook) -> Vec<Deadline> {
    use Milestone as M;
    let dates: &[(Milestone, Micros)] = match rulebook.name {
        "wcc-2015" => &[
            (M::RegistrationOpens, const { eastern(2014, 12, 1, 19) }),
            (M::RegistrationCloses, const { eastern(2014, 12, 31, 19) }),
            (M::QualifyingOpens, const { eastern(2015, 1, 1, 19) }),
            (M::QualifyingCloses, const { eastern(2015, 2, 1, 19) }),
            (M::QualifiersNamed, const { eastern(2015, 2, 1, 24) }),
            (M::AccountsGiven, const { eastern(2015, 2, 8, 24) }),
            (M::ProgramsDue, const { eastern(2015, 2, 22, 19) }),
            (M::TestsDue, const { eastern(2015, 2, 28, 24) }),
            (M::PlayBegins, const { eastern(2015, 3, 1, 0) }),
            (M::PlayEnds, const { eastern(2015, 3, 15, 24) }),
        ],
        "wc-2009" => &[
            (M::RegistrationCloses, const { eastern(2009, 1, 2, 18) }),
            (M::PairingPublished, const { eastern(2009, 1, 4, 20) }),
            (M::PlayBegins, const { eastern(2009, 1, 6, 0) }),
        ],
        _ => &[],
    };
    dates.iter().map(|&(milestone, at)| Deadline { milestone, at }).collect()
}
