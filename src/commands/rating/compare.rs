//! `annals rating compare`: systems of ratings judged by what they foretold.

use std::process::ExitCode;

use annals_analytics::dates::span;
use annals_analytics::ratings::{Selection, System, Terms, compare_games, compared_document};

#[cfg(feature = "charts")]
use super::system_in_words;
use super::{GamesArgs, system};
#[cfg(feature = "charts")]
use crate::commands::chart::quoted;
use crate::commands::query::{open_usual, print_answer};
use crate::errors::CliError;
use crate::home::Home;

/// Judge systems of ratings by prediction alone.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Judge systems of ratings by prediction alone. Each foretells every game from the games that were over before it \
        began, by the rulings, aliases and merges that were known by then, and from nothing else; a game whose end no record tells \
        is learnt 30 days after its beginning, and the record of a game that is foretold does not help (`start=record` takes what \
        the first record states once that game is over). `whr` and `bradley-terry` are fitted again at stated intervals. Told are the logarithmic \
        loss (0.693 for a coin), the Brier score (0.25), how often the favourite won, how far the chances lie from what \
        happened, and the difference from a baseline on the same games with its standard error.",
    after_help = "Examples:\n  annals rating compare --systems gameroom elo glicko2 whr bradley-terry\n  \
        annals rating compare --systems \"elo k=20\" \"elo k=40\" --baseline \"elo k=30\" --from 2010\n  \
        annals rating compare --systems whr \"whr advantage=on\" --seen 10 --refit 7d --json"
)]
pub struct Args {
    #[command(flatten)]
    comparison: ComparisonArgs,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Which systems are judged, on which games.
#[derive(Debug, clap::Args)]
pub struct ComparisonArgs {
    /// The systems, each with its options; all where none is named.
    #[arg(long, value_name = "SYSTEM", num_args = 1.., value_parser = system)]
    systems: Vec<System>,

    /// What the others are held against; `constant` is the share of points that Gold has had so far.
    #[arg(long, value_name = "SYSTEM", default_value = "constant", value_parser = system)]
    baseline: System,

    /// Judge only games that began on this day, month or year, or later; what came before is learnt.
    #[arg(long, value_name = "DATE")]
    from: Option<String>,

    /// Judge only games of two players who had each so many games before.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seen: u32,

    /// How often the systems that fit all games at once are fitted again: 7d, 30d.
    #[arg(long, value_name = "TIME", default_value = "30d", value_parser = refit)]
    refit: Refit,

    /// Into how many bins the chances are put for the calibration.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    bins: u16,

    #[command(flatten)]
    games: GamesArgs,

    /// Only games among these players.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    players: Vec<String>,
}

/// A length of time as it was given.
#[derive(Debug, Clone)]
struct Refit {
    #[cfg_attr(
        not(feature = "charts"),
        expect(dead_code, reason = "only charts say how they are made again")
    )]
    given: String,
    micros: i64,
}

fn refit(text: &str) -> Result<Refit, String> {
    annals_ratings::duration(text).map(|micros| Refit { given: text.to_owned(), micros })
}

impl ComparisonArgs {
    /// The systems, and how they are judged.
    pub fn asked(&self) -> Result<(Vec<System>, Terms), CliError> {
        let terms = Terms {
            from: self.from.as_deref().map(span).transpose()?.map(|(from, _)| from),
            seen: self.seen,
            refit: self.refit.micros,
            bins: usize::from(self.bins),
            baseline: self.baseline.clone(),
        };
        let systems = match self.systems.is_empty() {
            true => System::all().into_iter().filter(|system| *system != System::Constant).collect(),
            false => self.systems.clone(),
        };
        Ok((systems, terms))
    }

    /// The games on which they are judged.
    pub fn selection(&self, terms: &Terms) -> Selection {
        self.games.selection(terms.baseline.clone(), &self.players)
    }

    /// The same as words of a command line, each with a space before it.
    #[cfg(feature = "charts")]
    pub fn words(&self) -> String {
        let mut words = String::new();
        if !self.systems.is_empty() {
            let systems: Vec<String> = self.systems.iter().map(system_in_words).collect();
            words.push_str(&format!(" --systems {}", systems.join(" ")));
        }
        if let Some(from) = &self.from {
            words.push_str(&format!(" --from {from}"));
        }
        if self.seen > 0 {
            words.push_str(&format!(" --seen {}", self.seen));
        }
        if self.refit.given != "30d" {
            words.push_str(&format!(" --refit {}", self.refit.given));
        }
        if self.bins != 10 {
            words.push_str(&format!(" --bins {}", self.bins));
        }
        words.push_str(&self.games.words());
        if !self.players.is_empty() {
            let players: Vec<String> = self.players.iter().map(|name| quoted(name)).collect();
            words.push_str(&format!(" --players {}", players.join(" ")));
        }
        words
    }
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let (systems, terms) = args.comparison.asked()?;
    let session = open_usual(home)?;
    let (compared, _) = compare_games(&session, &args.comparison.selection(&terms), &systems, &terms)?;
    print_answer(args.json, &compared, || compared_document(&compared))?;
    Ok(ExitCode::SUCCESS)
}
