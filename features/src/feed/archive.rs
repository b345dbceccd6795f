//! Reads archive files and game files.

use std::collections::HashSet;
use std::sync::Arc;

use annals_ingest::run::pipeline::Stopped;
use annals_ingest::source::{Blocks, FoundGame, GameStatus, Piece, RowStatus, SourceFile, SourceInfo};

use super::{Cuts, Games, Item, Job, ReadFeed, Reading};
use crate::report::{SourceNotRead, SourceRead};

/// In order; read sources are numbered.
pub(crate) fn archive<C>(
    files: &[SourceFile],
    reading: &Reading<'_>,
    feed: &mut ReadFeed<'_, C>,
) -> Result<(), Stopped> {
    let mut ids = HashSet::new();
    let mut cuts = Cuts::new(reading.options);
    let mut number = 0;
    let (mut rows, mut found): (Vec<_>, Vec<FoundGame>) = (Vec::new(), Vec::new());
    let pieces = Blocks::new(files, |id| !ids.insert(id)).with_game_files();
    for piece in pieces.with_progress(reading.progress.clone()) {
        reading.may_go_on()?;
        match piece {
            Piece::Block(block) => {
                let source = numbered(&block.source, number);
                let block = Arc::new(block);
                let mut from = 0;
                for (place, row) in block.rows.iter().enumerate() {
                    let game = matches!(row.status, RowStatus::New { .. });
                    if cuts.before(row.byte_offset, game, 0) {
                        rows.push((Arc::clone(&block), from..place));
                        from = place;
                        feed.job(Job {
                            source: Arc::clone(&source),
                            games: Games::Rows(std::mem::take(&mut rows)),
                        })?;
                    }
                }
                rows.push((Arc::clone(&block), from..block.rows.len()));
            }
            Piece::Games(games) => {
                let source = numbered(&games.source, number);
                for game in games.games {
                    let new = matches!(game.status, GameStatus::New { .. });
                    if cuts.before(game.byte_offset, new, 0) {
                        let games = Games::Found(std::mem::take(&mut found));
                        feed.job(Job { source: Arc::clone(&source), games })?;
                    }
                    found.push(game);
                }
            }
            Piece::End(end) => {
                let source = numbered(&end.source, number);
                for games in
                    [Games::Rows(std::mem::take(&mut rows)), Games::Found(std::mem::take(&mut found))]
                {
                    feed.job(Job { source: Arc::clone(&source), games })?;
                }
                cuts.restart();
                let read = SourceRead {
                    number,
                    name: end.source.name.clone(),
                    digest: end.digest.to_string(),
                    bytes: end.bytes,
                    incomplete: end.incomplete,
                };
                number += 1;
                feed.ready(Item::End(end.rows, read))?;
            }
            Piece::Rejected(rejected) => {
                let (name, reason) = (rejected.source.name.clone(), rejected.reason.to_string());
                feed.ready(Item::NotRead(SourceNotRead { name, reason }))?;
            }
        }
    }
    Ok(())
}

/// With its number among read sources.
fn numbered(source: &SourceInfo, number: u32) -> Arc<SourceInfo> {
    Arc::new(SourceInfo { ordinal: number, ..source.clone() })
}
