//! The other reports on ratings: systems compared by prediction, records that differ from the gameroom's formula, and the history of
//! one player. Each is a value with a document.

use std::collections::BTreeSet;

use annals_ratings::{
    Compared, Found, Game, INTERVAL, Judged, Mean, Mismatches, Terms, compare, mismatches_among,
};
use annals_report::{Cell, Document, Table};
use serde::{Deserialize, Serialize};

use super::games::Loaded;
use super::{Rulings, Selection, System, history, of_other_game, refused};
use crate::dates::instant;
use crate::session::{Reading, Session};
use crate::typed_rows::select;
use crate::{Error, Reads, Remedy};

/// Systems evaluated on the selected games.
pub type ComparedGames = Compared;

/// Records compared with the formula.
pub type MismatchesFound = Mismatches;

/// Evaluates systems on the games of a selection.
///
/// # Errors
/// As `Ratings::compute`, and if no game can be scored.
pub fn compare_games(
    session: &Session,
    selection: &Selection,
    systems: &[System],
    terms: &Terms,
) -> Result<(ComparedGames, Reads), Error> {
    let loaded = Loaded::read(session, selection)?;
    let choice = loaded.choice(selection);
    let compared = compare(&loaded.pool, &choice, systems, terms)
        .map_err(|error| of_other_game(refused(error, selection), session, selection))?;
    Ok((compared, loaded.reads))
}

fn figure(value: f64, digits: u8) -> Cell {
    let scale = 10f64.powi(digits.into());
    Cell::Decimal((value * scale).round() / scale, digits.into())
}

fn with_error(mean: Mean, digits: u8) -> [Cell; 2] {
    [figure(mean.mean, digits), mean.error.map_or(Cell::Empty, |error| figure(error, digits))]
}

/// The systems of a comparison as one table, with figures in full.
#[must_use]
pub fn compared_table(compared: &ComparedGames) -> Table {
    let error = |mean: Mean| Cell::from(mean.error);
    Table::of("", std::iter::once(&compared.baseline).chain(&compared.systems))
        .column("system", |judged| judged.system.as_str().into())
        .column("log_loss", |judged| judged.log_loss.mean.into())
        .column("log_loss_error", |judged| error(judged.log_loss))
        .column("less_baseline", |judged| judged.against_baseline.mean.into())
        .column("less_baseline_error", |judged| error(judged.against_baseline))
        .column("brier", |judged| judged.brier.mean.into())
        .column("brier_error", |judged| error(judged.brier))
        .column("accuracy", |judged| judged.accuracy.mean.into())
        .column("accuracy_error", |judged| error(judged.accuracy))
        .column("calibration_error", |judged| judged.calibration_error.into())
        .column("fits", |judged| u64::from(judged.fits).into())
        .table()
}

/// A comparison as a document: the systems, then the calibration of each.
#[must_use]
pub fn compared_document(compared: &ComparedGames) -> Document {
    let facts = vec![("games", compared.games.into()), ("judged", compared.judged.into())];
    let notes = compared.notes.iter().map(|note| vec![("note", note.as_str().into())]);
    let row = |judged: &&Judged| {
        let mut row = vec![Cell::from(judged.system.as_str())];
        row.extend(with_error(judged.log_loss, 4));
        row.extend(with_error(judged.against_baseline, 4));
        row.extend(with_error(judged.brier, 4));
        row.extend(with_error(judged.accuracy, 4));
        row.push(figure(judged.calibration_error, 4));
        row.push(u64::from(judged.fits).into());
        row
    };
    let all: Vec<&Judged> = std::iter::once(&compared.baseline).chain(&compared.systems).collect();
    let columns = [
        "system", "log_loss", "±", "less_baseline", "± ", "brier", "±  ", "accuracy", "±   ",
        "calibration_error", "fits",
    ];
    let systems = Table { rows: all.iter().map(row).collect(), ..Table::new("", &columns) };
    let document = std::iter::once(facts)
        .chain(notes)
        .fold(Document::default().named("Rating systems compared"), Document::facts);
    let bins = all.into_iter().map(|judged| {
        Table::of(format!("Gold's chances by {}", judged.system), &judged.bins)
            .column("system", |_| judged.system.as_str().into())
            .column("from", |bin| figure(bin.from, 3))
            .column("to", |bin| figure(bin.to, 3))
            .column("games", |bin| bin.games.into())
            .column("predicted", |bin| figure(bin.predicted, 4))
            .column("observed", |bin| figure(bin.observed, 4))
            .table()
    });
    bins.fold(document.table(systems), Document::table)
}

/// Compares the recorded ratings of the selected games with the formula. A condition selects the reported records; the
/// transitions are those over all games.
///
/// # Errors
/// As `Ratings::compute`; `Nothing` if there is no game.
pub fn mismatches_found(session: &Session, selection: &Selection) -> Result<(MismatchesFound, Reads), Error> {
    let loaded = Loaded::read(session, &Selection { condition: None, ..selection.clone() })?;
    let wanted = selection.condition.as_ref().map(|_| wanted(session, selection)).transpose()?;
    let reported = |game: &Game| wanted.as_ref().is_none_or(|wanted| wanted.contains(&game.id));
    if !loaded.pool.games.iter().any(reported) {
        let nothing = super::nothing_to_rate(super::LeftOut::default(), selection);
        return Err(of_other_game(nothing, session, selection));
    }
    let found = mismatches_among(&loaded.pool, loaded.choice(selection).as_of, &reported);
    Ok((found, loaded.reads))
}

/// The games of the selection, whose condition is stated.
fn wanted(session: &Session, selection: &Selection) -> Result<BTreeSet<u64>, Error> {
    #[derive(Deserialize)]
    struct Wanted {
        game_id: u64,
    }

    let (games, _) = select::<Wanted>(session, &selection.games(), &[selection.kind()], Reading::Scan)?;
    Ok(games.into_iter().map(|game| game.game_id).collect())
}

/// Mismatches as a document.
#[must_use]
pub fn mismatches_document(found: &MismatchesFound) -> Document {
    let facts = vec![
        ("transitions", found.transitions.into()),
        ("equal", found.equal.into()),
        ("equal without the weekly rise of K", found.equal_without_rises.into()),
        ("not stated or without a result", (found.not_stated > 0).then_some(found.not_stated).into()),
        ("mismatches", (found.mismatches.len() as u64).into()),
    ];
    let table = Table::of("", &found.mismatches)
        .column("player", |one| one.name.as_str().into())
        .column("after_game", |one| one.after.into())
        .column("game", |one| one.game.into())
        .column("computed", |one| i64::from(one.computed.0).into())
        .column("computed_k", |one| i64::from(one.computed.1).into())
        .column("recorded", |one| i64::from(one.recorded.0).into())
        .column("recorded_k", |one| i64::from(one.recorded.1).into())
        .column("found", |one| match one.found {
            Found::OtherK => "other K".into(),
            Found::OtherRating => "other rating".into(),
        });
    Document::default().named("Recorded ratings and the gameroom's formula").facts(facts).table(table.table())
}

/// One player's rating over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerHistory {
    /// The player.
    pub player: String,
    /// The system, with its options.
    pub system: String,
    /// The ratings.
    pub points: Vec<HistoryPoint>,
}

/// The rating at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryPoint {
    /// The last counted game; the last one of its day or period if several count together.
    pub game_id: u64,
    /// When that was over, RFC 3339, UTC.
    pub at: Option<String>,
    /// The rating.
    #[serde(serialize_with = "super::points")]
    pub rating: f64,
    /// Its standard error, if the system has one.
    #[serde(serialize_with = "super::maybe_points")]
    pub error: Option<f64>,
    /// The lower end of the 95% confidence interval.
    #[serde(serialize_with = "super::maybe_points")]
    pub low: Option<f64>,
    /// Its upper end.
    #[serde(serialize_with = "super::maybe_points")]
    pub high: Option<f64>,
}

/// The history of a player.
///
/// # Errors
/// As `Ratings::compute`; `Nothing` if the player has no game that counts.
pub fn history_of(
    session: &Session,
    selection: &Selection,
    name: &str,
    rulings: Rulings,
) -> Result<(PlayerHistory, Reads), Error> {
    let loaded = Loaded::read(session, selection)?;
    let player = loaded.player(session, name).map_err(|error| of_other_game(error, session, selection))?;
    let choice = loaded.choice(selection);
    let points = history(&loaded.pool, &choice, &selection.system, player, rulings)
        .map_err(|error| refused(error, selection))?;
    let person = loaded.pool.persons(choice.as_of).get(player).copied().unwrap_or(player);
    let shown = loaded.pool.players[person].name.clone();
    if points.is_empty() {
        let next = vec![Remedy::CountUnrated];
        return Err(Error::Nothing { what: format!("no game counts of {shown}"), next });
    }
    let point = |point: &annals_ratings::Point| HistoryPoint {
        game_id: point.game,
        at: point.at.map(instant),
        rating: point.rating,
        error: point.error,
        low: point.error.map(|error| point.rating - INTERVAL * error),
        high: point.error.map(|error| point.rating + INTERVAL * error),
    };
    let history = PlayerHistory {
        player: shown,
        system: selection.system.to_string(),
        points: points.iter().map(point).collect(),
    };
    Ok((history, loaded.reads))
}

/// A history as one table, with figures in full.
#[must_use]
pub fn history_table(history: &PlayerHistory) -> Table {
    Table::of("", &history.points)
        .column("player", |_| history.player.as_str().into())
        .column("system", |_| history.system.as_str().into())
        .column("over", |point| Cell::some(point.at.as_ref()))
        .column("game", |point| point.game_id.into())
        .column("rating", |point| point.rating.into())
        .column("error", |point| point.error.into())
        .column("low", |point| point.low.into())
        .column("high", |point| point.high.into())
        .table()
}

/// A history as a document.
#[must_use]
pub fn history_document(history: &PlayerHistory) -> Document {
    let maybe = |value: Option<f64>| value.map_or(Cell::Empty, |value| figure(value, 1));
    let facts = vec![("player", history.player.as_str().into()), ("system", history.system.as_str().into())];
    let table = Table::of("", &history.points)
        .column("over", |point| Cell::some(point.at.as_ref()))
        .column("game", |point| point.game_id.into())
        .column("rating", |point| figure(point.rating, 1))
        .column("error", |point| maybe(point.error))
        .column("low", |point| maybe(point.low))
        .column("high", |point| maybe(point.high));
    Document::default()
        .named(format!("{}: rating over time", history.player))
        .facts(facts)
        .table(table.table())
}
