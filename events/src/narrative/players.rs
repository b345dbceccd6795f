//! Narratives of participants, requests and notices.

use super::narrator::{Narrative, Narrator};
use super::wording::{Why, because, disqualification, list, notice, part, plain};
use crate::tournament::{
    AvailabilityGiven, Disqualified, InvitationLapsed, Invited, NoticeGiven, PlayerRegistered,
    PlayerReinstated, PlayerWithdrawn, RatingsRecorded, Slot, Withdrawal,
};
use crate::vocabulary::PlayerKind;

pub fn registered(e: &PlayerRegistered) -> Narrative {
    let mut about = Vec::new();
    about.push(match e.kind {
        PlayerKind::Human => "human".to_owned(),
        PlayerKind::Bot if e.developers.is_empty() => "program".to_owned(),
        PlayerKind::Bot => format!("program by {}", list(&e.developers)),
    });
    about.extend(e.rating.map(|rating| format!("rated {rating}")));
    about.extend(e.country.clone());
    about.extend(e.account.map(|account| format!("account {account}")));
    about.extend(e.number.map(|number| format!("number {number} on the entry list")));
    plain(format!("{} registered as {} ({}).", e.name, e.player, about.join(", ")))
}

pub fn ratings_recorded(narrator: &Narrator<'_>, e: &RatingsRecorded) -> Narrative {
    let ratings: Vec<String> =
        e.ratings.iter().map(|r| format!("{} {}", narrator.name(&r.player), r.rating)).collect();
    let what = if ratings.is_empty() {
        "Ratings were recorded, of nobody.".to_owned()
    } else {
        format!("Ratings were recorded, which the rules use from here on: {}.", ratings.join(", "))
    };
    because(what, Why::default().reason(e.source.as_deref()))
}

pub fn withdrawn(narrator: &Narrator<'_>, e: &PlayerWithdrawn) -> Narrative {
    let what = match e.how {
        Withdrawal::Own => format!("{} withdrew and plays no further game.", narrator.name(&e.player)),
        Withdrawal::Forfeit => {
            format!("{} is out after a forfeit and plays no further game.", narrator.name(&e.player))
        }
        Withdrawal::Removed => {
            format!("The director removed {}, who plays no further game.", narrator.name(&e.player))
        }
    };
    because(what, Why::default().reason(e.reason.as_deref()))
}

pub fn reinstated(narrator: &Narrator<'_>, e: &PlayerReinstated) -> Narrative {
    let appeal = part(e.appeal, |appeal| format!(" after appeal {appeal} was accepted"));
    let what = format!("{} was reinstated{appeal}.", narrator.name(&e.player));
    because(what, Why::default().reason(e.reason.as_deref()))
}

pub fn invited(narrator: &Narrator<'_>, e: &Invited) -> Narrative {
    let replaces = part(e.replaces.as_ref(), |gone| format!(" in the place of {}", narrator.name(gone)));
    let due = part(e.due, |at| format!("; the program is due by {}", narrator.at(at)));
    let risk =
        if e.fee_at_risk { "fee and penalty are at risk" } else { "neither fee nor penalty is at risk" };
    let what = format!(
        "{}, number {} in the order, was invited{replaces}{due}; {risk}.",
        narrator.name(&e.player),
        e.rank
    );
    because(what, Why::default().grounds(&e.grounds))
}

pub fn invitation_lapsed(narrator: &Narrator<'_>, e: &InvitationLapsed) -> Narrative {
    let what = format!("The invitation of {} lapsed; no blame goes with it.", narrator.name(&e.player));
    because(what, Why::default().reason(e.reason.as_deref()))
}

pub fn disqualified(narrator: &Narrator<'_>, e: &Disqualified) -> Narrative {
    let what = format!("{} was disqualified for {}.", narrator.name(&e.player), disqualification(e.cause));
    because(what, Why::default().reason(e.reason.as_deref()).grounds(&e.grounds))
}

pub fn availability_given(narrator: &Narrator<'_>, e: &AvailabilityGiven) -> Narrative {
    let round = e.round.map_or("every round until further notice".to_owned(), |n| format!("round {n}"));
    let slot = |slot: &Slot| format!("{} to {}", narrator.at(slot.from), narrator.at(slot.to));
    let slots: Vec<String> = e.slots.iter().map(slot).collect();
    plain(if slots.is_empty() {
        format!("{} named no time to play for {round}.", narrator.name(&e.player))
    } else {
        format!("{} can play, for {round}, best first: {}.", narrator.name(&e.player), slots.join("; "))
    })
}

pub fn notice_given(narrator: &Narrator<'_>, e: &NoticeGiven) -> Narrative {
    let to: Vec<String> = e.to.iter().map(|player| narrator.name(player)).collect();
    let were = if to.len() == 1 { "was" } else { "were" };
    let of = match (e.pairing, e.round) {
        (Some(pairing), _) => format!(" ({pairing})"),
        (None, Some(round)) => format!(" (round {round})"),
        (None, None) => String::new(),
    };
    let words = part(e.text.as_ref(), |text| format!(": “{text}”"));
    let stop = if words.ends_with(".”") { "" } else { "." };
    plain(format!("{} {were} told about {}{of}{words}{stop}", list(&to), notice(e.about)))
}
