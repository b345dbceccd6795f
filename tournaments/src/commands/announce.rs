use annals_events::tournament::{Announced, Deadline, Fees, StagePlan};

use crate::rulebook::Rulebook;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnnounceOrder {
    pub name: Option<String>,
    pub year: Option<i32>,
    pub schedule: Vec<Deadline>,
    /// Default: the rulebook's, if it has a price.
    pub fees: Option<Fees>,
    /// Default: the rulebook's.
    pub time_control: Option<String>,
    /// Only if the rulebook has none.
    pub currency: Option<String>,
    pub fund: u64,
    pub directors: Vec<String>,
    pub site: Option<String>,
    pub previous: Option<String>,
    pub note: Option<String>,
}

/// States every reading, so that a later default changes nothing.
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
