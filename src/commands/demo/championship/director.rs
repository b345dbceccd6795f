//! What the director does around the games: the announcement, entries and fees, the order of the qualifier, programs in time
//! and too late, and in the end prizes and the close. What the rulebook forbids is tried too, and has to be refused.

use annals_events::tournament::{
    AccountGiven, AccountWithdrawn, Benchmark, BenchmarksDeclared, Disqualification, FeeRecorded,
    HardwareSpecified, PenaltyPaid, ProgramSubmitted, ProgramTested,
};
use annals_events::{Micros, PlayerId, TournamentEvent};
use annals_tournaments::commands::{AnnounceOrder, Command};
use annals_tournaments::rulebook::Rulebook;

use super::cast::Cast;
use crate::commands::demo::desk::{Desk, time};
use crate::commands::demo::entry::{entry, known};
use crate::commands::demo::table::{DAY, HOUR, MINUTE};
use crate::commands::demo::talk::Progress;
use crate::errors::CliError;

/// When the log begins, and the announcement is made a moment later.
pub const LOG_BEGINS: &str = "2014-12-01T10:00";

/// Announces the championship, takes the entries with their fees, and declares the benchmarks.
pub fn open(desk: &mut Desk, cast: &Cast, talk: &Progress) -> Result<(), CliError> {
    let rulebook = Rulebook::named("wcc-2015").map_err(|e| CliError::from_error(&e))?;
    let order = AnnounceOrder {
        name: Some("Computer Championship of the settings".to_owned()),
        year: Some(2015),
        schedule: rulebook.published_schedule(),
        fund: 100_000,
        ..AnnounceOrder::default()
    };
    desk.announce(time("2014-12-01T12:00")?, &rulebook, order)?;

    let mut at = time("2014-12-03T10:00")?;
    for bot in &cast.entrants {
        desk.carry_out(at, &[known(&bot.id, at)?, entry(&bot.id, None)])?;
        let fee = FeeRecorded { player: bot.id.clone(), amount: 1_000, note: None };
        desk.record(at + 5 * MINUTE, TournamentEvent::FeeRecorded(fee))?;
        at += DAY;
    }
    if let Some(bot) = cast.benchmarks.first() {
        let late = time("2015-01-01T09:00")?;
        let refusal =
            desk.refused(late, &[known(&bot.id, late)?, entry(&bot.id, None)], "registration.window")?;
        talk.say(format!("{} wants to enter too, and is refused: {refusal}", bot.id))?;
    }
    let at = time("2015-01-01T12:00")?;
    let mut steps = Vec::new();
    for bot in &cast.benchmarks {
        steps.push(known(&bot.id, at)?);
    }
    let stable = cast.benchmarks.iter();
    let stable = stable
        .map(|bot| Benchmark { player: bot.id.clone(), name: bot.id.to_string(), account: None })
        .collect();
    steps.push(TournamentEvent::BenchmarksDeclared(BenchmarksDeclared { stable }).into());
    desk.carry_out(at, &steps)?;
    talk.say(format!(
        "Announced by the rulebook wcc-2015: {} entrants with their fees, {} benchmarks.",
        cast.entrants.len(),
        cast.benchmarks.len()
    ))
}

/// Publishes the order of the qualifier, and brings eight programs into the final: the fifth is not uploaded in time, and the
/// next in the order comes in its place.
pub fn field(desk: &mut Desk, cast: &Cast, talk: &Progress) -> Result<(), CliError> {
    desk.carry_out(time("2015-02-02T02:00")?, &[Command::Qualify.into()])?;
    let state = desk.state()?;
    let order = state.qualified.last().map(|qualified| qualified.order.clone()).unwrap_or_default();
    talk.say("The order of the qualifier:")?;
    for line in &order {
        let measure = |name: &str| {
            let found = line.measures.iter().find(|measure| measure.name == name);
            found.and_then(|measure| measure.values.first().copied()).unwrap_or(0)
        };
        let (points, played, before) = (measure("points"), measure("played"), measure("losses_before"));
        let through = if line.seed.is_some() { "" } else { "  (not among the eight)" };
        let (rank, player) = (line.rank, &line.player);
        talk.say(format!(
            "{rank:>4}. {player:<24}{points:>3} points of 24, {played:>2} games that count, {before:>3}{through}"
        ))?;
    }
    let through: Vec<PlayerId> =
        order.iter().filter(|line| line.seed.is_some()).map(|line| line.player.clone()).collect();
    let late = through.get(4).cloned();
    machine(desk, time("2015-02-05T09:00")?)?;
    let mut at = time("2015-02-05T10:00")?;
    for player in &through {
        account(desk, player, at)?;
        at += HOUR;
    }
    let mut at = time("2015-02-10T12:00")?;
    for player in through.iter().filter(|player| Some(*player) != late.as_ref()) {
        submit(desk, cast, player, at)?;
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
        let refusal = desk.refused(time("2015-02-22T12:00")?, &early, "disqualification.cause")?;
        talk.say(format!("{late} has uploaded nothing yet, and may still: {refusal}"))?;
        let out = [not_uploaded("No program had come by the deadline").into()];
        desk.carry_out(time("2015-02-23T01:00")?, &out)?;
        let withdrawn = AccountWithdrawn { player: late.clone(), reason: None };
        desk.record(time("2015-02-23T01:30")?, TournamentEvent::AccountWithdrawn(withdrawn))?;
        desk.carry_out(time("2015-02-23T02:00")?, &[Command::Invite { replaces: None }.into()])?;
        let paid = PenaltyPaid { player: late.clone(), amount: 2_000, note: None };
        desk.record(time("2015-02-25T09:00")?, TournamentEvent::PenaltyPaid(paid))?;
        let state = desk.state()?;
        let invited = state.entrants.iter().find(|(_, entrant)| entrant.invited.is_some());
        if let Some((invited, _)) = invited {
            account(desk, invited, time("2015-02-25T12:00")?)?;
            submit(desk, cast, invited, time("2015-02-26T12:00")?)?;
            talk.say(format!("{late} is out, with the penalty; {invited} is invited, and uploads in time."))?;
        }
    }
    let mut at = time("2015-02-27T10:00")?;
    let state = desk.state()?;
    for (player, entrant) in &state.entrants {
        if let Some(digest) = entrant.program.digest() {
            let (player, digest) = (player.clone(), digest.to_owned());
            let withdrawn = AccountWithdrawn { player: player.clone(), reason: None };
            let tested = ProgramTested { player, digest, passed: true, access_closed: true, note: None };
            let events =
                [TournamentEvent::ProgramTested(tested), TournamentEvent::AccountWithdrawn(withdrawn)];
            desk.carry_out(at, &events.map(Into::into))?;
            at += 30 * MINUTE;
        }
    }
    Ok(())
}

/// The machine of the final: both programs of a pairing run on it.
fn machine(desk: &mut Desk, at: Micros) -> Result<(), CliError> {
    let specified = HardwareSpecified {
        hardware: "one core of the computer that plays the demonstration".to_owned(),
        system: Some("the system of that computer".to_owned()),
        price_limit: Some(100_000),
        speed_limit: None,
    };
    desk.record(at, TournamentEvent::HardwareSpecified(specified))
}

fn account(desk: &mut Desk, player: &PlayerId, at: Micros) -> Result<(), CliError> {
    let given = AccountGiven { player: player.clone(), login: None, note: None };
    desk.record(at, TournamentEvent::AccountGiven(given))
}

fn submit(desk: &mut Desk, cast: &Cast, player: &PlayerId, at: Micros) -> Result<(), CliError> {
    let Some(bot) = cast.bot(player) else { return Ok(()) };
    let (program, digest) = (bot.program(), bot.digest());
    let submitted = ProgramSubmitted { player: player.clone(), program, digest, note: None };
    desk.record(at, TournamentEvent::ProgramSubmitted(submitted))
}

/// Awards the prizes and closes.
pub fn close(desk: &mut Desk, talk: &Progress) -> Result<(), CliError> {
    let at = desk.now();
    desk.carry_out(at + 12 * HOUR, &[Command::Award.into()])?;
    desk.close(at + 13 * HOUR, talk)
}
