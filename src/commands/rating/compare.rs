//! `annals rating compare`: rating systems scored by their predictions.

use std::process::ExitCode;

use annals_analytics::dates::span;
use annals_analytics::ratings::{Selection, System, Terms, compare_games, compared_document, compared_table};
use annals_report::shell_word;

use super::selection::{GamesArgs, system};
use crate::dataset_session::open_default;
use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
#[cfg(feature = "charts")]
use annals_analytics::ratings::as_argument;

/// Compare how well rating systems predict
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Compare how well rating systems predict\n\n\
        Each system predicts every game from the games that ended before it began, and from the rulings, aliases \
        and merges recorded by then.\n\n\
        The table has the logarithmic loss (0.693 for a coin), the Brier score (0.25), the accuracy, the \
        calibration error (ECE), and the difference from a baseline with its standard error. docs/explanation/ratings.md \
        describes each figure.",
    after_long_help = "Examples:\n  \
        annals rating compare --systems gameroom elo glicko2 whr bradley-terry\n  \
        annals rating compare --systems \"elo k=20\" \"elo k=40\" --baseline \"elo k=30\"\n  \
        annals rating compare --systems whr \"whr advantage=on\" --refit 7d --json"
)]
pub struct Args {
    #[command(flatten)]
    comparison: ComparisonArgs,

    #[command(flatten)]
    form: DocumentArgs,
}

/// Which systems are evaluated, on which games.
#[derive(Debug, clap::Args)]
pub struct ComparisonArgs {
    /// Systems with their options [default: all]
    #[arg(long, value_name = "SYSTEM", num_args = 1.., value_parser = system)]
    systems: Vec<System>,

    /// System with which the others are compared
    #[arg(long, value_name = "SYSTEM", default_value = "constant", value_parser = system)]
    baseline: System,

    /// First day, month or year of the games that are scored
    #[arg(long, value_name = "DATE")]
    from: Option<String>,

    /// Least number of earlier games of both players
    #[arg(long, value_name = "N", default_value_t = 0)]
    seen: u32,

    /// Time between refits of whr and bradley-terry, such as 7d
    #[arg(long, value_name = "TIME", default_value = "30d", value_parser = refit)]
    refit: Refit,

    /// Bins of the calibration
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    bins: u16,

    #[command(flatten)]
    games: GamesArgs,

    /// Only games among these players
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
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
    /// The systems, and how they are evaluated.
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

    /// The games on which they are evaluated.
    pub fn selection(&self, terms: &Terms) -> Selection {
        self.games.selection(terms.baseline.clone(), &self.players)
    }

    /// The same as arguments of a command line, each with a space before it.
    #[cfg(feature = "charts")]
    pub fn words(&self) -> String {
        let mut words = String::new();
        if !self.systems.is_empty() {
            let systems: Vec<String> = self.systems.iter().map(as_argument).collect();
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
            let players: Vec<String> = self.players.iter().map(|name| shell_word(name)).collect();
            words.push_str(&format!(" --players {}", players.join(" ")));
        }
        words
    }
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let (systems, terms) = args.comparison.asked()?;
    args.form.check()?;
    let session = open_default(home)?;
    let (compared, _) = compare_games(&session, &args.comparison.selection(&terms), &systems, &terms)?;
    args.form.write_with_csv(
        &compared,
        || compared_document(&compared),
        |_| compared_table(&compared).csv(),
    )?;
    Ok(ExitCode::SUCCESS)
}
