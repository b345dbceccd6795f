//! Entries, ratings, withdrawals: who may take part, and by when. The announcement is judged beside it.

use annals_events::tournament::{
    Milestone, PlayerRegistered, PlayerReinstated, PlayerWithdrawn, RatingsRecorded, Stage, Withdrawal,
};
use annals_events::{Micros, PlayerId, PlayerKind, TournamentEvent};

use super::{Bench, announcement};
use crate::commands::published_schedule;
use crate::formats::qualifier::propose as qualifier;
use crate::rulebook::{RuleId, Rulebook};
use crate::state::Round;
use crate::state::calendar::{date, utc};
use crate::state::{Entrant, Leaving, Left, Tournament};

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::Announced(announced) => announcement::announced(bench, announced),
        TournamentEvent::ScheduleChanged(changed) => announcement::schedule_changed(bench, changed),
        TournamentEvent::PlayerRegistered(entry) => registered(bench, entry),
        TournamentEvent::RatingsRecorded(recorded) => ratings(bench, recorded),
        TournamentEvent::PlayerWithdrawn(withdrawn) => withdrawn_by(bench, withdrawn),
        TournamentEvent::PlayerReinstated(back) => reinstated(bench, back),
        _ => {}
    }
}

/// Whether a player entered at all.
pub(crate) fn known(bench: &mut Bench<'_>, subject: &str, player: &PlayerId) -> bool {
    let known = bench.case.tournament.entrants.contains_key(player);
    bench.hold(RuleId::RegistrationKnown, subject, known, || {
        ("a player who entered".to_owned(), format!("`{player}` never entered"))
    });
    known
}

/// Whether a player entered and is still in.
pub(crate) fn taking_part(bench: &mut Bench<'_>, subject: &str, player: &PlayerId) -> bool {
    if !known(bench, subject, player) {
        return false;
    }
    let entrant = bench.case.tournament.entrants.get(player);
    let left = entrant.and_then(|entrant| entrant.left.as_ref());
    bench.hold(RuleId::RegistrationStanding, subject, left.is_none(), || {
        let found = left.map_or(String::new(), |left| {
            format!("`{player}` {} at {} (event {})", way(left.how), utc(left.at), left.seq)
        });
        ("a player who is still in".to_owned(), found)
    });
    left.is_none()
}

/// How somebody left, in words.
pub(super) const fn way(how: Leaving) -> &'static str {
    match how {
        Leaving::Own => "withdrew",
        Leaving::Forfeit => "was out by a forfeit",
        Leaving::Removed => "was removed",
        Leaving::Disqualified => "was disqualified",
        Leaving::Lapsed => "let the invitation lapse",
    }
}

fn registered(bench: &mut Bench<'_>, entry: &PlayerRegistered) {
    let case = bench.case;
    let subject = format!("the entry of {}", entry.player);
    let admitted = case.rulebook.players;
    bench.hold(RuleId::EligibilityKind, &subject, admitted.contains(&entry.kind), || {
        let words: Vec<&str> = admitted.iter().map(|kind| kind.word()).collect();
        (
            format!("players of the kind {}", words.join(" or ")),
            format!("`{}` is a {}", entry.player, entry.kind.word()),
        )
    });
    window(bench, &subject);
    let before = case.tournament.entrants.get(&entry.player);
    bench.hold(RuleId::RegistrationOnce, &subject, before.is_none(), || {
        let found = before.map_or(String::new(), |before| {
            format!("`{}` entered at {} (event {})", entry.player, utc(before.entry.at), before.entry.seq)
        });
        ("one entry; who had withdrawn is reinstated".to_owned(), found)
    });
    developers(bench, &subject, entry);
    bans(bench, &subject, entry);
}

/// Entries are made after the opening, before the close, and before play.
fn window(bench: &mut Bench<'_>, subject: &str) {
    let (tournament, at) = (bench.case.tournament, bench.when.at);
    if let Some(stands) = play_rests_on(tournament) {
        bench.hold(RuleId::RegistrationWindow, subject, false, || {
            ("an entry before the field is fixed".to_owned(), format!("entered when {stands}"))
        });
        return;
    }
    let opens = date(tournament, Milestone::RegistrationOpens);
    let closes = date(tournament, Milestone::RegistrationCloses);
    let begins = date(tournament, Milestone::PlayBegins);
    if let Some(opens) = opens.filter(|opens| at <= *opens) {
        bench.hold(RuleId::RegistrationWindow, subject, false, || {
            (format!("an entry after {}", utc(opens)), format!("entered at {}", utc(at)))
        });
        return;
    }
    if let Some(due) = [closes, begins].into_iter().flatten().find(|due| at >= *due) {
        bench.hold(RuleId::RegistrationWindow, subject, false, || {
            (format!("an entry before {}", utc(due)), format!("entered at {}", utc(at)))
        });
        return;
    }
    if let Some(due) = closes.filter(|due| dated_back(bench, *due)) {
        return bench.open(RuleId::RegistrationWindow, subject, late_entry(bench, due));
    }
    let told = |milestone, date: Option<_>| {
        date.is_some()
            || published_schedule(bench.case.rulebook).iter().all(|deadline| deadline.milestone != milestone)
    };
    if told(Milestone::RegistrationOpens, opens) && told(Milestone::RegistrationCloses, closes) {
        bench.hold(RuleId::RegistrationWindow, subject, true, Default::default);
    } else {
        bench.open(
            RuleId::RegistrationWindow,
            subject,
            "the schedule does not say when registration opens and closes",
        );
    }
}

/// Whether something that is due came into the log when it was too late, and is said to have happened in time. An import
/// is always late, and says nothing by it.
pub(crate) fn dated_back(bench: &Bench<'_>, due: Micros) -> bool {
    !bench.when.imported && bench.when.at < due && bench.when.recorded_at >= due
}

/// What is to be said of that.
pub(crate) fn late_entry(bench: &Bench<'_>, due: Micros) -> String {
    format!(
        "it is said to have happened at {}, and came into the log at {}, after the deadline at {}",
        utc(bench.when.at),
        utc(bench.when.recorded_at),
        utc(due)
    )
}

/// What already rests on who entered.
fn play_rests_on(tournament: &Tournament) -> Option<&'static str> {
    if tournament.closed.is_some() {
        Some("the tournament is closed")
    } else if !tournament.rounds.is_empty() {
        Some("a round is paired")
    } else if !tournament.qualified.is_empty() {
        Some("the order of a stage is published")
    } else {
        None
    }
}

/// A name as developers are compared: neither case nor spacing makes another person.
pub(crate) fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn developers(bench: &mut Bench<'_>, subject: &str, entry: &PlayerRegistered) {
    if entry.developers.is_empty() {
        let why = "no developer is named, so it cannot be told whether another program is theirs";
        return bench.open(RuleId::RegistrationOnePerDeveloper, subject, why);
    }
    let team: Vec<String> = entry.developers.iter().map(|name| folded(name)).collect();
    let other = bench.case.tournament.entrants.iter().find_map(|(player, entrant)| {
        if *player == entry.player || entrant.left.is_some() {
            return None;
        }
        let shared = entrant.entry.fact.developers.iter().find(|name| team.contains(&folded(name)))?;
        Some((player, shared))
    });
    bench.hold(RuleId::RegistrationOnePerDeveloper, subject, other.is_none(), || {
        let found = other.map_or(String::new(), |(player, name)| {
            format!("{name} has entered `{player}` and would enter `{}` too", entry.player)
        });
        ("one program for each developer".to_owned(), found)
    });
}

fn bans(bench: &mut Bench<'_>, subject: &str, entry: &PlayerRegistered) {
    let (case, at) = (bench.case, bench.when.at);
    let series = case.tournament.announced.as_ref().and_then(|announced| announced.series.as_deref());
    let series = series.or(case.rulebook.series);
    let team: Vec<String> = entry.developers.iter().map(|name| folded(name)).collect();
    let standing = case.around.bans().iter().find(|standing| {
        let ban = &standing.ban;
        let binds =
            ban.player == entry.player || ban.developers.iter().any(|name| team.contains(&folded(name)));
        let here = ban.series.is_none() || ban.series.as_deref() == series;
        binds && here && standing.at <= at && ban.until.is_none_or(|until| at < until)
    });
    bench.hold(RuleId::RegistrationBan, subject, standing.is_none(), || {
        let found = standing.map_or(String::new(), |standing| {
            let until =
                standing.ban.until.map_or("for ever".to_owned(), |until| format!("until {}", utc(until)));
            format!(
                "a ban of `{}` stands {until} ({}, event {}): {}",
                standing.ban.player, standing.tournament, standing.seq, standing.ban.reason
            )
        });
        ("nobody whom a ban binds".to_owned(), found)
    });
}

/// Who comes back by a reinstatement or by a ruling: whether the event still has a place for them, and whether they could
/// enter it.
pub(crate) fn returns(bench: &mut Bench<'_>, subject: &str, player: &PlayerId) {
    let tournament = bench.case.tournament;
    let Some(entrant) = tournament.entrants.get(player) else { return };
    let Some(left) = entrant.left.as_ref() else { return };
    if let Some(why) = gone_on_without(tournament, bench.case.rulebook, player, left) {
        bench.hold(RuleId::RegistrationStanding, format!("{subject}, place"), false, || {
            let expected = "a player whom the event has not gone on without".to_owned();
            (
                expected,
                format!("`{player}` {} at {} (event {}); {why}", way(left.how), utc(left.at), left.seq),
            )
        });
    }
    if entrant.kind == PlayerKind::Bot {
        developers(bench, subject, &entrant.entry.fact);
    }
    bans(bench, subject, &entrant.entry.fact);
}

/// Why the event has gone on without somebody who left: the present stage was paired without them, their place was given
/// to another, or the order was published without them.
fn gone_on_without(
    tournament: &Tournament,
    rulebook: &Rulebook,
    player: &PlayerId,
    left: &Left,
) -> Option<String> {
    if let Some((number, first)) = first_of_the_stage(tournament) {
        if left.seq < first.paired.seq {
            return Some(format!("round {number} of the {} was paired without them", first.stage));
        }
        let goes_on = tournament.qualified.last().is_some_and(|published| published.from == first.stage);
        if !goes_on {
            return None;
        }
    }
    let seated = tournament
        .entrants
        .get(player)
        .is_some_and(|entrant| entrant.seed.is_some() || entrant.invited.is_some());
    let invites = rulebook.invitation.is_some() && left.after_round == 0;
    if invites && seated && !qualifier::vacancies(tournament, rulebook).contains(player) {
        let in_their_place = |other: &Entrant| {
            other.invited.as_ref().is_some_and(|one| one.fact.replaces.as_ref() == Some(player))
        };
        let other = tournament.entrants.iter().find(|(_, other)| in_their_place(other));
        let other = other.map_or("another".to_owned(), |(other, _)| format!("`{other}`"));
        return Some(format!("{other} was invited in their place"));
    }
    passed_over(tournament, player).map(|from| {
        format!("the order of the {from} was published without them; it would have to be struck first")
    })
}

/// The stage whose order was published when somebody was out, so that the places passed on, while nothing of the next
/// stage is paired.
fn passed_over(tournament: &Tournament, player: &PlayerId) -> Option<Stage> {
    let published = tournament.qualified.last()?;
    let place = published.order.iter().find(|place| place.player == *player);
    let last = published.order.iter().filter(|place| place.seed.is_some()).map(|place| place.rank).max();
    let keeps = place.is_some_and(|place| place.seed.is_some() || last.is_none_or(|last| place.rank > last));
    (!keeps).then_some(published.from)
}

/// The first round of the stage that is being played.
fn first_of_the_stage(tournament: &Tournament) -> Option<(u32, &Round)> {
    let present = tournament.rounds.values().next_back()?.stage;
    tournament.rounds.iter().find(|(_, round)| round.stage == present).map(|(number, round)| (*number, round))
}

/// The rule that ratings make an order by, where the rulebook has one.
fn rated_order(bench: &Bench<'_>) -> Option<RuleId> {
    [RuleId::SwissOrder, RuleId::QualifierUnplayed, RuleId::RingOrder]
        .into_iter()
        .find(|rule| bench.has(*rule))
}

fn ratings(bench: &mut Bench<'_>, recorded: &RatingsRecorded) {
    if let (Some(rule), Some(stands)) = (rated_order(bench), play_rests_on(bench.case.tournament)) {
        bench.hold(rule, "the ratings", false, || {
            ("the ratings of before the tournament".to_owned(), format!("recorded when {stands}"))
        });
    }
    for rating in &recorded.ratings {
        known(bench, &format!("the rating of {}", rating.player), &rating.player);
    }
    for (i, rating) in recorded.ratings.iter().enumerate() {
        let other = recorded.ratings.iter().take(i).find(|other| other.player == rating.player);
        if let Some(other) = other.filter(|other| other.rating != rating.rating) {
            bench.hold(RuleId::RegistrationKnown, format!("the rating of {}", rating.player), false, || {
                ("one rating of each player".to_owned(), format!("{} and {}", other.rating, rating.rating))
            });
        }
    }
}

fn withdrawn_by(bench: &mut Bench<'_>, withdrawn: &PlayerWithdrawn) {
    let player = &withdrawn.player;
    let subject = format!("the withdrawal of {player}");
    if !taking_part(bench, &subject, player) || withdrawn.how != Withdrawal::Forfeit {
        return;
    }
    let lost = bench.case.tournament.forfeits_of(player).next().is_some();
    bench.hold(RuleId::ForfeitRemoved, subject, lost, || {
        ("a game that the player lost by forfeit".to_owned(), format!("`{player}` has lost none by forfeit"))
    });
}

fn reinstated(bench: &mut Bench<'_>, back: &PlayerReinstated) {
    let player = &back.player;
    let subject = format!("the return of {player}");
    if !known(bench, &subject, player) {
        return;
    }
    let tournament = bench.case.tournament;
    let left = tournament.entrants.get(player).and_then(|entrant| entrant.left.as_ref());
    let Some(left) = left else {
        return bench.hold(RuleId::RegistrationStanding, subject, false, || {
            ("a player who is out".to_owned(), format!("`{player}` is in"))
        });
    };
    returns(bench, &subject, player);
    match left.how {
        Leaving::Disqualified | Leaving::Lapsed => {
            let why =
                format!("`{player}` {}; the text does not say how such a player comes back", way(left.how));
            bench.open(RuleId::RegistrationStanding, &subject, why);
        }
        Leaving::Own | Leaving::Forfeit | Leaving::Removed => {
            bench.hold(RuleId::RegistrationStanding, &subject, tournament.closed.is_none(), || {
                ("a tournament that goes on".to_owned(), "it is closed".to_owned())
            });
        }
    }
    if left.how != Leaving::Forfeit && back.appeal.is_none() {
        return;
    }
    let accepted = tournament.appeals.iter().any(|(appeal, decided)| {
        Some(appeal.fact.number) == back.appeal
            && appeal.fact.by == *player
            && decided.as_ref().is_some_and(|decided| decided.accepted)
            && (left.how != Leaving::Forfeit || tournament.is_on_a_forfeit(appeal))
    });
    bench.hold(RuleId::ForfeitRemoved, subject, accepted, || {
        let found = match back.appeal {
            Some(number) => format!("appeal {number} is no accepted appeal of `{player}`"),
            None => "no appeal is named".to_owned(),
        };
        ("an accepted appeal of the player".to_owned(), found)
    });
}
