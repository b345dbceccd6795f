//! The readings of a rulebook and its other options, as every command names them: `T7=B`, `finalists=12`.

use annals_tournaments::rulebook::Rulebook;

use crate::errors::CliError;
use crate::values::assignment;

/// The options of an announcement.
#[derive(Debug, clap::Args)]
pub struct OptionArgs {
    /// Reading of an ambiguous text (T7=B), finalists=12 or piece_points=2/3/5/9/14; may be repeated
    #[arg(long = "option", value_name = "T7=B", value_parser = assignment::<String, String>)]
    options: Vec<(String, String)>,
}

impl OptionArgs {
    /// A rulebook with the options.
    pub fn rulebook(&self, name: &str) -> Result<Rulebook, CliError> {
        let mut rulebook = Rulebook::named(name).map_err(|error| {
            let all = Rulebook::all();
            CliError::from_error(&error).did_you_mean(name, all.iter().map(|rulebook| rulebook.name), "")
        })?;
        for (name, value) in &self.options {
            rulebook.choose(name, value)?;
        }
        Ok(rulebook)
    }
}
