use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_events::GameKind;
use annals_ingest::game_record::Header;

use crate::columns::Column;
use crate::error::FeatureError;
use crate::filter::{Filter, LeftOut};
use crate::split::{FOLDS, fold_of, game_name};
use crate::subject::GameFacts;

/// What is to be made of games.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whose positions: those of one game or the other.
    pub game: GameKind,
    /// Which games and positions.
    pub filter: Filter,
    /// Which columns; see [`crate::columns::named`].
    pub columns: Vec<&'static Column>,
    /// Into how many folds games are divided.
    pub folds: u32,
    pub threads: usize,
    /// Set to true from another thread to stop; nothing is written then.
    pub cancel: Arc<AtomicBool>,
}

impl Options {
    /// Some columns of the paper's choice of games, with as many threads as the machine has.
    #[must_use]
    pub fn new(columns: Vec<&'static Column>) -> Options {
        Options {
            game: GameKind::Arimaa,
            filter: Filter::default(),
            columns,
            folds: FOLDS,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            cancel: Arc::default(),
        }
    }

    /// Whether all columns are of the game.
    pub(crate) fn check(&self) -> Result<(), FeatureError> {
        let other = |column: &&&Column| column.group.game().is_some_and(|of| of != self.game);
        match self.columns.iter().find(other) {
            Some(column) => Err(FeatureError::OtherGame {
                name: column.name.to_owned(),
                of: column.group.game().unwrap_or(self.game),
                table: self.game,
            }),
            None => Ok(()),
        }
    }

    /// The facts of a game whose record is selected; or why it is excluded.
    pub(crate) fn choose(
        &self,
        id: u64,
        game: GameKind,
        source: u32,
        header: &Header<'_>,
    ) -> Result<GameFacts, LeftOut> {
        if game != self.game {
            return Err(LeftOut::OtherGame);
        }
        let generated = header.is_generated();
        if let Some(why) = self.filter.refuses(header, generated) {
            return Err(why);
        }
        let (Some(winner), Some(termination)) = (header.result.winner(), header.termination) else {
            return Err(LeftOut::NoWinner);
        };
        Ok(GameFacts {
            id,
            fold: fold_of(&game_name(id), self.folds),
            source,
            winner,
            termination,
            ratings: [header.gold.rating, header.silver.rating],
            rated: header.rated.unwrap_or_default(),
            generated,
        })
    }
}
