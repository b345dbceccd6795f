//! Where generated games go: nowhere, into an archive file, or into the log. A file gets its name when it is whole; until then it
//! lies beside it as `NAME.part`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use annals_engine::selfplay::Generated;
use annals_events::{Entry, Event, GameEvent, PROGRAM, StreamName, generated};
use annals_ingest::archive_games::RunningDigest;
use annals_ingest::archive_row::{Transcript, push_game, push_header};
use annals_replay::desk::{Draft, ImportError, Importer, SourceNote};

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;

/// What is said of the mode of a generated game in an archive.
const MODE: &str = "generated";

/// Rows of an archive, made out of games.
struct Rows {
    first_id: u64,
    row: Vec<u8>,
    transcript: Transcript,
}

impl Rows {
    fn new(first_id: u64) -> Rows {
        Rows { first_id, row: Vec::new(), transcript: Transcript::default() }
    }

    fn header(&mut self) -> &[u8] {
        self.row.clear();
        push_header(&mut self.row);
        &self.row
    }

    fn of(&mut self, game: &Generated) -> Result<&[u8], CliError> {
        let events: Vec<(Option<i64>, GameEvent<'_>)> =
            game.events.iter().map(|(at, event)| (Some(*at), event.clone())).collect();
        self.row.clear();
        let id = self.first_id + game.game;
        push_game(&mut self.row, &mut self.transcript, id, MODE, &events)
            .map_err(|e| CliError::from_error(&e))?;
        Ok(&self.row)
    }
}

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
        let row = self.rows.of(game)?;
        Ok(self.out.write_all(row)?)
    }
}

/// Games on their way into the log.
pub struct IntoLog<'s> {
    importer: Importer<'s>,
    prefix: String,
    rows: Rows,
    /// Of the archive that the games would make: by it the log says what was imported.
    digest: RunningDigest,
    findings: Vec<String>,
}

impl IntoLog<'_> {
    fn take(&mut self, game: &Generated) -> Result<(), CliError> {
        self.digest.update(self.rows.of(game)?);
        let stream: StreamName = format!("game/{}-{}", self.prefix, game.game + 1)
            .parse()
            .map_err(|e| CliError::from_error(&e).hint("choose another --prefix"))?;
        let drafts: Result<Vec<Draft>, _> = game
            .events
            .iter()
            .map(|(at, event)| {
                let entry = Entry::from(Event::Game(event.clone()));
                Draft::of_entry(stream.clone(), *at, &entry)
            })
            .collect();
        let drafts = drafts.map_err(|e| CliError::from_error(&e))?;
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
    let mut rows = Rows::new(first_id);
    if path.as_os_str() == "-" {
        let mut out = BufWriter::new(io::stdout().lock());
        out.write_all(rows.header())?;
        play(&mut Sink::Archive(Archive { out: &mut out, rows }))?;
        return Ok(out.flush()?);
    }
    if path.exists() && !force {
        return Err(CliError::new(format!("{} is there already, and is left as it is", path.display()))
            .hint("name another file, or write over it with --force"));
    }
    let part = PathBuf::from(format!("{}.part", path.display()));
    let cannot = |e: io::Error| {
        CliError::new(format!("cannot write {}: {e}", path.display())).hint("name another file with --out")
    };
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&part).map_err(cannot)?);
    out.write_all(rows.header()).map_err(cannot)?;
    let played = play(&mut Sink::Archive(Archive { out: &mut out, rows }));
    let finished = played.and_then(|()| {
        let file = out.into_inner().map_err(|e| cannot(e.into_error()))?;
        file.sync_all().map_err(cannot)?;
        std::fs::rename(&part, path).map_err(cannot)
    });
    if finished.is_err() {
        // What is there of it is no archive; that it could not be taken away is the lesser evil.
        let _ = std::fs::remove_file(&part);
    }
    finished
}

/// Plays into the log of the home; gives what the fold says of the games.
pub fn into_log(
    home: &Home,
    seed: u64,
    prefix: &str,
    first_id: u64,
    play: &mut dyn FnMut(&mut Sink<'_>) -> Result<(), CliError>,
) -> Result<Vec<String>, CliError> {
    let actor = generated::SITE;
    // A bad name is said before a log is made for it.
    format!("game/{prefix}-1")
        .parse::<StreamName>()
        .map_err(|e| CliError::from_error(&e).hint("choose another --prefix"))?;
    let mut open = log_file::open_or_create(home, actor, None)?;
    let mut rows = Rows::new(first_id);
    let mut digest = RunningDigest::default();
    digest.update(rows.header());
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
