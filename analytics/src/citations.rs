//! Citations of a game and of the dataset.

use annals_events::{Hash, PROGRAM, Side};
use annals_ingest::manifest::Manifest;
use annals_replay::Identifier;
use annals_replay::citations::{archive, day};
use annals_report::{Citation, Cited, CitedDate, counted};

use crate::Dataset;
use crate::dates::micros;
use crate::game_view::GameView;

/// A game that an identifier names, with the point in time that is cited, if it has one.
#[must_use]
pub fn of_game(game: &GameView, identifier: &Identifier, point: Option<String>) -> Citation {
    let [gold, silver] = [&game.gold, &game.silver].map(|seat| match seat.name.as_str() {
        "" => "unknown player",
        name => name,
    });
    let number = game.game_id.map(|_| format!("game {}", game.name));
    let won = Side::stated_in(game.game, &game.result);
    let result = match &game.ending {
        Some(ending) => format!("Result: {won} ({ending})"),
        None => format!("Result: {won}"),
    };
    let state = point.map(|point| format!("State {point}"));
    let turns = Some(game.length());
    let started = game.started_at.as_deref().and_then(micros);
    Citation {
        cited: Cited::Game,
        key: format!("game-{}", game.name.trim_start_matches("game/")),
        title: format!("{gold} against {silver}"),
        part_of: Some(game.event.clone().map_or_else(
            || game.name.clone(),
            |event| format!("{event}, {}", number.unwrap_or_else(|| game.name.clone())),
        )),
        date: started.and_then(day),
        place: game.site.clone(),
        archive: archive(identifier),
        notes: [Some(result), turns, state].into_iter().flatten().collect(),
        identifier: identifier.to_string(),
        program: PROGRAM.to_owned(),
    }
}

/// A dataset by its manifest; the year is that of its last games.
#[must_use]
pub fn of_dataset(manifest: &Manifest, digest: Hash) -> Citation {
    let identifier = Identifier::Dataset { digest };
    let rows = |table: &str| manifest.rows.get(table).copied().unwrap_or_default();
    let year = manifest.files.iter().filter_map(|file| file.year).max();
    Citation {
        cited: Cited::Dataset,
        key: format!("dataset-{}", digest.to_string().get(..12).unwrap_or_default()),
        title: format!("Annals dataset of {}", counted(rows("games"), "game")),
        part_of: None,
        date: year.map(CitedDate::Year),
        place: None,
        archive: archive(&identifier),
        notes: vec![format!(
            "{} from {}, tables of version {}",
            counted(rows("turns"), "turn"),
            counted(manifest.sources.len() as u64, "source"),
            manifest.schema_version
        )],
        identifier: identifier.to_string(),
        program: PROGRAM.to_owned(),
    }
}

/// The identifier of a stored game, or of the dataset; none of an empty dataset.
#[must_use]
pub fn identifier(dataset: &Dataset, game: Option<u64>) -> Option<Identifier> {
    let digest = dataset.digest().parse().ok()?;
    Some(match game {
        Some(game) => Identifier::StoredGame { digest, game },
        None => Identifier::Dataset { digest },
    })
}
