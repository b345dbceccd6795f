//! The file of a chart, and the tournament that it shows.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_analytics::Session;
use annals_analytics::charts::{of_log, of_verified_log};
use annals_analytics::citations::identifier;
use annals_analytics::game_view::GameView;
use annals_charts::{Drawn, Picture};
use annals_events::StreamName;
use annals_replay::subject::find_tournament;
use annals_replay::{Cut, Identifier};
use annals_store::Log;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::{damage, damage_line, diagnostic};
use crate::output_file::{self, ForceArgs, write_picture};
use crate::provenance::{self, SidecarArgs};

/// Where a chart goes.
#[derive(Debug, clap::Args)]
pub struct PictureArgs {
    /// Picture to write, .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// File for the figures of the chart as CSV
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    sidecar: SidecarArgs,
}

impl PictureArgs {
    /// Returns an error if a file cannot be written, before anything is computed.
    pub fn check(&self) -> Result<(), CliError> {
        Picture::of(&self.output)?;
        self.sidecar.check(self.data.as_deref(), self.force.force)?;
        if self.data.as_ref() == Some(&self.output) {
            return Err(CliError::new("--output and --data name the same file").hint("name two files"));
        }
        let files = std::iter::once(&self.output).chain(&self.data);
        files.into_iter().try_for_each(|path| output_file::check(path, self.force.force))
    }

    /// Whether the picture is a PNG.
    pub fn is_png(&self) -> bool {
        matches!(Picture::of(&self.output), Ok(Picture::Png))
    }

    /// Writes a chart and its figures.
    pub fn write(&self, chart: &impl Drawn) -> Result<ExitCode, CliError> {
        self.write_as(chart, &chart.draw(Picture::of(&self.output)?)?)
    }

    /// Writes a chart that is drawn already, and its figures.
    pub fn write_as(&self, chart: &impl Drawn, picture: &[u8]) -> Result<ExitCode, CliError> {
        write_picture(picture, chart.title(), &provenance::present(), &self.output, self.force.force)?;
        if let Some(path) = &self.data {
            output_file::write(path, self.force.force, (damage_line() + &chart.data()?).as_bytes())?;
            self.sidecar.write(Some(path), self.force.force)?;
        }
        diagnostic(format_args!("note: {} in {}", chart.title(), self.output.display()));
        Ok(ExitCode::SUCCESS)
    }
}

/// The tournament of a chart.
#[derive(Debug, clap::Args)]
pub struct TournamentArgs {
    /// Tournament
    tournament: String,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

impl TournamentArgs {
    /// Draws the tournament at the point in time. `command` is the command for its name.
    pub fn draw<C: Drawn>(
        &self,
        home: &Home,
        command: impl FnOnce(&str) -> String,
        chart: impl FnOnce(&Log, &StreamName, &Cut, String) -> Result<C, CliError>,
    ) -> Result<ExitCode, CliError> {
        self.picture.check()?;
        let log = log_file::open(home)?;
        let stream = find_tournament(&log, &self.tournament)?;
        let (cut, _) = self.moment.cut(&log, Some(&stream))?;
        note_stream(&log, &stream, &cut)?;
        let command = command(stream.name()) + &self.moment.words();
        let source = source_of_log(&log, &cut, &command)?;
        self.picture.write(&chart(&log, &stream, &cut, source)?)
    }
}

/// Notes that a picture is made from a game of a file.
pub fn note_file(name: &str) {
    let file = Path::new(name).file_name().map(|name| name.to_string_lossy());
    provenance::made_from(file.as_deref().unwrap_or(name));
}

/// Notes that a picture is made from a game of the dataset.
pub fn note_stored(session: &Session, game: &GameView) {
    if let Some(identifier) = identifier(session.dataset(), game.game_id) {
        provenance::made_from(identifier);
    }
}

/// Notes that a picture is made from a game or a tournament at a cut.
pub fn note_stream(log: &Log, stream: &StreamName, cut: &Cut) -> Result<(), CliError> {
    if let Some(identifier) = Identifier::of_stream(log, stream, cut)? {
        provenance::made_from(identifier);
    }
    Ok(())
}

/// The source of a chart of the log, with what was verified, or the mark of a damaged log in front.
pub fn source_of_log(log: &Log, cut: &Cut, command: &str) -> Result<String, CliError> {
    Ok(match damage() {
        None => {
            diagnostic(format_args!("note: {}", log_file::verified(log)?));
            of_verified_log(log, cut, command)?
        }
        Some(damage) => format!("DAMAGED LOG: {damage}. {}", of_log(log, cut, command)?),
    })
}
