//! A position of the Amazons: what it is worth and why, whose squares are whose, and which regions are decided.

use annals_engine::amazons::{PositionReport, PositionReportError, Registry};
use annals_events::GameKind;
use annals_rules::amazons::Position;

use super::{Args, OTHER_SIDE, list};
use crate::errors::CliError;
use crate::evaluators;
use crate::output::answer;

/// Says what the evaluators are.
pub fn list_evaluators(json: bool) -> Result<std::process::ExitCode, CliError> {
    let registry = Registry::standard();
    list(registry.iter().map(|one| (one.name(), one.about())), json)
}

/// Says what a position is worth.
pub fn narrate(args: &Args, position: &Position) -> Result<(), CliError> {
    let registry = Registry::standard();
    let evaluators = evaluators::chosen(&registry, &args.evaluators)?;
    if let Some(side) = args.side.filter(|side| *side != position.to_move()) {
        let [there, said] = [position.to_move(), side].map(|side| side.name_in(GameKind::Amazons));
        return Err(CliError::new(format!("{there} is to move there, not {said}")).hint(OTHER_SIDE));
    }
    let report = PositionReport::of(position, &registry, &evaluators, args.search.as_deref());
    let report = report.map_err(|error| match &error {
        PositionReportError::Settings(_) => {
            CliError::from(error).hint("write --search nodes=20000, or depth=2, or time=1 (seconds)")
        }
        _ => CliError::from(error),
    })?;
    answer(args.json, &report, || report.document())
}
