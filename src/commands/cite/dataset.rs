//! `annals cite dataset`: the dataset of the home.

use std::process::ExitCode;

use annals_analytics::citations;

use super::StyleArgs;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;

/// Cite the dataset of the home
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Cite the dataset of the home\n\n\
        The identifier is the digest of the dataset, which covers every file and every source. The year is that \
        of the last games.",
    after_long_help = "Examples:\n  \
        annals cite dataset\n  \
        annals cite dataset --format bibtex -o dataset.bib"
)]
pub struct Args {
    #[command(flatten)]
    style: StyleArgs,
}

pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    args.style.check()?;
    let manifest = home.dataset()?.open()?.manifest;
    let digest = manifest.checksum.parse();
    let digest = digest.cannot("cannot read the digest of the dataset")?;
    args.style.write(&citations::of_dataset(&manifest, digest))
}
