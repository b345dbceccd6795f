//! Where generated games go: nowhere, into an archive file, or into the log.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use annals_engine::selfplay::Generated;
use annals_events::{Entry, Event, PROGRAM, StreamName, generated};
use annals_ingest::archive_games::RunningDigest;
use annals_replay::handler::{Draft, ImportError, Importer, SourceNote};

use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file;
use crate::output_file::OutputFile;
use annals_ingest::archive_row::Rows;

/// What is said of the mode of a generated game in an archive.
const MODE: &str = "generated";

/// Where games go.
pub enum Sink<'s> {
    /// They are only counted.
    Nowhere,
    /// Into an archive.
    Archive(Archive<'s>),
    /// Into the log.
    Log(Box<IntoLog<'s>>),
}

impl Sink<'_> {
    /// Takes the next game.
    pub fn take(&mut self, game: &Generated) -> Result<(), CliError> {
        match self {
            Sink::Nowhere => Ok(()),
            Sink::Archive(archive) => archive.take(game),
            Sink::Log(log) => log.take(game),
        }
    }
}

/// An archive that is being written.
pub struct Archive<'s> {
    out: &'s mut dyn Write,
    rows: Rows,
}

impl Archive<'_> {
    fn take(&mut self, game: &Generated) -> Result<(), CliError> {
        let row = self.rows.of(game.game, &game.events)?;
        Ok(self.out.write_all(row)?)
    }
}

/// Games on their way into the log.
pub struct IntoLog<'s> {
    importer: Importer<'s>,
    prefix: String,
    /// The rows of an archive, for a game of which there are archives.
    rows: Option<Rows>,
    /// Of the archive that the games would make, or else of their events: by it the log says what was imported.
    digest: RunningDigest,
    findings: Vec<String>,
}

impl IntoLog<'_> {
    fn take(&mut self, game: &Generated) -> Result<(), CliError> {
        let stream: StreamName =
            format!("game/{}-{}", self.prefix, game.game + 1).parse().hint("choose another --prefix")?;
        let drafts: Result<Vec<Draft>, _> = game
            .events
            .iter()
            .map(|(at, event)| {
                let entry = Entry::from(Event::Game(event.clone()));
                Draft::of_entry(stream.clone(), *at, &entry)
            })
            .collect();
        let drafts = drafts?;
        match &mut self.rows {
            Some(rows) => {
                self.digest.update(rows.of(game.game, &game.events)?);
            }
            None => drafts.iter().for_each(|draft| self.digest.update(draft.payload.as_str().as_bytes())),
        }
        let taken = self.importer.stream(&drafts).map_err(|error| match &error {
            ImportError::Differs { .. } | ImportError::WentOn { .. } => CliError::from_error(&error)
                .hint("the log has other games of this name: choose another --prefix or --seed"),
            _ => CliError::from_error(&error),
        })?;
        self.findings
            .extend(taken.flags.iter().map(|flag| format!("{stream}: {} [{}]", flag.message, flag.code)));
        Ok(())
    }
}

/// Plays into an archive file, or onto standard output for `-`.
pub fn into_file(
    path: &Path,
    force: bool,
    first_id: u64,
    play: &mut dyn FnMut(&mut Sink<'_>) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut rows = Rows::new(first_id, MODE);
    if path.as_os_str() == "-" {
        let mut out = BufWriter::new(io::stdout().lock());
        out.write_all(rows.header())?;
        play(&mut Sink::Archive(Archive { out: &mut out, rows }))?;
        return Ok(out.flush()?);
    }
    let mut file = OutputFile::create(path, force)?;
    file.write_all(rows.header())?;
    play(&mut Sink::Archive(Archive { out: &mut file, rows }))?;
    Ok(file.finish()?)
}

/// Plays into the log of the home; gives what the fold says of the games. `first_id` is the number of the first game in an
/// archive of them, where the game has archives.
pub fn into_log(
    home: &Home,
    seed: u64,
    prefix: &str,
    first_id: Option<u64>,
    play: &mut dyn FnMut(&mut Sink<'_>) -> Result<(), CliError>,
) -> Result<Vec<String>, CliError> {
    let actor = generated::SITE;
    // A bad name is said before a log is made for it.
    format!("game/{prefix}-1").parse::<StreamName>().hint("choose another --prefix")?;
    let mut open = log_file::open_or_create(home, actor, None)?;
    let mut rows = first_id.map(|first_id| Rows::new(first_id, MODE));
    let mut digest = RunningDigest::default();
    if let Some(rows) = &mut rows {
        digest.update(rows.header());
    }
    let importer = Importer::new(&mut open.log, actor)?;
    let into = IntoLog { importer, prefix: prefix.to_owned(), rows, digest, findings: Vec::new() };
    let mut sink = Sink::Log(Box::new(into));
    let played = play(&mut sink);
    let Sink::Log(into) = sink else { return Ok(Vec::new()) };
    // What was played before something went wrong is whole, and stays.
    let (digest, bytes) = into.digest.finish();
    let note = SourceNote {
        source: generated::event(seed),
        format: "selfplay".to_owned(),
        digest,
        bytes,
        program: PROGRAM.to_owned(),
        rejected: 0,
        left_out: 0,
    };
    let counts = into.importer.finish_with(&note, open.now)?;
    played?;
    if counts.events == 0 {
        eprintln!("the log has all of these games already");
    }
    Ok(into.findings)
}
