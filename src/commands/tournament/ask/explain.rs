//! `annals tournament explain`: why a round, a bye, a colour, a rank or a qualifier score is as it is.

use std::process::ExitCode;

use annals_events::BoardId;
use annals_replay::queries::{QueryError, explain};

use super::answer::AnswerArgs;
use crate::errors::CliError;
use crate::home::Home;

/// Explain a round, bye, colour, rank or the qualifier
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Explain a round, bye, colour, rank or the qualifier\n\n\
        Lists the criteria of the rulebook in their order with the values of the round, the bye with its reason, \
        each colour with its rule, the number of equivalent pairings, and whether the published one is among \
        them. For a round that is not paired yet, the result is the one that the rulebook gives.",
    after_help = "Examples:\n  \
        annals tournament explain wcc-2015 3\n  \
        annals tournament explain wcc-2015 3 --why-not sharp ziltoid\n  \
        annals tournament explain wcc-2015 bye 3\n  \
        annals tournament explain wcc-2015 colour r3.2\n  \
        annals tournament explain wcc-2015 rank sharp ziltoid\n  \
        annals tournament explain wcc-2015 qualifier sharp"
)]
pub struct Args {
    /// Tournament
    tournament: String,

    /// Round, or one of `bye`, `colour`, `rank`, `qualifier`
    what: String,

    /// Of `bye` the round, `colour` the pairing, `rank` two players, `qualifier` a player
    of: Vec<String>,

    /// Explain why two players do not meet
    #[arg(long, value_names = ["PLAYER", "OPPONENT"], num_args = 2)]
    why_not: Option<Vec<String>>,

    /// Explain why a player has no bye
    #[arg(long, value_name = "PLAYER")]
    why_no_bye: Option<String>,

    #[command(flatten)]
    answer: AnswerArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let of: Vec<&str> = args.of.iter().map(String::as_str).collect();
    let plain = explain::Asked::default;
    let asks_round = args.what.parse::<u32>().is_ok() || matches!(args.what.as_str(), "bye");
    if !asks_round && (args.why_not.is_some() || args.why_no_bye.is_some()) {
        return Err(CliError::new("--why-not and --why-no-bye are asked of a round")
            .hint(format!("annals tournament explain {} ROUND --why-not A B", args.tournament)));
    }
    let tournament = args.tournament.as_str();
    match (args.what.as_str(), of.as_slice()) {
        ("bye", [round]) => {
            let round = round_number(round)?;
            args.answer.about(home, tournament, |_, opened, _| {
                let asked = asked(&args, opened)?;
                Ok(explain::part(opened, explain::round(opened, round, &asked)?, None))
            })
        }
        ("colour" | "color", [pairing]) => {
            let pairing: BoardId = pairing.parse()?;
            args.answer.about(home, tournament, |_, opened, _| {
                let explained = explain::round(opened, pairing.round, &plain())?;
                let part = explain::part(opened, explained, Some(pairing));
                if part.expected.round.pairs.is_empty() {
                    return Err(QueryError::NoSuchPairing { stream: opened.stream.clone(), pairing });
                }
                Ok(part)
            })
        }
        ("rank", [one, other]) => args.answer.about(home, tournament, |_, opened, _| {
            explain::rank(opened, &opened.player(one)?, &opened.player(other)?)
        }),
        ("qualifier", of @ ([] | [_])) => args.answer.about(home, tournament, |_, opened, _| {
            let player = of.first().map(|name| opened.player(name)).transpose()?;
            explain::qualifier(opened, player.as_ref())
        }),
        (round, []) if round.parse::<u32>().is_ok() => {
            let round = round_number(round)?;
            args.answer.about(home, tournament, |_, opened, _| {
                let asked = asked(&args, opened)?;
                explain::round(opened, round, &asked)
            })
        }
        (what, _) => Err(CliError::new(format!(
            "`{}` cannot be explained",
            [&[what][..], of.as_slice()].concat().join(" ")
        ))
        .reason(
            "expected a round (3), bye 3, colour r3.2, rank PLAYER PLAYER, qualifier, or qualifier PLAYER",
        )),
    }
}

fn round_number(text: &str) -> Result<u32, CliError> {
    text.parse().map_err(|_| CliError::new(format!("`{text}` is no round")).hint("write its number: 3"))
}

/// What is asked besides, with the players found.
fn asked(
    args: &Args,
    opened: &annals_replay::queries::TournamentAt<'_>,
) -> Result<explain::Asked, QueryError> {
    let why_not = match args.why_not.as_deref() {
        Some([one, other]) => Some((opened.player(one)?, opened.player(other)?)),
        _ => None,
    };
    let why_no_bye = args.why_no_bye.as_deref().map(|name| opened.player(name)).transpose()?;
    Ok(explain::Asked { why_not, why_no_bye })
}
