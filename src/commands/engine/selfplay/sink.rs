//! The place of generated games: none, an archive file, or the log.

use std::path::Path;

use annals_engine::selfplay::Generated;
use annals_events::{Event, GameKind, PROGRAM, StreamName, generated};
use annals_ingest::archive_games::RunningDigest;
use annals_ingest::archive_row::{Archive, Rows};
use annals_replay::handler::{Draft, ImportError, Importer, SourceNote};

use super::Args;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file::{self, ForAppend};
use crate::output::diagnostic;
use crate::output_file::Output;

/// The mode of a generated game in an archive.
const MODE: &str = "generated";

/// Where games go.
#[expect(clippy::large_enum_variant, reason = "a command has one of them")]
pub enum Sink<'s> {
    /// They are only counted.
    Nowhere,
    Archive(Archive<Output>),
    Log(Box<IntoLog<'s>>),
}

/// Games on their way into the log.
pub struct IntoLog<'s> {
    importer: Importer<'s>,
    prefix: &'s str,
    /// Rows of an archive, if the game has archives.
    rows: Option<Rows>,
    /// The digest of the archive of these games, or of their events; it identifies the import in the log.
    digest: RunningDigest,
    seed: u64,
    now: i64,
    findings: Vec<String>,
}

/// Opens the log of the home for games of a prefix.
pub fn open_log(args: &Args, home: &Home) -> Result<(String, ForAppend), CliError> {
    let prefix = args.prefix.clone().unwrap_or_else(|| format!("selfplay-{}", args.seed));
    format!("game/{prefix}-1").parse::<StreamName>().hint("choose another --prefix")?;
    Ok((prefix, log_file::open_existing(home, None)?))
}

impl<'s> Sink<'s> {
    /// An archive file, or standard output for `-`.
    pub fn archive(path: &Path, force: bool, first_id: u64) -> Result<Sink<'s>, CliError> {
        let out = Output::create(Some(path).filter(|path| path.as_os_str() != "-"), force)?;
        Ok(Sink::Archive(Archive::begin(out, first_id, MODE)?))
    }

    /// The log.
    pub fn log(args: &Args, prefix: &'s str, open: &'s mut ForAppend) -> Result<Sink<'s>, CliError> {
        let mut rows = (args.game == GameKind::Arimaa).then(|| Rows::new(args.first_id(), MODE));
        let mut digest = RunningDigest::default();
        if let Some(rows) = &mut rows {
            digest.update(rows.header());
        }
        let now = open.now;
        let importer = Importer::new(&mut open.log, generated::SITE)?;
        let (seed, findings) = (args.seed, Vec::new());
        Ok(Sink::Log(Box::new(IntoLog { importer, prefix, rows, digest, seed, now, findings })))
    }

    /// Writes or counts the next game.
    pub fn take(&mut self, game: &Generated) -> Result<(), CliError> {
        match self {
            Sink::Nowhere => Ok(()),
            Sink::Archive(archive) => Ok(archive.add(&game.events)?),
            Sink::Log(log) => log.take(game),
        }
    }

    /// Closes the place after the games were played, or after a failure; returns the findings of the log about the games.
    pub fn finish(self, played: Result<(), CliError>) -> Result<Vec<String>, CliError> {
        match self {
            Sink::Nowhere => played.map(|()| Vec::new()),
            Sink::Archive(archive) => {
                played?;
                archive.finish().0.finish().map(|()| Vec::new())
            }
            // Games before a failure are complete, and stay.
            Sink::Log(log) => log.finish().and_then(|findings| played.map(|()| findings)),
        }
    }
}

impl IntoLog<'_> {
    fn take(&mut self, game: &Generated) -> Result<(), CliError> {
        let name = format!("game/{}-{}", self.prefix, game.game + 1);
        let stream: StreamName = name.parse().hint("choose another --prefix")?;
        let draft =
            |(at, event): &(i64, _)| Draft::new(stream.clone(), *at, Event::Game(Clone::clone(event)));
        let drafts = game.events.iter().map(draft).collect::<Result<Vec<Draft>, _>>()?;
        match &mut self.rows {
            Some(rows) => self.digest.update(rows.of(game.game, &game.events)?),
            None => drafts.iter().for_each(|draft| self.digest.update(draft.payload.as_str().as_bytes())),
        }
        let taken = self.importer.stream(&drafts).map_err(|error| match &error {
            ImportError::Differs { .. } | ImportError::WentOn { .. } => CliError::from_error(&error)
                .hint("the log has other games of this name: choose another --prefix or --seed"),
            _ => CliError::from_error(&error),
        })?;
        let finding =
            |flag: &annals_replay::handler::ImportFlag| format!("{stream}: {} [{}]", flag.message, flag.code);
        self.findings.extend(taken.flags.iter().map(finding));
        Ok(())
    }

    fn finish(self) -> Result<Vec<String>, CliError> {
        let (digest, bytes) = self.digest.finish();
        let note = SourceNote {
            source: generated::event(self.seed, annals_engine::VERSION),
            format: "selfplay".to_owned(),
            digest,
            bytes,
            program: PROGRAM.to_owned(),
            rejected: 0,
            left_out: 0,
        };
        if self.importer.finish_with(&note, self.now)?.events == 0 {
            diagnostic("note: the log has all of these games already");
        }
        Ok(self.findings)
    }
}
