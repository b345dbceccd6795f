//! `annals tournament announce`: a tournament begins with its announcement, which fixes the rulebook and its readings.

use std::process::ExitCode;

use annals_events::tournament::{Deadline, Milestone};
use annals_replay::handler;
use annals_store::Expected;
use annals_tournaments::commands::{AnnounceOrder, announcement};
use annals_tournaments::rulebook::Rulebook;

use super::director::{DirectorArgs, cents, narrate, word};
use crate::commands::game::enter::control;
use crate::errors::CliError;
use crate::home::Home;

/// Announce a tournament with its rulebook
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Announce a tournament with its rulebook\n\n\
        Records the rulebook with its edition and every reading of its ambiguous texts, the stages with their \
        time controls, the dates and the money. Every later event is checked against that rulebook.",
    after_help = "Examples:\n  \
        annals tournament announce wcc-2015 --rulebook wcc-2015 --published\n  \
        annals tournament announce cup --rulebook olympiad-amazons-2000 --year 2026\n  \
        annals tournament announce wcc-2016 --rulebook wcc-2015 --option T7=B --tz EST \\\n    \
        --schedule registration_opens=2015-12-01T19:00\n\n\
        Rulebooks: wcc-2015, wc-2009, postal-2006, olympiad-amazons-2000"
)]
pub struct Args {
    /// Name of the new tournament: lower-case letters, digits, `.`, `-`, `_`
    tournament: String,

    /// Rulebook
    #[arg(long, value_name = "NAME")]
    rulebook: String,

    /// Title [default: the rulebook's title]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Year of the tournament
    #[arg(long, value_name = "YEAR")]
    year: Option<i32>,

    /// Reading of an ambiguous text (T7=B), finalists=12 or piece_points=2/3/5/9/14; may be repeated
    #[arg(long = "option", value_name = "T7=B")]
    options: Vec<String>,

    /// Date of a milestone; may be repeated
    #[arg(long, value_name = "MILESTONE=TIME")]
    schedule: Vec<String>,

    /// Use the dates that the source of the rulebook publishes
    #[arg(long)]
    published: bool,

    /// Time control of every stage, such as `game 20m`, if the rulebook sets none
    #[arg(long, value_name = "CONTROL", value_parser = control)]
    time_control: Option<String>,

    /// Prize fund before fees and contributions
    #[arg(long, value_name = "AMOUNT", value_parser = cents, default_value = "0")]
    fund: u64,

    /// Currency, if the rulebook sets none
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,

    /// Director; may be repeated
    #[arg(long = "director", value_name = "NAME")]
    directors: Vec<String>,

    /// Place of play
    #[arg(long, value_name = "PLACE")]
    site: Option<String>,

    /// Earlier tournament of the series, whose programs can be stand-ins
    #[arg(long, value_name = "TOURNAMENT")]
    previous: Option<String>,

    /// Note
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

impl Args {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let mut rulebook = named(&self.rulebook)?;
        for option in &self.options {
            let (number, value) = halves(option, "T7=B")?;
            rulebook.choose(number, value)?;
        }
        let mut work = self.director.begin(home, &self.tournament)?;
        if work.log.stream_info(&work.stream)?.is_some() {
            return Err(CliError::new(format!("`{}` was announced already", work.stream))
                .hint(format!("choose another name, or look at it: `annals replay {}`", work.name)));
        }
        let mut schedule: Vec<Deadline> = Vec::new();
        if self.published {
            schedule = rulebook.published_schedule();
            if schedule.is_empty() {
                let what =
                    format!("the source of `{}` publishes no dates that can be taken over", rulebook.name);
                return Err(CliError::new(what).hint("give them with --schedule MILESTONE=TIME"));
            }
        }
        for text in &self.schedule {
            let (milestone, at) = halves(text, "registration_opens=2014-12-02T00:00Z")?;
            let milestone = word::<Milestone>(milestone).map_err(CliError::new)?;
            let at = work.time(at)?;
            schedule.retain(|deadline| deadline.milestone != milestone);
            schedule.push(Deadline { milestone, at });
        }
        schedule.sort_by_key(|deadline| deadline.at);
        let order = AnnounceOrder {
            name: self.name,
            year: self.year,
            schedule,
            time_control: self.time_control,
            fees: None,
            currency: self.currency,
            fund: self.fund,
            directors: self.directors,
            site: self.site,
            previous: self.previous,
            note: self.note,
        };
        let announced = annals_events::TournamentEvent::Announced(announcement(&rulebook, order));
        let draft = work.draft(work.stream.clone(), announced)?;
        let directed = if work.dry_run {
            handler::would_append(&work.log, &[draft])?
        } else {
            let expected = [(work.stream.clone(), Expected::NoStream)];
            handler::append_with_verdicts(&mut work.log, &[draft], &work.actor, &expected)?
        };
        narrate(&work, &directed, self.director.json)
    }
}

fn named(name: &str) -> Result<Rulebook, CliError> {
    Rulebook::named(name).map_err(|e| {
        let all = Rulebook::all();
        CliError::from_error(&e).did_you_mean(name, all.iter().map(|rulebook| rulebook.name), "")
    })
}

/// The halves of `NAME=VALUE`.
fn halves<'t>(text: &'t str, example: &str) -> Result<(&'t str, &'t str), CliError> {
    text.split_once('=')
        .ok_or_else(|| CliError::new(format!("`{text}` has no `=`; write for example {example}")))
}
