//! Games that are added to a file one by one, so that a kill loses only those under way.

use std::fs::{self, File};
use std::io::{ErrorKind, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use annals_engine::selfplay::{Options, RunError, SelfPlay};
use annals_events::Side;
use annals_ingest::archive_row::{ArchiveError, Rows};

use crate::work::Work;
use crate::{Diagnostics, Error, folder};

/// Why the games end before the last one.
enum End {
    Over,
    Failed(Error),
}

/// Plays the games of a run into an archive. `part` has those that are over: they are not played again. `is_over` gets the index of the
/// winner of each game, in order, and ends the run. `name` is shown with the progress.
pub fn play(
    run: &SelfPlay,
    files: (&Path, &Path),
    threads: (usize, &AtomicBool),
    diagnostics: &dyn Diagnostics,
    name: &str,
    is_over: impl FnMut(usize) -> bool,
) -> Result<(), Error> {
    let work = Work::new(run.options().games as f64, diagnostics);
    work.begin(name, 1);
    let played = play_the_rest(run, files, threads, &work, is_over);
    diagnostics.finish();
    played
}

fn play_the_rest(
    run: &SelfPlay,
    (part, path): (&Path, &Path),
    (threads, stop): (usize, &AtomicBool),
    work: &Work<'_>,
    mut is_over: impl FnMut(usize) -> bool,
) -> Result<(), Error> {
    let options = run.options();
    let mut rows = Rows::new(Options::first_id(options.seed), "generated");
    let mut kept = match fs::read(part) {
        Ok(kept) => kept,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(Error::Gone(part.to_owned(), error)),
    };
    // The last row may be incomplete.
    kept.truncate(kept.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1));
    let mut file = File::options().create(true).truncate(false).write(true).open(part)?;
    file.set_len(kept.len() as u64)?;
    file.seek(SeekFrom::End(0))?;
    let header = String::from_utf8_lossy(rows.header()).into_owned();
    if kept.is_empty() {
        file.write_all(header.as_bytes())?;
    }
    let winner = |game: u64, side: Side| run.seats(game).0[side.index()];
    let column = header.trim_end().split('\t').position(|name| name == "result").unwrap_or_default();
    let (mut done, mut over) = (0, false);
    for row in String::from_utf8_lossy(&kept).lines().skip(1) {
        let side = match row.split('\t').nth(column) {
            Some("w") => Side::Gold,
            Some("b") => Side::Silver,
            _ => return Err(Error::Damaged(part.to_owned(), format!("game {} has no winner", done + 1))),
        };
        over = is_over(winner(done, side));
        done += 1;
    }
    if !over {
        let played = run.play_from(done, threads, stop, |game| {
            let row = rows
                .of(game.game, &game.events)
                .map_err(|error| End::Failed(ArchiveError::Row(error).into()))?;
            file.write_all(row).map_err(|error| End::Failed(error.into()))?;
            done += 1;
            work.at(0, done as f64);
            over = is_over(winner(game.game, game.winner));
            if over { Err(End::Over) } else { Ok(()) }
        });
        match played {
            Ok(()) | Err(RunError::Refused(End::Over)) => {}
            Err(RunError::Refused(End::Failed(error))) => return Err(error),
            Err(error) => return Err(Error::self_play(error.to_string())),
        }
    }
    if !over && done < options.games {
        return Err(Error::Stopped);
    }
    folder::write(path, &fs::read(part)?)
}
