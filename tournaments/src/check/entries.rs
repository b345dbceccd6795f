use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{
    BanLifted, Disqualification, Disqualified, Milestone, PlayerRegistered, PlayerReinstated,
    PlayerWithdrawn, RatingsRecorded, Stage, Withdrawal,
};
use annals_events::{PlayerId, PlayerKind, TournamentId};

use super::Checker;
use super::field::games::not_both;
use crate::context::{StandingBan, names};
use crate::formats::qualifier::propose as qualifier;
use crate::rulebook::{RuleId, Rulebook};
use crate::state::Round;
use crate::state::calendar::{date, utc};
use crate::state::{Entrant, Leaving, Left, Noted, Tournament};

pub(crate) fn known(check: &mut Checker<'_>, subject: &str, player: &PlayerId) -> bool {
    check.entered(RuleId::RegistrationKnown, subject, player)
}

pub(crate) fn taking_part(check: &mut Checker<'_>, subject: &str, player: &PlayerId) -> bool {
    if !known(check, subject, player) {
        return false;
    }
    let entrant = check.case.tournament.entrants.get(player);
    let left = entrant.and_then(|entrant| entrant.left.as_ref());
    check.none(RuleId::RegistrationStanding, subject, left, |left| {
        let found = format!("`{player}` {} at {} (event {})", way(left.how), utc(left.at), left.seq);
        ("a player who is still in", found)
    });
    left.is_none()
}

pub(super) const fn way(how: Leaving) -> &'static str {
    match how {
        Leaving::Own => "withdrew",
        Leaving::Forfeit => "was out by a forfeit",
        Leaving::Removed => "was removed",
        Leaving::Disqualified => "was disqualified",
        Leaving::Lapsed => "let the invitation lapse",
    }
}

pub(super) fn registered(check: &mut Checker<'_>, entry: &PlayerRegistered) {
    let case = check.case;
    let subject = format!("the entry of {}", entry.player);
    let admitted = case.rulebook.players;
    check.hold(RuleId::EligibilityKind, &subject, admitted.contains(&entry.kind), || {
        let words: Vec<&str> = admitted.iter().map(|kind| kind.word()).collect();
        (
            format!("players of the kind {}", words.join(" or ")),
            format!("`{}` is a {}", entry.player, entry.kind.word()),
        )
    });
    window(check, &subject);
    let before = case.tournament.entrants.get(&entry.player);
    check.none(RuleId::RegistrationOnce, &subject, before, |before| {
        let (at, seq) = (utc(before.entry.at), before.entry.seq);
        let found = format!("`{}` entered at {at} (event {seq})", entry.player);
        ("one entry; who had withdrawn is reinstated", found)
    });
    let stable = case.tournament.benchmarks.iter().flat_map(|declared| &declared.stable);
    let mut benchmarks = stable.filter(|_| case.rulebook.edition > 1).map(|benchmark| &benchmark.player);
    if benchmarks.any(|player| *player == entry.player) {
        check.hold(RuleId::QualifierBenchmarks, &subject, false, || not_both(&entry.player));
    }
    developers(check, &subject, entry);
    bans(check, &subject, entry);
    unlimited(check, &subject, entry);
}

fn window(check: &mut Checker<'_>, subject: &str) {
    let (tournament, at) = (check.case.tournament, check.when.at);
    if let Some(why) = play_rests_on(tournament) {
        check.hold(RuleId::RegistrationWindow, subject, false, || {
            ("an entry before the field is fixed", format!("entered when {why}"))
        });
        return;
    }
    let opens = date(tournament, Milestone::RegistrationOpens);
    let closes = date(tournament, Milestone::RegistrationCloses);
    let begins = date(tournament, Milestone::PlayBegins);
    let early = opens.filter(|opens| at <= *opens).map(|opens| format!("an entry after {}", utc(opens)));
    let dates = [(closes, Milestone::RegistrationCloses), (begins, Milestone::PlayBegins)];
    let late =
        dates.into_iter().find_map(|(due, milestone)| Some((due.filter(|due| at >= *due)?, milestone)));
    let late = late.map(|(due, milestone)| format!("an entry before {} ({milestone})", utc(due)));
    if let Some(expected) = early.or(late) {
        let found = format!("entered at {}", utc(at));
        return check.hold(RuleId::RegistrationWindow, subject, false, || (expected, found));
    }
    if let Some(due) = closes.filter(|due| check.is_dated_back(*due)) {
        return check.dated_back(RuleId::RegistrationWindow, subject, due);
    }
    let told = |milestone, date: Option<_>| {
        date.is_some() || check.case.rulebook.published.iter().all(|(published, _)| *published != milestone)
    };
    if told(Milestone::RegistrationOpens, opens) && told(Milestone::RegistrationCloses, closes) {
        check.compliant(RuleId::RegistrationWindow, subject);
    } else {
        check.open(
            RuleId::RegistrationWindow,
            subject,
            "the schedule does not say when registration opens and closes",
        );
    }
}

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

fn developers(check: &mut Checker<'_>, subject: &str, entry: &PlayerRegistered) {
    if entry.developers.is_empty() {
        let why = "no developer is named, so it cannot be told whether another program is theirs";
        return check.open(RuleId::RegistrationOnePerDeveloper, subject, why);
    }
    let other = check.case.tournament.entrants.iter().find_map(|(player, entrant)| {
        if *player == entry.player || entrant.left.is_some() {
            return None;
        }
        let shared = entrant.entry.fact.developers.iter().find(|name| names(&entry.developers, name))?;
        Some((player, shared))
    });
    check.none(RuleId::RegistrationOnePerDeveloper, subject, other, |(player, name)| {
        let found = format!("{name} has entered `{player}` and would enter `{}` too", entry.player);
        ("one program for each developer", found)
    });
}

fn bans(check: &mut Checker<'_>, subject: &str, entry: &PlayerRegistered) {
    let (case, at) = (check.case, check.when.at);
    let binds = |ban: &&StandingBan| ban.binds(&entry.player, &entry.developers, case.series(), at);
    let standing = case.context.bans().iter().find(binds);
    check.none(RuleId::RegistrationBan, subject, standing, |StandingBan { tournament, seq, ban, .. }| {
        let until = ban.until.map_or("for ever".to_owned(), |until| format!("until {}", utc(until)));
        let of = format!("a ban of `{}` is in force {until} ({tournament}, event {seq})", ban.player);
        ("a player whom no ban binds", format!("{of}: {}", ban.reason))
    });
}

/// Players who submitted a limited program to an earlier tournament of the series in the log, even without a
/// recorded ban.
fn unlimited(check: &mut Checker<'_>, subject: &str, entry: &PlayerRegistered) {
    let case = check.case;
    let previous = |tournament: &Tournament| -> Option<TournamentId> {
        tournament.announced.as_ref()?.previous.as_ref()?.parse().ok()
    };
    let mut lifted: Vec<&BanLifted> = case.tournament.bans_lifted.iter().collect();
    let (mut seen, mut next, mut limited) = (BTreeSet::new(), previous(case.tournament), None);
    while let (Some(name), None) = (next.take().filter(|name| seen.insert(name.clone())), &limited) {
        let Some(tournament) = case.context.tournament(&name) else { break };
        lifted.extend(&tournament.bans_lifted);
        limited = limited_in(tournament, entry).map(|(player, out)| (name, player, out.seq));
        next = previous(tournament);
    }
    if seen.is_empty() {
        return;
    }
    // Excludes a ban that was lifted since.
    if let Some((_, player, _)) =
        limited.as_ref().filter(|(_, player, _)| lifted.iter().any(|one| one.player == **player))
    {
        let why = format!(
            "`{player}` submitted a limited program; its ban was lifted, and the director answers for it"
        );
        return check.open(RuleId::RegistrationUnlimited, subject, why);
    }
    check.none(RuleId::RegistrationUnlimited, subject, limited, |(name, player, seq)| {
        let found = format!("the program of `{player}` was limited ({name}, event {seq})");
        ("a developer of no limited program of an earlier year", found)
    });
}

/// A player's limited program, or that of one of their developers, in a tournament.
fn limited_in<'t>(
    tournament: &'t Tournament,
    entry: &PlayerRegistered,
) -> Option<(&'t PlayerId, &'t Noted<Disqualified>)> {
    tournament.entrants.iter().find_map(|(player, entrant)| {
        let developers = &entrant.entry.fact.developers;
        let same = *player == entry.player || developers.iter().any(|one| names(&entry.developers, one));
        Some((player, entrant.disqualified_for(Disqualification::LimitedProgram).filter(|_| same)?))
    })
}

/// Checks a return by reinstatement or ruling: whether the event still has a place, and whether the player
/// could enter.
pub(crate) fn returns(check: &mut Checker<'_>, subject: &str, player: &PlayerId) {
    let tournament = check.case.tournament;
    let Some(entrant) = tournament.entrants.get(player) else { return };
    let Some(left) = entrant.left.as_ref() else { return };
    if let Some(why) = gone_on_without(tournament, check.case.rulebook, player, left) {
        check.hold(RuleId::RegistrationStanding, format!("{subject}, place"), false, || {
            let expected = "a player whom the event has not gone on without";
            (
                expected,
                format!("`{player}` {} at {} (event {}); {why}", way(left.how), utc(left.at), left.seq),
            )
        });
    }
    if entrant.kind == PlayerKind::Bot {
        developers(check, subject, &entrant.entry.fact);
    }
    bans(check, subject, &entrant.entry.fact);
    unlimited(check, subject, &entrant.entry.fact);
}

/// Why a player who left cannot return: the present stage was paired or ordered without them, or their place
/// was given to another player.
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
    if rulebook.invitation.is_some() && seated && !qualifier::vacancies(tournament, rulebook).contains(player)
    {
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

/// The stage whose order was published while a player was out, if nothing of the next stage is paired yet.
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

/// The rule that orders by rating, if the rulebook has one.
fn rated_order(check: &Checker<'_>) -> Option<RuleId> {
    [RuleId::SwissOrder, RuleId::QualifierUnplayed, RuleId::RingOrder]
        .into_iter()
        .find(|rule| check.has(*rule))
}

pub(super) fn ratings(check: &mut Checker<'_>, recorded: &RatingsRecorded) {
    if let (Some(rule), Some(why)) = (rated_order(check), play_rests_on(check.case.tournament)) {
        check.hold(rule, "the ratings", false, || {
            ("the ratings of before the tournament", format!("recorded when {why}"))
        });
    }
    for rating in &recorded.ratings {
        known(check, &format!("the rating of {}", rating.player), &rating.player);
    }
    let mut named = BTreeMap::new();
    for rating in &recorded.ratings {
        let other = *named.entry(&rating.player).or_insert(rating);
        if other.rating != rating.rating {
            check.hold(RuleId::RegistrationKnown, format!("the rating of {}", rating.player), false, || {
                ("one rating of each player", format!("{} and {}", other.rating, rating.rating))
            });
        }
    }
}

pub(super) fn withdrawn_by(check: &mut Checker<'_>, withdrawn: &PlayerWithdrawn) {
    let player = &withdrawn.player;
    let subject = format!("the withdrawal of {player}");
    if !taking_part(check, &subject, player) || withdrawn.how != Withdrawal::Forfeit {
        return;
    }
    let lost = check.case.tournament.forfeits_of(player).next().is_some();
    check.hold(RuleId::ForfeitRemoved, subject, lost, || {
        ("a game that the player lost by forfeit", format!("`{player}` has lost none by forfeit"))
    });
}

pub(super) fn reinstated(check: &mut Checker<'_>, back: &PlayerReinstated) {
    let player = &back.player;
    let subject = format!("the return of {player}");
    if !known(check, &subject, player) {
        return;
    }
    let tournament = check.case.tournament;
    let left = tournament.entrants.get(player).and_then(|entrant| entrant.left.as_ref());
    let Some(left) = left else {
        return check.hold(RuleId::RegistrationStanding, subject, false, || {
            ("a player who is out", format!("`{player}` is in"))
        });
    };
    returns(check, &subject, player);
    match left.how {
        Leaving::Disqualified | Leaving::Lapsed => {
            let why =
                format!("`{player}` {}; the text does not say how such a player comes back", way(left.how));
            check.open(RuleId::RegistrationStanding, &subject, why);
        }
        Leaving::Own | Leaving::Forfeit | Leaving::Removed => {
            check.hold(RuleId::RegistrationStanding, &subject, tournament.closed.is_none(), || {
                ("a tournament that goes on", "it is closed")
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
    });
    let heard = left.how != Leaving::Forfeit || tournament.heard(player, None);
    check.hold(RuleId::ForfeitRemoved, subject, accepted && heard, || {
        let found = match back.appeal {
            Some(_) if accepted => format!("no accepted appeal is on another forfeit of `{player}`"),
            Some(number) => format!("appeal {number} is no accepted appeal of `{player}`"),
            None => "no appeal is named".to_owned(),
        };
        ("an accepted appeal of the player".to_owned(), found)
    });
}
