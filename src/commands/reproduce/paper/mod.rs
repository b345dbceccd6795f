//! `annals reproduce paper`: the paper's experiment from archive files to one report. The stages are: games, networks under both
//! splits, the grid search, pictures, page.

mod folder;
mod found;
mod games;
mod measure;
mod options;
mod page;
mod pictures;
mod printed;
mod stages;
mod work;

use std::process::ExitCode;

use crate::errors::CliError;
use crate::home::Home;
use crate::output::{talk, write_text};
use crate::stored_games::named_or_stored;
use folder::Folder;
use found::{Printed, Reproduction};
pub use options::Args;
use options::{Chosen, Floor, HowMuch};
use page::Pictures;

/// Runs the command.
pub fn run(args: &Args, home: &Home) -> Result<ExitCode, CliError> {
    let chosen = Chosen::of(args)?;
    let folder = Folder::open(&args.out)?;
    // Without a dataset there are no real games.
    let sources = named_or_stored(&args.files, home).unwrap_or_default();
    let (all, not_done) = games::gather(&sources, &chosen, &folder)?;
    stages::sizes(&all);
    let subjects = stages::run(&all, &chosen, &folder)?;
    drop(all);
    let whole = Reproduction {
        made_by: concat!("annals ", env!("CARGO_PKG_VERSION")).to_owned(),
        command: command(args, &chosen),
        chosen,
        printed: Printed {
            headline: printed::HEADLINE,
            games: printed::GAMES,
            positions: printed::POSITIONS,
            steps: printed::STEPS,
            figure_4: &printed::FIGURE_4,
        },
        subjects,
        not_done,
    };
    report(&whole, &folder)?;
    let mut text = page::summary(&whole).join("\n");
    for line in &whole.not_done {
        text.push('\n');
        text.push_str(line);
    }
    text.push('\n');
    write_text(&text)?;
    talk(format_args!("annals: the report is {}", folder.path("report.html").display()));
    Ok(ExitCode::SUCCESS)
}

/// Writes pictures, figures and page.
fn report(whole: &Reproduction, folder: &Folder) -> Result<(), CliError> {
    let mut pictures = Vec::new();
    for subject in &whole.subjects {
        let variants = subject.variants.iter().map(|variant| pictures::of_variant(whole, subject, variant));
        pictures.push(Pictures { variants: variants.collect(), together: pictures::of_resigned(subject) });
    }
    for picture in pictures.iter().flat_map(|all| all.variants.iter().flatten().chain(&all.together)) {
        picture.drawing.write(&folder.pictures(), &picture.name, true)?;
    }
    let figures = serde_json::to_string_pretty(whole)
        .map_err(|error| CliError::new(format!("the figures cannot be written: {error}")))?;
    folder::whole(&folder.path("figures.json"), figures.as_bytes())?;
    folder::whole(&folder.path("report.html"), page::page(whole, &pictures)?.as_bytes())
}

/// The command with everything that was chosen, whether it was said or is usual.
fn command(args: &Args, chosen: &Chosen) -> String {
    let mut words = vec!["annals reproduce paper".to_owned()];
    words.extend(args.files.iter().map(|file| file.display().to_string()));
    words.push(format!("--out FOLDER --enough {}", chosen.enough));
    match args.rating_floor {
        Some(Floor(Some(floor))) => words.push(format!("--rating-floor {floor}")),
        Some(Floor(None)) => words.push("--rating-floor none".to_owned()),
        None => {}
    }
    words.push(format!("--games {} --nodes {}", chosen.games, chosen.nodes));
    let networks: Vec<String> = chosen.networks.iter().map(ToString::to_string).collect();
    words.push(format!("--networks \"{}\" --epochs {}", networks.join(","), chosen.epochs));
    if let Some(batch) = chosen.batch {
        words.push(format!("--batch {batch}"));
    }
    if let Some(judged) = chosen.judged {
        words.push(format!("--judged {judged}"));
    }
    let grid = match chosen.grid {
        HowMuch::Full => "full",
        HowMuch::Short => "short",
        HowMuch::Table => "table",
        HowMuch::None => "none",
    };
    words.push(format!("--grid {grid}"));
    let list =
        |name: &str, all: Vec<String>| (!all.is_empty()).then(|| format!("--{name} {}", all.join(",")));
    let text = |all: &[f32]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    let kernels = args.kernels.iter().map(|[rows, columns]| format!("{rows}x{columns}")).collect();
    words.extend(list("dropouts", text(&args.dropouts)));
    words.extend(list("regularisers", args.regularisers.iter().map(ToString::to_string).collect()));
    words.extend(list("rules", args.rules.iter().map(ToString::to_string).collect()));
    words.extend(list("kernels", kernels));
    words.push(format!(
        "--window {} --grid-epochs {} --seed {}",
        chosen.window, chosen.grid_epochs, chosen.seed
    ));
    words.join(" ")
}
