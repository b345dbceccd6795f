//! `annals tournament announce` and `close`: the announcement fixes the rulebook and its readings, the close the final order.

use std::process::ExitCode;

use annals_events::Cents;
use annals_events::tournament::Milestone;
use annals_replay::handler::{DirectorSession, Step};
use annals_tournaments::commands::{AnnounceOrder, Command};
use annals_tournaments::formats::swiss::WITHOUT_ROUNDS;
use annals_tournaments::rulebook::Format;

use super::director::{DirectorArgs, Request, print, request};
use crate::commands::game::enter::control;
use crate::commands::tournament::options::OptionArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::output::diagnostic;
use crate::values::assignment;

/// Announce a tournament with its rulebook
///
/// Records the rulebook with its edition and every reading of its ambiguous texts, the stages with their time controls,
/// the dates and the money. Every later event is checked against that rulebook.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    annals tournament announce wcc-2015 --rulebook wcc-2015 --published\n  \
    annals tournament announce cup --rulebook olympiad-amazons-2000 --year 2026\n  \
    annals tournament announce wcc-2016 --rulebook wcc-2015 --option T7=B --tz EST \\\n    \
    --schedule registration_opens=2015-12-01T19:00\n\n\
    Rulebooks: wcc-2015, wc-2009, postal-2006, olympiad-amazons-2000")]
pub struct Args {
    /// Rulebook
    #[arg(long, value_name = "NAME")]
    rulebook: String,

    /// Title [default: the rulebook's title]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Year of the tournament
    #[arg(long, value_name = "YEAR")]
    year: Option<i32>,

    #[command(flatten)]
    options: OptionArgs,

    #[arg(hide_short_help = true, long, value_name = "MILESTONE=TIME", value_parser = assignment::<Milestone, String>,
        help = "Date of a milestone; may be repeated", long_help = with_milestones("Date of a milestone; may be repeated"))]
    schedule: Vec<(Milestone, String)>,

    /// Use the dates that the source of the rulebook publishes
    #[arg(hide_short_help = true, long)]
    published: bool,

    /// Time control of every stage, such as `game 20m`, if the rulebook sets none
    #[arg(long, value_name = "CONTROL", value_parser = control)]
    time_control: Option<String>,

    /// Prize fund before fees and contributions
    #[arg(hide_short_help = true, long, value_name = "AMOUNT", default_value = "0")]
    fund: Cents,

    /// Currency, if the rulebook sets none
    #[arg(hide_short_help = true, long, value_name = "CODE")]
    currency: Option<String>,

    /// Director; may be repeated
    #[arg(long = "director", value_name = "NAME")]
    directors: Vec<String>,

    /// Place of play
    #[arg(hide_short_help = true, long, value_name = "PLACE")]
    site: Option<String>,

    /// Earlier tournament of the series, whose programs can be stand-ins
    #[arg(hide_short_help = true, long, value_name = "TOURNAMENT")]
    previous: Option<String>,

    /// Note
    #[arg(hide_short_help = true, long, value_name = "TEXT")]
    note: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// A help text with the names of all milestones.
pub fn with_milestones(help: &str) -> String {
    let names: Vec<&str> = Milestone::ALL.iter().map(|milestone| milestone.word()).collect();
    format!("{help}\n\nMilestones: {}", names.join(", "))
}

impl Args {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let rulebook = self.options.rulebook(&self.rulebook)?;
        let mut session = self.director.begin(home, true)?;
        let mut schedule = if self.published { rulebook.published_schedule() } else { Vec::new() };
        if self.published && schedule.is_empty() {
            let what = format!("the source of `{}` publishes no dates that can be used", rulebook.name);
            return Err(CliError::new(what).hint("name them with --schedule MILESTONE=TIME"));
        }
        for stated in session.deadlines(&self.schedule)? {
            schedule.retain(|deadline| deadline.milestone != stated.milestone);
            schedule.push(stated);
        }
        schedule.sort_by_key(|deadline| deadline.at);
        let order = AnnounceOrder {
            name: self.name,
            year: self.year,
            schedule,
            time_control: self.time_control,
            fees: None,
            currency: self.currency,
            fund: self.fund.0,
            directors: self.directors,
            site: self.site,
            previous: self.previous,
            note: self.note,
        };
        let directed = session.announce(&rulebook, order);
        let directed = directed.map_err(|error| CliError::from(error).about(session.name.as_str()))?;
        let status = print(&session, &directed, self.director.append.json)?;
        if rulebook.stages.iter().any(|stage| stage.format == Format::Swiss) {
            diagnostic(format_args!(
                "note: up to {WITHOUT_ROUNDS} entrants play no round of the Swiss; all of them are in the final, whatever \
                 `finalists` is"
            ));
        }
        Ok(status)
    }
}

#[derive(Debug, clap::Subcommand)]
pub enum CloseRequest {
    /// Close the tournament with its final order
    ///
    /// Records the final order, the titles and the rest of the fund, as the rulebook gives them. If the rules leave a place
    /// undetermined, a ruling must give it first. Award the prizes before: the close states what is left of the fund.
    ///
    /// If no game has a result, a close that gives a place needs --note, which states why.
    #[command(after_long_help = "Example:\n  annals tournament close wcc-2015 --dry-run")]
    Close {
        /// Note
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
}

impl Request for CloseRequest {
    fn steps(self, _: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let CloseRequest::Close { note } = self;
        request(Command::Close { note })
    }
}
