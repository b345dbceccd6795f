//! Announcing a tournament by its rulebook: everything that the rulebook fixes, every reading of its ambiguous texts, and
//! what the organiser adds.

use annals_events::tournament::{Announced, Deadline, Fees, StagePlan};

use crate::rulebook::Rulebook;

/// What an organiser adds to a rulebook.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnnounceOrder {
    /// The name as it is shown; the rulebook's title where it is not given.
    pub name: Option<String>,
    /// The year in its name.
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
pub fn announcement(rulebook: &Rulebook, order: AnnounceOrder) -> Announced {
    Announced {
        name: order.name.unwrap_or_else(|| rulebook.title.to_owned()),
        series: rulebook.series.map(str::to_owned),
        year: order.year,
        rulebook: rulebook.name.to_owned(),
        edition: rulebook.edition,
        options: rulebook.options(),
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
