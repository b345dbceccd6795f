//! `annals log correct`: an event that was entered wrongly, corrected by an event of its own.

use std::collections::BTreeSet;
use std::process::ExitCode;

use annals_events::narrative::Narrator;
use annals_events::tournament::Outcome;
use annals_events::{BoardId, Event, Family, LogEvent, Micros, StreamName};
use annals_replay::handler::{Amendment, Corrector, correct, stranger};
use annals_replay::point::{Stated, show, stated};
use annals_replay::read::game_kind_of;
use annals_replay::tournament_audit::{OverturnedBy, overturned_by};
use annals_replay::{Cut, ReplayError, game_at, tournament_at};
use annals_store::Log;
use annals_tournaments::Board;
use annals_tournaments::refusal::Remedy;
use annals_tournaments::verdict::Compliance;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file::{self, ForAppend};
use crate::moments::{AppendArgs, When};
use crate::output::{diagnostic, write_json, write_lines};
use crate::remedies::hint_about;

/// Correct an event that was entered wrongly
///
/// The correction is an event of its own. The corrected event stays in the log, and `--known-at` shows it as it was. The
/// corrected event is checked by the rules, like a new one.
///
/// A correction repairs the record of what happened. A director who decides that a game counts otherwise gives a ruling.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = "FIELD is a key of the payload, as in `annals schema events TYPE` (`outcome`, `fees.penalty`). An empty VALUE \
    removes it. Amounts are in cents: `amount=1200` is 12.00. `annals tournament history` and `annals log show` print the numbers of events.\n\n\
    Examples:\n  \
    annals log correct 57 outcome=silver --reason \"entered for the wrong side\"\n  \
    annals log correct 57 outcome=gold territory=12 --reason \"misread\" --dry-run\n  \
    annals log correct 57 --happened 2015-03-08T18:00 --reason \"wrong day\"\n  \
    annals log correct 57 --strike --reason \"entered twice\""
)]
pub struct Args {
    /// Number of the event
    seq: u64,

    /// Fields that change
    #[arg(value_name = "FIELD=VALUE", value_parser = field, required_unless_present_any = ["strike", "happened"])]
    fields: Vec<(String, String)>,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// Count the event as never recorded
    #[arg(long, conflicts_with_all = ["fields", "happened"])]
    strike: bool,

    /// Time at which the event happened, if that was wrong
    #[arg(long, value_name = "TIME")]
    happened: Option<String>,

    #[command(flatten)]
    append: AppendArgs,
}

fn field(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| format!("expected FIELD=VALUE, found `{text}`"))?;
    Ok((name.to_owned(), value.to_owned()))
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let When { actor, at, period, zone } = args.append.when.read()?;
    if let Some(period) = period {
        return Err(CliError::new(format!("a correction is made at a time, and `{period}` is none"))
            .hint("`--happened` states when the corrected event happened"));
    }
    let happened = args.happened.as_deref().map(|text| stated(text, &zone)).transpose()?;
    let amendment = match args.strike {
        true => Amendment::Strike,
        false => Amendment::Replace {
            fields: args.fields,
            happened: happened.map(|Stated { at, period }| (at, period)),
        },
    };
    let ForAppend { mut log, now, .. } = log_file::open_existing(home, log_file::clock_at(at))?;
    let by = Corrector { actor: &actor, at, now, reason: &args.reason, dry_run: args.append.dry_run };
    let (directed, corrected_type) = correct(&mut log, args.seq, &amendment, by)?;
    if args.append.json {
        write_json(&directed.to_json()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let time = |at: Micros| show(at, &zone);
    let mut lines = Vec::new();
    for draft in &directed.drafts {
        let game = game_kind_of(&log, &draft.stream)?;
        let narrator = game.map_or_else(|| Narrator::new(&time), |game| Narrator::new(&time).of_game(game));
        if let Event::Log(LogEvent::Correction(correction)) = draft.decode()?.event {
            lines.push(narrator.tell_correction(&correction, &corrected_type).what);
        }
    }
    let shown = directed.verdicts.iter().filter(|verdict| !matches!(verdict.holds, Compliance::Compliant));
    lines.extend(shown.map(|verdict| format!("  {verdict}")));
    lines.extend(directed.appended.map(|appended| appended.head.to_string()));
    write_lines(&lines)?;
    directed.notes().iter().for_each(|note| diagnostic(format_args!("note: {note}")));
    if let Some(player) = stranger(&log, &directed)? {
        diagnostic(format_args!("note: the log knows no player `{player}`"));
    }
    if let (Some(appended), [draft, ..]) = (directed.appended, directed.drafts.as_slice()) {
        overturned(&log, &draft.stream, appended.last_seq);
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints which published decisions are no longer those of the rules: rounds, then awards, the close and others.
fn overturned(log: &Log, stream: &StreamName, correction: u64) {
    if stream.family() == Family::Game.word() {
        return unlike_its_game(log, stream);
    }
    if stream.family() != Family::Tournament.word() {
        return;
    }
    // A record without a known rulebook has no verdicts.
    let OverturnedBy { rounds, events, awards, orders } =
        overturned_by(log, stream, correction).unwrap_or_default();
    // A round after a new order is paired once that is published.
    let (then, pair) = match (orders.is_empty(), rounds.is_empty()) {
        (true, _) => ("; then pair it again", None),
        (false, true) => ("", None),
        (false, false) => ("", Some(Remedy::Pair)),
    };
    for (round, begun) in rounds {
        let state = if begun { ", and has begun" } else { "" };
        diagnostic(format_args!(
            "note: round {round} was published before this correction{state}: by the corrected record it violates the rules"
        ));
        let next = hint_about(stream.name())(&Remedy::RevokeRound(round)).filter(|_| !begun);
        next.iter().for_each(|next| diagnostic(format_args!("  hint: {next}{then}")));
    }
    for (seq, what) in &events {
        let what = what.join(", ");
        diagnostic(format_args!(
            "note: event {seq} was published before this correction: by the corrected record it violates the rules ({what})"
        ));
    }
    let hint = hint_about(stream.name());
    let again = |struck: BTreeSet<u64>, then: Remedy| {
        let then = (!struck.is_empty()).then_some(then);
        struck.into_iter().map(Remedy::Strike).chain(then)
    };
    let remedies: Vec<Remedy> =
        again(orders, Remedy::Qualify).chain(pair).chain(again(awards, Remedy::Award)).collect();
    if !remedies.is_empty() {
        remedies.iter().filter_map(hint).for_each(|next| diagnostic(format_args!("  hint: {next}")));
    } else if !events.is_empty() {
        diagnostic(format_args!(
            "  hint: `annals tournament audit {}` prints what the rules give instead",
            stream.name()
        ));
    }
}

/// Prints how a recorded result is brought in line with the corrected end of its game.
fn unlike_its_game(log: &Log, stream: &StreamName) {
    let Ok(Some((pairing, result, outcome))) = result_unlike(log, stream) else { return };
    diagnostic(format_args!(
        "note: the result of {pairing} (event {result}) is not that of the corrected game"
    ));
    diagnostic(format_args!("  hint: annals log correct {result} outcome={outcome} --reason TEXT"));
}

/// The pairing of a game, the event of its recorded result, and the outcome of the game, if the result has another one.
fn result_unlike(log: &Log, stream: &StreamName) -> Result<Option<(BoardId, u64, Outcome)>, ReplayError> {
    let game = game_at(log, stream, &Cut::NOW)?;
    let (Some(pairing), Some(ended)) = (game.pairing(), game.game().ending()) else { return Ok(None) };
    let Ok(tournament) = format!("tournament/{}", pairing.tournament).parse() else { return Ok(None) };
    let tournament = tournament_at(log, &tournament, &Cut::NOW)?.tournament;
    let Some(result) = tournament.board(pairing.pairing).and_then(Board::result) else { return Ok(None) };
    let outcome = ended.winner.map_or(Outcome::Draw, Outcome::from);
    Ok((result.fact.outcome != outcome).then_some((pairing.pairing, result.seq, outcome)))
}
