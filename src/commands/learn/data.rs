//! The source of positions: the home's dataset, archive files, or a feature table.

use std::path::PathBuf;

use annals_events::Termination;
use annals_features::{Dataset, FeatureError, Filter};
use annals_rules::seeded::Rng;

use crate::errors::CliError;
use crate::home::Home;
use crate::stored_games::named_or_stored;

/// Options for the positions.
#[derive(Debug, clap::Args)]
pub struct DataArgs {
    /// Archive files, a dataset or a feature table [default: the home's dataset]
    data: Vec<PathBuf>,

    /// Least rating of both players [default: 1800; none for generated games]
    #[arg(long, value_name = "RATING")]
    rating_floor: Option<i32>,

    /// Leave out games that ended by resignation
    #[arg(long)]
    no_resignations: bool,

    /// Use all games with a known winner, and all their positions
    #[arg(long, conflicts_with_all = ["rating_floor", "no_resignations"])]
    all_games: bool,

    /// Number of consecutive positions to use; the seed sets the first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    positions: Option<u32>,
}

/// What purpose chance serves.
const STRETCH: u64 = 5;

impl DataArgs {
    fn filter(&self) -> Filter {
        if self.all_games {
            return Filter::everything();
        }
        let mut filter = Filter::default();
        filter.rating_floor = self.rating_floor.or(filter.rating_floor);
        filter.endings.retain(|ending| !(self.no_resignations && *ending == Termination::Resignation));
        filter
    }

    /// The positions, and the selected rows.
    pub fn read(
        &self,
        home: &Home,
        threads: Option<u16>,
        seed: u64,
    ) -> Result<(Dataset, Vec<u32>), CliError> {
        let is_table = |path: &PathBuf| annals_features::is_table(path) == Some(true);
        let data = named_or_stored(&self.data, home)?;
        let dataset = match data.as_slice() {
            [table] if annals_features::is_table(table).unwrap_or(true) => {
                if self.all_games || self.no_resignations || self.rating_floor.is_some() {
                    let text = "a feature table has its games selected already";
                    return Err(CliError::new(text).hint("make another table with `annals learn features`"));
                }
                annals_features::read(table)
            }
            several if several.iter().any(is_table) => {
                return Err(CliError::new("a feature table cannot be combined with other files")
                    .hint("make one table of all of them with `annals learn features`"));
            }
            files => {
                let machine = std::thread::available_parallelism().map_or(1, usize::from);
                annals_features::collect(files, &self.filter(), threads.map_or(machine, usize::from))
            }
        };
        let dataset = dataset.map_err(|error| explain(&error))?;
        let count = u32::try_from(dataset.len())
            .map_err(|_| CliError::new("there are too many positions; select fewer games"))?;
        let taken = self.positions.unwrap_or(count).min(count);
        let first = Rng::of(&[seed, STRETCH]).below(count - taken + 1);
        Ok((dataset, (first..first + taken).collect()))
    }
}

/// Why there are no positions, and what to do.
fn explain(error: &FeatureError) -> CliError {
    let said = CliError::from_error(error);
    match error {
        FeatureError::Empty { .. } => said.hint(
            "select more: --rating-floor includes weaker players, --all-games all players and endings; generated games have no \
             ratings of 1800",
        ),
        FeatureError::NoColumn { .. } => {
            said.hint("write the table again with `annals learn features`, whose --features have to name `paper`")
        }
        FeatureError::OneWay { .. } => said.hint("write the table as .parquet or .safetensors"),
        FeatureError::Damaged { .. } => said.hint("write the table again with `annals learn features`"),
        _ => said,
    }
}
