//! The positions to learn from: the home's dataset, archive files, or a feature table.

use annals_events::Termination;
use annals_features::{Dataset, FeatureError, Filter, Sampling};

use crate::errors::CliError;
use crate::home::Home;
use crate::stored_games::{GamesArgs, explain};
use crate::values::{OrNone, ThreadsArgs, one_of};

/// Options for the positions.
#[derive(Debug, clap::Args)]
#[command(mut_arg("sources", |arg| arg.help("Archive files, a dataset or a feature table [default: the home's dataset]")))]
pub struct DataArgs {
    #[command(flatten)]
    games: GamesArgs,

    /// Leave out games that ended by resignation
    #[arg(hide_short_help = true, long)]
    no_resignations: bool,

    /// Use all games with a known winner, and all their positions
    #[arg(long, conflicts_with_all = ["rating_floor", "no_resignations"])]
    all_games: bool,

    /// Number of positions to use [default: all]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    positions: Option<u32>,

    /// How --positions are taken: at random, or one after the other
    #[arg(hide_short_help = true, long, value_name = "WAY", default_value_t = Sampling::default(), value_parser = one_of(Sampling::ALL, Sampling::word))]
    sampling: Sampling,
}

/// What to do where no position is left.
const WIDER: &str =
    "select more: --rating-floor includes weaker players, --all-games all players and endings";

impl DataArgs {
    /// The selection; none for the default one.
    fn filter(&self) -> Option<Filter> {
        if self.all_games {
            return Some(Filter::everything());
        }
        let mut filter = Filter::default();
        if let Some(OrNone(floor)) = self.games.rating_floor {
            filter.rating_floor = floor;
        }
        filter.endings.retain(|ending| !(self.no_resignations && *ending == Termination::Resignation));
        (self.no_resignations || self.games.rating_floor.is_some()).then_some(filter)
    }

    /// The positions, and the selected rows.
    pub fn read(
        &self,
        home: &Home,
        threads: ThreadsArgs,
        seed: u64,
    ) -> Result<(Dataset, Vec<u32>), CliError> {
        let sources = self.games.named_or_stored(home)?;
        let explain = |error: FeatureError| explain(&error, WIDER);
        let dataset = Dataset::open(&sources, self.filter().as_ref(), threads.count()).map_err(explain)?;
        let rows = dataset.sample(self.positions, self.sampling, seed).map_err(explain)?;
        Ok((dataset, rows))
    }
}
