//! Narratives of money, penalties and bans. Amounts are in the tournament's currency.

use super::narrator::{Narrative, Narrator};
use super::wording::{Why, because, counted, list, money, points};
use crate::tournament::{
    BanLifted, BanRecorded, ContributionRecorded, FeeRecorded, PenaltyPaid, PenaltyRecorded, PrizeAwarded,
    PrizeForfeited, PrizeReturned, RefundRecorded,
};

pub fn fee_recorded(narrator: &Narrator<'_>, e: &FeeRecorded) -> Narrative {
    let what = format!("{} paid a fee of {}.", narrator.name(&e.player), money(e.amount));
    because(what, Why::default().reason(e.note.as_deref()))
}

pub fn contribution_recorded(e: &ContributionRecorded) -> Narrative {
    let what = format!("{} added {} to the prize fund.", e.from, money(e.amount));
    because(what, Why::default().reason(e.note.as_deref()))
}

pub fn refund_recorded(narrator: &Narrator<'_>, e: &RefundRecorded) -> Narrative {
    let what = format!("{} was paid back to {}.", money(e.amount), narrator.name(&e.player));
    because(what, Why::default().reason(e.note.as_deref()).grounds(&e.ground))
}

pub fn penalty_recorded(narrator: &Narrator<'_>, e: &PenaltyRecorded) -> Narrative {
    let what = format!("A penalty of {} was imposed on {}.", money(e.amount), narrator.name(&e.player));
    because(what, Why::default().reason(e.reason.as_str()).grounds(&e.grounds).evidence(&e.evidence))
}

pub fn penalty_paid(narrator: &Narrator<'_>, e: &PenaltyPaid) -> Narrative {
    let what = format!("{} paid a penalty of {}.", narrator.name(&e.player), money(e.amount));
    because(what, Why::default().reason(e.note.as_deref()))
}

pub fn ban_recorded(narrator: &Narrator<'_>, e: &BanRecorded) -> Narrative {
    let with =
        if e.developers.is_empty() { String::new() } else { format!(", with {},", list(&e.developers)) };
    let from =
        e.series.as_ref().map_or("every tournament".to_owned(), |series| format!("the series {series}"));
    let until = e.until.map_or("for ever".to_owned(), |at| format!("until {}", narrator.at(at)));
    let what = format!("{}{with} was banned from {from} {until}.", narrator.name(&e.player));
    because(what, Why::default().reason(e.reason.as_str()).grounds(&e.grounds).evidence(&e.evidence))
}

pub fn ban_lifted(narrator: &Narrator<'_>, e: &BanLifted) -> Narrative {
    let from =
        e.series.as_ref().map_or("every tournament".to_owned(), |series| format!("the series {series}"));
    let what = format!("The ban of {} from {from} was lifted.", narrator.name(&e.player));
    because(what, Why::default().reason(e.reason.as_str()))
}

pub fn prize_awarded(narrator: &Narrator<'_>, e: &PrizeAwarded) -> Narrative {
    let prize = match (&e.thing, e.amount) {
        (Some(thing), 0) => format!("“{thing}”"),
        (Some(thing), amount) => format!("{} and “{thing}”", money(amount)),
        (None, amount) => money(amount),
    };
    let mut earned = Vec::new();
    earned.extend(e.games_won.map(|won| format!("{} won", counted(won, "game"))));
    earned.extend(e.half_points.map(|halves| {
        let noun = if halves == 2 { "point" } else { "points" };
        format!("{} {noun}", points(halves))
    }));
    let earned = if earned.is_empty() { String::new() } else { format!(" for {}", list(&earned)) };
    let what = format!("{} was awarded {prize}{earned}.", narrator.name(&e.player));
    because(what, Why::default().grounds(&e.ground))
}

pub fn prize_forfeited(narrator: &Narrator<'_>, e: &PrizeForfeited) -> Narrative {
    let what =
        format!("{} forfeited a prize of {} before it was paid.", narrator.name(&e.player), money(e.amount));
    because(what, Why::default().reason(e.reason.as_str()).grounds(&e.ground))
}

pub fn prize_returned(narrator: &Narrator<'_>, e: &PrizeReturned) -> Narrative {
    let what = format!("{} gave back {} of a prize.", narrator.name(&e.player), money(e.amount));
    because(what, Why::default().reason(e.reason.as_str()).grounds(&e.ground))
}
