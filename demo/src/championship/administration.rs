//! The director's work around the games: announcement, entries, fees, qualifier, programs in and out of time, prizes,
//! close. Forbidden commands are tried, and must be rejected.

use annals_events::tournament::{
    AccountGiven, AccountWithdrawn, Benchmark, BenchmarksDeclared, Disqualification, FeeRecorded,
    HardwareSpecified, PenaltyPaid, ProgramSubmitted, ProgramTested,
};
use annals_events::{Micros, PlayerId, TournamentEvent};
use annals_tournaments::commands::{AnnounceOrder, Command};
use annals_tournaments::rulebook::Rulebook;

use super::participants::Participants;
use crate::director::{Director, time};
use crate::entry::{entry, known};
use crate::game_in_play::{DAY, HOUR, MINUTE};
use crate::{DemoError, Progress};

/// The name of the tournament.
pub const CUP: &str = "cup";

/// The announcement follows a moment later.
pub const LOG_BEGINS: &str = "2014-12-01T10:00";

/// Announces the championship, registers entries with fees, and declares the benchmarks.
pub fn open(
    director: &mut Director,
    participants: &Participants,
    progress: &dyn Progress,
) -> Result<(), DemoError> {
    let rulebook = Rulebook::named("wcc-2015")?;
    let order = AnnounceOrder {
        name: Some("Computer Championship of the settings".to_owned()),
        year: Some(2015),
        schedule: rulebook.published_schedule(),
        fund: 100_000,
        ..AnnounceOrder::default()
    };
    director.announce(time("2014-12-01T12:00")?, &rulebook, order)?;

    let mut at = time("2014-12-03T10:00")?;
    for bot in &participants.entrants {
        director.carry_out(at, &[known(&bot.id, at)?, entry(&bot.id, None)])?;
        let fee = FeeRecorded { player: bot.id.clone(), amount: 1_000, note: None };
        director.record(at + 5 * MINUTE, TournamentEvent::FeeRecorded(fee))?;
        at += DAY;
    }
    if let Some(bot) = participants.benchmarks.first() {
        let late = time("2015-01-01T09:00")?;
        let refusal =
            director.refused(late, &[known(&bot.id, late)?, entry(&bot.id, None)], "registration.window")?;
        progress.say(&format!("{} wants to enter too, and is refused: {refusal}", bot.id))?;
    }
    let at = time("2015-01-01T12:00")?;
    let mut steps = Vec::new();
    for bot in &participants.benchmarks {
        steps.push(known(&bot.id, at)?);
    }
    let stable = participants.benchmarks.iter();
    let stable = stable
        .map(|bot| Benchmark { player: bot.id.clone(), name: bot.id.to_string(), account: None })
        .collect();
    steps.push(TournamentEvent::BenchmarksDeclared(BenchmarksDeclared { stable }).into());
    director.carry_out(at, &steps)?;
    progress.say(&format!(
        "Announced by the rulebook wcc-2015: {} entrants with their fees, {} benchmarks.",
        participants.entrants.len(),
        participants.benchmarks.len()
    ))
}

/// Publishes the qualifier's order, and admits eight programs to the final: the fifth is late, and the next in the
/// order replaces it.
pub fn field(
    director: &mut Director,
    participants: &Participants,
    progress: &dyn Progress,
) -> Result<(), DemoError> {
    director.carry_out(time("2015-02-02T02:00")?, &[Command::Qualify.into()])?;
    let state = director.state()?;
    let order = state.qualified.last().map(|qualified| qualified.order.clone()).unwrap_or_default();
    progress.say("The order of the qualifier:")?;
    for line in &order {
        let measure = |name: &str| {
            let found = line.measures.iter().find(|measure| measure.name == name);
            found.and_then(|measure| measure.values.first().copied()).unwrap_or(0)
        };
        let (points, played, before) = (measure("points"), measure("played"), measure("losses_before"));
        let through = if line.seed.is_some() { "" } else { "  (not among the eight)" };
        let (rank, player) = (line.rank, &line.player);
        progress.say(&format!(
            "{rank:>4}. {player:<24}{points:>3} points of 24, {played:>2} games that count, {before:>3}{through}"
        ))?;
    }
    let through: Vec<PlayerId> =
        order.iter().filter(|line| line.seed.is_some()).map(|line| line.player.clone()).collect();
    let late = through.get(4).cloned();
    machine(director, time("2015-02-05T09:00")?)?;
    let mut at = time("2015-02-05T10:00")?;
    for player in &through {
        account(director, player, at)?;
        at += HOUR;
    }
    let mut at = time("2015-02-10T12:00")?;
    for player in through.iter().filter(|player| Some(*player) != late.as_ref()) {
        submit(director, participants, player, at)?;
        at += DAY;
    }
    if let Some(late) = &late {
        let not_uploaded = |reason: &str| Command::Disqualify {
            player: late.clone(),
            cause: Disqualification::NotUploaded,
            reason: Some(reason.to_owned()),
            rules: Vec::new(),
        };
        let early = [not_uploaded("No program has come").into()];
        let refusal = director.refused(time("2015-02-22T12:00")?, &early, "disqualification.cause")?;
        progress.say(&format!("{late} has uploaded nothing yet, and may still: {refusal}"))?;
        let out = [not_uploaded("No program had come by the deadline").into()];
        director.carry_out(time("2015-02-23T01:00")?, &out)?;
        let withdrawn = AccountWithdrawn { player: late.clone(), reason: None };
        director.record(time("2015-02-23T01:30")?, TournamentEvent::AccountWithdrawn(withdrawn))?;
        director.carry_out(time("2015-02-23T02:00")?, &[Command::Invite { replaces: None }.into()])?;
        let paid = PenaltyPaid { player: late.clone(), amount: 2_000, note: None };
        director.record(time("2015-02-25T09:00")?, TournamentEvent::PenaltyPaid(paid))?;
        let state = director.state()?;
        let invited = state.entrants.iter().find(|(_, entrant)| entrant.invited.is_some());
        if let Some((invited, _)) = invited {
            account(director, invited, time("2015-02-25T12:00")?)?;
            submit(director, participants, invited, time("2015-02-26T12:00")?)?;
            progress.say(&format!(
                "{late} is out, with the penalty; {invited} is invited, and uploads in time."
            ))?;
        }
    }
    let mut at = time("2015-02-27T10:00")?;
    let state = director.state()?;
    for (player, entrant) in &state.entrants {
        if let Some(digest) = entrant.program.digest() {
            let (player, digest) = (player.clone(), digest.to_owned());
            let withdrawn = AccountWithdrawn { player: player.clone(), reason: None };
            let tested = ProgramTested { player, digest, passed: true, access_closed: true, note: None };
            let events =
                [TournamentEvent::ProgramTested(tested), TournamentEvent::AccountWithdrawn(withdrawn)];
            director.carry_out(at, &events.map(Into::into))?;
            at += 30 * MINUTE;
        }
    }
    Ok(())
}

/// Both programs of a pairing run on it.
fn machine(director: &mut Director, at: Micros) -> Result<(), DemoError> {
    let specified = HardwareSpecified {
        hardware: "one core of the computer that plays the demonstration".to_owned(),
        system: Some("the system of that computer".to_owned()),
        price_limit: Some(100_000),
        speed_limit: None,
    };
    director.record(at, TournamentEvent::HardwareSpecified(specified))
}

fn account(director: &mut Director, player: &PlayerId, at: Micros) -> Result<(), DemoError> {
    let given = AccountGiven { player: player.clone(), login: None, note: None };
    director.record(at, TournamentEvent::AccountGiven(given))
}

fn submit(
    director: &mut Director,
    participants: &Participants,
    player: &PlayerId,
    at: Micros,
) -> Result<(), DemoError> {
    let Some(bot) = participants.bot(player) else { return Ok(()) };
    let (program, digest) = (bot.program(), bot.digest());
    let submitted = ProgramSubmitted { player: player.clone(), program, digest, note: None };
    director.record(at, TournamentEvent::ProgramSubmitted(submitted))
}

pub fn close(director: &mut Director, progress: &dyn Progress) -> Result<(), DemoError> {
    let at = director.now();
    director.carry_out(at + 12 * HOUR, &[Command::Award.into()])?;
    director.close(at + 13 * HOUR, progress)
}
