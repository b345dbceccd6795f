//! The other reports on ratings: systems compared by prediction, records that depart from the gameroom's formula, and the history of
//! one player. Each is a value, and a sheet to read.

use std::collections::BTreeSet;

use annals_ratings::{
    Compared, Found, Game, INTERVAL, Judged, Mean, Mismatches, Terms, compare, mismatches_among,
};
use serde::Serialize;

use super::games::Loaded;
use super::{Rulings, Selection, System, history, refused};
use crate::dates::instant;
use crate::output::{Cell, Sheet};
use crate::query_rows::QueryRows;
use crate::session::{Reading, Session};
use crate::sql_text::Conditions;
use crate::{Error, Reads};

/// Systems judged on the selected games.
pub type ComparedGames = Compared;

/// Records held against the formula.
pub type MismatchesFound = Mismatches;

/// Judges systems on the games of a selection.
///
/// # Errors
/// As `Ratings::compute`, and where no game can be judged.
pub fn compare_games(
    session: &Session,
    selection: &Selection,
    systems: &[System],
    terms: &Terms,
) -> Result<(ComparedGames, Reads), Error> {
    let loaded = Loaded::read(session, selection)?;
    let choice = loaded.choice(selection);
    let compared =
        compare(&loaded.pool, &choice, systems, terms).map_err(|error| refused(error, selection))?;
    Ok((compared, loaded.reads))
}

fn figure(value: f64, digits: i32) -> Cell {
    let scale = 10f64.powi(digits);
    ((value * scale).round() / scale).into()
}

fn with_error(mean: Mean, digits: i32) -> [Cell; 2] {
    [figure(mean.mean, digits), mean.error.map_or(Cell::Empty, |error| figure(error, digits))]
}

/// A comparison to read: the systems, then for each what became of its chances.
#[must_use]
pub fn compared_sheet(compared: &ComparedGames) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.facts(vec![("games", compared.games.into()), ("judged", compared.judged.into())]);
    for note in &compared.notes {
        sheet.facts(vec![("note", note.as_str().into())]);
    }
    let row = |judged: &Judged| {
        let mut row = vec![Cell::from(judged.system.as_str())];
        row.extend(with_error(judged.log_loss, 4));
        row.extend(with_error(judged.against_baseline, 4));
        row.extend(with_error(judged.brier, 4));
        row.extend(with_error(judged.accuracy, 4));
        row.push(figure(judged.miscalibration, 4));
        row.push(u64::from(judged.fits).into());
        row
    };
    let all: Vec<&Judged> = std::iter::once(&compared.baseline).chain(&compared.systems).collect();
    let columns = vec![
        "system", "log_loss", "±", "less_baseline", "± ", "brier", "±  ", "accuracy", "±   ",
        "miscalibration", "fits",
    ];
    sheet.table("", columns, all.iter().map(|judged| row(judged)).collect());
    for judged in all {
        let rows = judged.bins.iter().map(|bin| {
            vec![
                judged.system.as_str().into(),
                figure(bin.from, 3),
                figure(bin.to, 3),
                bin.games.into(),
                figure(bin.predicted, 4),
                figure(bin.had, 4),
            ]
        });
        let columns = vec!["system", "from", "to", "games", "foretold", "had"];
        sheet.table(format!("Gold's chances by {}", judged.system), columns, rows.collect());
    }
    sheet
}

/// Holds what the records of the selected games state against the formula. A condition chooses the records that are reported; the
/// transitions are those over all games.
///
/// # Errors
/// As `Ratings::compute`; `Nothing` where there is no game.
pub fn mismatches_found(session: &Session, selection: &Selection) -> Result<(MismatchesFound, Reads), Error> {
    let loaded = Loaded::read(session, &Selection { condition: None, ..selection.clone() })?;
    let wanted = match &selection.condition {
        Some(condition) => Some(wanted(session, selection, condition)?),
        None => None,
    };
    let reported = |game: &Game| wanted.as_ref().is_none_or(|wanted| wanted.contains(&game.id));
    if !loaded.pool.games.iter().any(reported) {
        return Err(super::nothing_to_rate(super::LeftOut::default(), selection));
    }
    let found = mismatches_among(&loaded.pool, loaded.choice(selection).as_of, &reported);
    Ok((found, loaded.reads))
}

/// The games for which a condition holds.
fn wanted(session: &Session, selection: &Selection, condition: &str) -> Result<BTreeSet<u64>, Error> {
    let mut conditions = Conditions::default();
    conditions.add(format!("game = '{}'", selection.game.word()));
    conditions.add(format!("({condition})"));
    let sql = format!("SELECT game_id FROM games{}", conditions.clause());
    let (answer, _) = QueryRows::ask(session, &sql, Reading::Scan)?;
    Ok(answer.ids("game_id")?.into_iter().flatten().collect())
}

/// Departures to read.
#[must_use]
pub fn mismatches_sheet(found: &MismatchesFound) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.facts(vec![
        ("transitions", found.transitions.into()),
        ("equal", found.equal.into()),
        ("equal without the weekly rise of K", found.equal_without_rises.into()),
        ("not stated or without a result", (found.not_stated > 0).then_some(found.not_stated).into()),
        ("departures", (found.mismatches.len() as u64).into()),
    ]);
    let rows = found.mismatches.iter().map(|mismatch| {
        let ((computed, computed_k), (recorded, recorded_k)) = (mismatch.computed, mismatch.recorded);
        vec![
            mismatch.name.as_str().into(),
            mismatch.after.into(),
            mismatch.game.into(),
            i64::from(computed).into(),
            i64::from(computed_k).into(),
            i64::from(recorded).into(),
            i64::from(recorded_k).into(),
            match mismatch.found {
                Found::OtherK => "other K",
                Found::OtherRating => "other rating",
            }
            .into(),
        ]
    });
    let columns =
        vec!["player", "after_game", "game", "computed", "computed_k", "recorded", "recorded_k", "found"];
    sheet.table("", columns, rows.collect());
    sheet
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
    /// The game after which it stands; the last one of its day or period where several count together.
    pub game_id: u64,
    /// When that was over, RFC 3339, UTC.
    pub at: Option<String>,
    /// The rating.
    #[serde(serialize_with = "super::points")]
    pub rating: f64,
    /// Its standard error, where the system has one.
    #[serde(serialize_with = "super::maybe_points")]
    pub error: Option<f64>,
    /// The interval that holds it in 95 of 100 cases.
    #[serde(serialize_with = "super::maybe_points")]
    pub low: Option<f64>,
    /// Its upper end.
    #[serde(serialize_with = "super::maybe_points")]
    pub high: Option<f64>,
}

/// The history of a player.
///
/// # Errors
/// As `Ratings::compute`; `Nothing` where the player has no game that counts.
pub fn history_of(
    session: &Session,
    selection: &Selection,
    name: &str,
    rulings: Rulings,
) -> Result<(PlayerHistory, Reads), Error> {
    let loaded = Loaded::read(session, selection)?;
    let player = loaded.player(session, name)?;
    let choice = loaded.choice(selection);
    let points = history(&loaded.pool, &choice, &selection.system, player, rulings)
        .map_err(|error| refused(error, selection))?;
    let person = loaded.pool.persons(choice.as_of).get(player).copied().unwrap_or(player);
    let shown = loaded.pool.players[person].name.clone();
    if points.is_empty() {
        let hints = vec!["`--unrated` counts unrated games too".to_owned()];
        return Err(Error::Nothing { what: format!("no game counts of {shown}"), hints });
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

/// A history to read.
#[must_use]
pub fn history_sheet(history: &PlayerHistory) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.facts(vec![("player", history.player.as_str().into()), ("system", history.system.as_str().into())]);
    let rows = history.points.iter().map(|point| {
        let maybe = |value: Option<f64>| value.map_or(Cell::Empty, |value| figure(value, 1));
        vec![
            Cell::from(point.at.clone()),
            point.game_id.into(),
            figure(point.rating, 1),
            maybe(point.error),
            maybe(point.low),
            maybe(point.high),
        ]
    });
    sheet.table("", vec!["over", "game", "rating", "error", "low", "high"], rows.collect());
    sheet
}
