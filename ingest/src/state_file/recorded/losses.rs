//! One remark for each kind of information that a state file cannot express.

use std::collections::BTreeMap;

use annals_events::BoardId;
use annals_events::tournament::{Effect, Stage};
use annals_tournaments::rulebook::{Format, Rulebook, option_key};
use annals_tournaments::{Board, Tournament};

use crate::imported::{DEFAULT_RULEBOOK, Recording, first_stage};

pub(super) fn add(tournament: &Tournament, unsaid: &[&str], remarks: &mut Vec<String>) {
    let boards = |wanted: &dyn Fn(&Board) -> bool| {
        let rounds = tournament.rounds.iter();
        let all = rounds
            .flat_map(|(round, known)| known.boards.iter().map(move |(at, board)| (*round, *at, board)));
        let found = all.filter(|(_, _, board)| wanted(board));
        listed(found.map(|(round, board, _)| BoardId { round, board }.to_string()))
    };
    let mut lost = |what: String, of: &str| {
        if !of.is_empty() {
            remarks.push(format!("{what}: {of}"));
        }
    };
    lost("territory is not written".to_owned(), &boards(&|board| board.territory().is_some()));
    let moves =
        |board: &Board| !board.games.is_empty() || board.termination().is_some() && !board.is_forfeit();
    lost("how games went and ended is not written".to_owned(), &boards(&moves));
    lost("a ruling is not written".to_owned(), &rulings(tournament));
    lost(
        "the rounds are written one after the other, and are read as those of one stage".to_owned(),
        &stages(tournament),
    );
    lost("human or program is not written, and is read otherwise".to_owned(), &kinds(tournament));
    lost("not written".to_owned(), &unsaid.join(", "));
    lost(
        "the rulebook, the stage and the options of the announcement are not written; read the file with"
            .to_owned(),
        &read_with(tournament),
    );
}

fn listed(words: impl IntoIterator<Item = String>) -> String {
    words.into_iter().collect::<Vec<_>>().join(", ")
}

/// Rulings in force that are neither results nor player lines.
fn rulings(tournament: &Tournament) -> String {
    let written = |effect: &Effect| {
        matches!(
            effect,
            Effect::SetResult { .. }
                | Effect::Vacate { .. }
                | Effect::Remove { .. }
                | Effect::Reinstate { .. }
                | Effect::SetTerritory { .. }
        )
    };
    let in_force = tournament.rulings.iter().filter(|given| given.superseded_by.is_none());
    let others = in_force.filter(|given| !written(&given.ruling.effect));
    listed(others.map(|given| given.ruling.number.to_string()))
}

/// Stages that a file of one stage does not contain: the Swiss and the final of one tournament.
fn stages(tournament: &Tournament) -> String {
    let mut stages: Vec<Stage> = tournament.rounds.values().map(|round| round.stage).collect();
    stages.dedup();
    let with_final = |stage: &Stage| {
        matches!(stage, Stage::Final | Stage::Continuation | Stage::SecondPlayoff | Stage::ThirdPlayoff)
    };
    if stages.len() < 2 || stages.iter().all(with_final) {
        return String::new();
    }
    listed(stages.iter().map(Stage::to_string))
}

/// Players whose kind follows neither from name nor rulebook.
fn kinds(tournament: &Tournament) -> String {
    let rulebook = tournament.announced.as_ref().and_then(|announced| Rulebook::of(announced).ok());
    let Some(recording) = rulebook.map(|rulebook| Recording::new("", rulebook)) else { return String::new() };
    let others = tournament.entrants.values();
    let others = others.filter(|entrant| recording.kind(&entrant.name, None) != entrant.kind);
    listed(others.map(|entrant| entrant.name.clone()))
}

/// Non-default first stage and options.
fn read_with(tournament: &Tournament) -> String {
    let Some(announced) = &tournament.announced else { return String::new() };
    let rulebook = Rulebook::of(announced).ok();
    let of_encounters = |stage: Stage| {
        let rules = rulebook.as_ref().and_then(|rulebook| rulebook.stage(stage));
        rules.is_some_and(|rules| rules.format == Format::Encounters)
    };
    let by_default = rulebook.as_ref().map(|rulebook| first_stage(rulebook, tournament.entrants.len()));
    let first = tournament.rounds.values().next().map(|round| round.stage);
    // For encounters the number of players decides the stage.
    let other = first.filter(|first| {
        by_default.is_some_and(|stage| stage != *first && !(of_encounters(stage) && of_encounters(*first)))
    });
    // Imports of state files are records of games.
    let known = Rulebook::named(&announced.rulebook);
    let by_default = known.map(|rulebook| rulebook.of_games_only().options()).unwrap_or_default();
    let chosen: BTreeMap<&String, &String> =
        announced.options.iter().filter(|(name, value)| by_default.get(*name) != Some(value)).collect();
    let chosen = chosen.into_iter().map(|(name, value)| format!("--option {}={value}", option_key(name)));
    let named =
        (announced.rulebook != DEFAULT_RULEBOOK).then(|| format!("--rulebook {}", announced.rulebook));
    let stage = other.map(|stage| format!("--stage {stage}"));
    named.into_iter().chain(stage).chain(chosen).collect::<Vec<_>>().join(" ")
}
