//! `annals tournament export`: a recorded tournament as a director's state file, or as FIDE's report.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_ingest::state_file::{ToState, recorded};
use annals_replay::When;
use annals_replay::point::show;
use annals_replay::queries::{TournamentAt, trf};
use annals_replay::subject::find_tournament;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::{diagnostic, one_line, write_json, write_text};
use crate::output_file::{self, ForceArgs};

/// The format of a tournament's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum TournamentForm {
    /// A director's state file
    State,
    /// FIDE's tournament report, TRF16
    Trf,
}

/// Write a tournament as a state file or a FIDE report
///
/// A state file has players with their ratings, rounds, games, byes, removals and returns. `annals tournament import state`
/// reads it again. A FIDE report (TRF16, in UTF-8) has the standings with every round. What the file cannot hold is printed to
/// standard error.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    annals tournament export wcc-2015 -o wcc2015.txt\n  \
    annals tournament export wcc-2015 -o wcc2015.trf\n  \
    annals tournament export wcc-2015 --as-of round:3")]
pub struct Args {
    /// Tournament
    tournament: String,

    /// Format [default: trf for a file FILE.trf, else state]
    #[arg(long, value_name = "FORMAT")]
    format: Option<TournamentForm>,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    moment: MomentArgs,

    /// Print JSON: the text with the remarks
    #[arg(long)]
    json: bool,
}

impl Args {
    fn form(&self) -> TournamentForm {
        let ending = self.output.as_deref().and_then(Path::extension);
        let by_ending = match ending.is_some_and(|ending| ending.eq_ignore_ascii_case("trf")) {
            true => TournamentForm::Trf,
            false => TournamentForm::State,
        };
        self.format.unwrap_or(by_ending)
    }

    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let log = log_file::open_whole(home)?;
        let stream = find_tournament(&log, &self.tournament)?;
        let (cut, zone) = self.moment.cut(&log, Some(&stream))?;
        let opened = TournamentAt::at(&log, &stream, &cut)?;
        let (text, remarks) = match self.form() {
            TournamentForm::Trf => {
                let file = trf::ask(&opened, &zone)?;
                (file.text, file.remarks)
            }
            TournamentForm::State => {
                let events = opened.renamed_events()?;
                let ToState { file, remarks } =
                    recorded(events.iter().map(|said| (said.seq, said.at, &*said.event)));
                let announced = opened.tournament().announced.as_ref();
                let name = announced.map_or(stream.name(), |announced| announced.name.as_str());
                let mut text = format!("# {}\n# recorded as {stream}", one_line(name));
                if let Some(first) = events.first() {
                    text.push_str(&match first.when() {
                        When::At(at) => format!(", begun {}", show(at, &zone)),
                        When::Within(period) => format!(", begun in {period}"),
                        When::Unknown => String::new(),
                    });
                }
                text.push_str(&format!("\n\n{file}"));
                (text, remarks)
            }
        };
        for remark in &remarks {
            diagnostic(format_args!("note: {}", one_line(remark)));
        }
        if let Some(path) = &self.output {
            output_file::write(path, self.force.force, text.as_bytes())?;
        }
        match &self.output {
            _ if self.json => {
                write_json(&serde_json::json!({ "text": text, "remarks": remarks, "file": self.output }))?;
            }
            None => write_text(&text)?,
            Some(path) => {
                diagnostic(format_args!("note: wrote {}; {}", path.display(), log_file::verified(&log)?))
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
