//! The explorer: what was played from a position, how often, and with what result. Mirror images (in the Amazons all images under
//! the symmetries of the board) are one position: turns played in another image are transformed back. Turns that lead to the same
//! position are one choice, with steps in any order; it is shown in the most frequent notation.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use annals_events::Side;
use annals_rules::arimaa::{Board, Position, Setup, Turn};
use annals_rules::game::Strictness;
use annals_rules::{AnyPosition, amazons};
use serde::{Deserialize, Serialize};

use crate::boards::symmetry_number;
use crate::notation::mirrored_turn;
use crate::search::hash_literal;
use crate::session::{Reading, Session};
use crate::stored_start;
use crate::typed_rows::each;
use crate::{Error, Reads};

/// The results of games with one continuation.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Times played: once per occurrence of the position, so a game may count more than once.
    pub played: u64,
    /// Of them, in games that gold won.
    pub gold_won: u64,
    /// In games that silver won.
    pub silver_won: u64,
    /// In drawn games, or games whose result is not known.
    pub neither: u64,
    /// The mean rating of the players who played it, if known.
    pub average_rating: Option<f64>,
    /// The year of the first game, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_year: Option<i64>,
    /// The year of the last game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_year: Option<i64>,
}

/// One continuation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NextTurn {
    /// The turn, in the most frequent notation and the orientation of the queried position.
    pub turn: String,
    /// How often and with what result.
    #[serde(flatten)]
    pub tally: Tally,
    /// The number of other notations of the same choice.
    pub other_wordings: usize,
    /// A game in which it was played.
    pub example_game: u64,
}

/// The turns played from a position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explored {
    /// The board: 64 characters, in the Amazons rows with slashes.
    pub board: String,
    pub to_move: String,
    /// The number of occurrences of the position, and their results.
    pub total: Tally,
    /// Occurrences at the end of a game.
    pub ended: u64,
    /// The continuations, the most frequent first.
    pub choices: Vec<NextTurn>,
    /// How many more continuations are left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_listed: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The most continuations of a page.
pub const MOST_LISTED: usize = 10_000;

/// The start of a game of Arimaa.
#[must_use]
pub fn start() -> AnyPosition {
    AnyPosition::Arimaa(Position::new(Board::EMPTY, Side::Gold))
}

/// As [`explore`], with at most [`MOST_LISTED`] continuations. The session keeps those of the [`start`], for which all games are read,
/// and the user's folder for caches keeps them for later sessions on the same dataset.
///
/// # Errors
/// If the query fails.
pub fn explored(session: &Session, position: &AnyPosition) -> Result<Arc<Explored>, Error> {
    let listed = || Ok(Arc::new(explore_listing(session, position, MOST_LISTED)?.0));
    if *position != start() {
        return listed();
    }
    // Others wait, so that the games are read once.
    let mut kept = session.start.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(explored) = &*kept {
        return Ok(Arc::clone(explored));
    }
    let digest = session.dataset().digest();
    let explored = match stored_start::read(digest) {
        Some(explored) => Arc::new(explored),
        None => {
            let explored = listed()?;
            stored_start::keep(digest, &explored);
            explored
        }
    };
    Ok(Arc::clone(kept.insert(explored)))
}

/// Reads the position after Gold's setup: sixteen placements, a setup turn with its label (`1g Ra1 …`), or a board with
/// no other piece. None if the text has none of these forms.
#[must_use]
pub fn read_setup(text: &str) -> Option<AnyPosition> {
    let words = text.trim();
    let words = words.strip_prefix("1g ").or_else(|| words.strip_prefix("1w ")).unwrap_or(words);
    let played = |turn| Setup::play(Board::EMPTY, Side::Gold, &turn, Strictness::Archive).ok();
    let board = Turn::parse(words.as_bytes()).ok().and_then(played).or_else(|| Board::parse(text).ok())?;
    let only_setup = board.occupied(Side::Silver) == 0 && board.occupied(Side::Gold).count_ones() == 16;
    only_setup.then(|| AnyPosition::Arimaa(Position::new(board, Side::Silver)))
}

/// One row for each turn played from the empty board, which is not in the index: it is not a position after a turn. The first turn
/// of a resumed game is no setup: such a game starts from another position.
const SETUPS: &str = "SELECT t.steps AS next_turn, 0 AS turned, g.result, g.gold_rating, g.silver_rating, t.game_id, t.year \
     FROM turns AS t JOIN games AS g ON g.game_id = t.game_id WHERE t.ply = 1 AND t.setup AND g.game = 'arimaa'";

/// One row for each first turn of a game of the Amazons that starts from a position, which the index does not have either;
/// `turned` is the number of the symmetry that maps the position of the game to that of the key. `starts` has the hash of each
/// image with the number of its symmetry.
fn starts_sql(starts: &[(u64, usize)]) -> String {
    let cases: Vec<String> =
        starts.iter().map(|(hash, number)| format!("WHEN {} THEN {number}", hash_literal(*hash))).collect();
    let hashes: Vec<String> = starts.iter().map(|(hash, _)| hash_literal(*hash)).collect();
    format!(
        "SELECT t.steps AS next_turn, CAST(CASE t.hash_before {} END AS INT) AS turned, g.result, g.gold_rating, g.silver_rating, \
         t.game_id, t.year FROM games AS g JOIN turns AS t ON t.game_id = g.game_id \
         WHERE g.game = 'amazons' AND t.ply = 1 AND t.hash_before IN ({})",
        cases.join(" "),
        hashes.join(", ")
    )
}

/// The turns played from a position: from the empty board, Gold's setups.
///
/// # Errors
/// If the query fails.
pub fn explore(session: &Session, position: &AnyPosition) -> Result<(Explored, Reads), Error> {
    explore_listing(session, position, usize::MAX)
}

/// As [`explore`], with at most `most` continuations.
fn explore_listing(
    session: &Session,
    position: &AnyPosition,
    most: usize,
) -> Result<(Explored, Reads), Error> {
    match position {
        AnyPosition::Arimaa(position) => in_arimaa(session, position, most),
        AnyPosition::Amazons(position) => in_amazons(session, position, most),
    }
}

fn in_arimaa(session: &Session, position: &Position, most: usize) -> Result<(Explored, Reads), Error> {
    let (key, flipped) = position.key();
    let flipped = i64::from(flipped);
    let mut played = Played::new(position.to_move(), |turn, turned| {
        // Symmetric positions have no mirrored side: their key is never flipped.
        if turned == flipped { turn.to_owned() } else { mirrored_turn(turn) }
    });
    let reads = match *position.board() == Board::EMPTY {
        // Of nearly all pages something is read, so that filters while decoding would only cost.
        true => played.ask(session, SETUPS, Reading::Scan)?,
        false => played.look_up(session, key)?,
    };
    let board = position.board().to_short();
    let explored =
        gather((board, position.to_move()), played.wordings, most, |turn| destination(position, turn));
    Ok((explored, reads))
}

fn in_amazons(
    session: &Session,
    position: &amazons::Position,
    most: usize,
) -> Result<(Explored, Reads), Error> {
    let size = position.board().size();
    let mut starts: Vec<(u64, usize)> = amazons::Symmetry::of(size)
        .map(|symmetry| {
            let image = symmetry.position(position);
            (image.hash(), symmetry_number(size, image.key().1))
        })
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let (key, way) = position.key();
    let back = way.inverse();
    let mut played = Played::new(position.to_move(), |turn, turned| {
        let way = usize::try_from(turned).ok().and_then(|number| amazons::Symmetry::of(size).nth(number));
        match (amazons::Move::parse(turn.as_bytes()), way) {
            (Ok(played), Some(way)) => back.turn(size, way.turn(size, played)).to_string(),
            _ => turn.to_owned(),
        }
    });
    let mut reads = played.look_up(session, key)?;
    reads.merge(played.ask(session, &starts_sql(&starts), Reading::LookUp)?);
    let destination = |turn: &str| match after(&AnyPosition::Amazons(*position), turn) {
        Some(AnyPosition::Amazons(after)) => Destination::Position(after.key().0),
        _ => Destination::Words(turn.to_owned()),
    };
    let explored =
        gather((position.board().to_short(), position.to_move()), played.wordings, most, destination);
    Ok((explored, reads))
}

/// A turn that was played, with its results.
#[derive(Deserialize)]
struct PlayedRow {
    next_turn: Option<String>,
    turned: Option<i64>,
    result: Option<String>,
    played: u64,
    example: u64,
    rating_sum: Option<i64>,
    rated: u64,
    first_year: Option<i64>,
    last_year: Option<i64>,
}

/// A row of `lookup`.
#[derive(Deserialize)]
struct IndexRow {
    next_turn: Option<String>,
    flipped: bool,
    symmetry: Option<u8>,
    result: String,
    gold_rating: Option<i32>,
    silver_rating: Option<i32>,
    game_id: u64,
}

/// The turns that were played, in the orientation of the queried position; none is the end of a game.
struct Played<A> {
    to_move: Side,
    as_asked: A,
    wordings: HashMap<Option<String>, Gathered>,
}

impl<A: Fn(&str, i64) -> String> Played<A> {
    fn new(to_move: Side, as_asked: A) -> Played<A> {
        Played { to_move, as_asked, wordings: HashMap::new() }
    }

    fn gathered(&mut self, turn: Option<&str>, turned: i64) -> &mut Gathered {
        let turn = turn.map(|turn| (self.as_asked)(turn, turned));
        self.wordings.entry(turn).or_default()
    }

    /// Adds those after a position of the index.
    fn look_up(&mut self, session: &Session, key: u64) -> Result<Reads, Error> {
        let (rows, reads) = session.of_key::<IndexRow>("lookup", ("key", key), |_| true)?;
        for (file, row) in rows {
            let rating = match self.to_move {
                Side::Gold => row.gold_rating,
                Side::Silver => row.silver_rating,
            };
            let turned = row.symmetry.map_or(i64::from(row.flipped), i64::from);
            let year = file.year.filter(|year| *year != 0).map(i64::from);
            let gathered = self.gathered(row.next_turn.as_deref(), turned);
            let rated = u64::from(rating.is_some());
            gathered.add(1, Some(&row.result), f64::from(rating.unwrap_or_default()), rated, row.game_id);
            gathered.add_years(year, year);
        }
        Ok(reads)
    }

    /// Adds those of a query.
    fn ask(&mut self, session: &Session, sql: &str, reading: Reading) -> Result<Reads, Error> {
        let grouped = format!(
            "SELECT next_turn, turned, result, count(*) AS played, min(game_id) AS example, \
             sum({side}_rating) AS rating_sum, count({side}_rating) AS rated, \
             CAST(min(nullif(year, 0)) AS BIGINT) AS first_year, CAST(max(nullif(year, 0)) AS BIGINT) AS last_year \
             FROM ({sql}) AS p GROUP BY next_turn, turned, result",
            side = self.to_move.word()
        );
        each(session, &grouped, &[], reading, |row: PlayedRow| {
            let gathered = self.gathered(row.next_turn.as_deref(), row.turned.unwrap_or_default());
            let rating_sum = row.rating_sum.unwrap_or_default() as f64;
            gathered.add(row.played, row.result.as_deref(), rating_sum, row.rated, row.example);
            gathered.add_years(row.first_year, row.last_year);
        })
    }
}

/// Partial sums of counts.
#[derive(Debug, Clone, Default)]
struct Gathered {
    tally: Tally,
    rating_sum: f64,
    rated: u64,
    example: Option<u64>,
}

impl Gathered {
    fn add(&mut self, played: u64, result: Option<&str>, rating_sum: f64, rated: u64, example: u64) {
        self.tally.played += played;
        match result {
            Some("gold") => self.tally.gold_won += played,
            Some("silver") => self.tally.silver_won += played,
            _ => self.tally.neither += played,
        }
        self.rating_sum += rating_sum;
        self.rated += rated;
        self.example = Some(self.example.map_or(example, |e| e.min(example)));
    }

    fn add_years(&mut self, first: Option<i64>, last: Option<i64>) {
        self.tally.first_year = self.tally.first_year.into_iter().chain(first).min();
        self.tally.last_year = self.tally.last_year.max(last);
    }

    fn merge(&mut self, other: &Gathered) {
        self.add_years(other.tally.first_year, other.tally.last_year);
        self.tally.played += other.tally.played;
        self.tally.gold_won += other.tally.gold_won;
        self.tally.silver_won += other.tally.silver_won;
        self.tally.neither += other.tally.neither;
        self.rating_sum += other.rating_sum;
        self.rated += other.rated;
        self.example = self.example.into_iter().chain(other.example).min();
    }

    fn tally(&self) -> Tally {
        let average_rating = (self.rated > 0).then(|| self.rating_sum / self.rated as f64);
        Tally { average_rating, ..self.tally.clone() }
    }
}

/// Combines notations that lead to the same position, and lists at most `most` continuations.
fn gather(
    (board, to_move): (String, Side),
    wordings: HashMap<Option<String>, Gathered>,
    most: usize,
    destination: impl Fn(&str) -> Destination,
) -> Explored {
    let mut total = Gathered::default();
    let mut ended = 0;
    let mut choices: HashMap<Destination, (Gathered, Vec<(u64, String)>)> = HashMap::new();
    for (turn, gathered) in wordings {
        total.merge(&gathered);
        let Some(turn) = turn else {
            ended += gathered.tally.played;
            continue;
        };
        let (sum, words) = choices.entry(destination(&turn)).or_default();
        sum.merge(&gathered);
        words.push((gathered.tally.played, turn));
    }
    let mut choices: Vec<NextTurn> = choices
        .into_values()
        .map(|(sum, mut words)| {
            words.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
            NextTurn {
                tally: sum.tally(),
                other_wordings: words.len() - 1,
                example_game: sum.example.unwrap_or_default(),
                turn: words.swap_remove(0).1,
            }
        })
        .collect();
    let by_frequency =
        |a: &NextTurn, b: &NextTurn| b.tally.played.cmp(&a.tally.played).then_with(|| a.turn.cmp(&b.turn));
    let not_listed = choices.len().saturating_sub(most);
    if not_listed > 0 {
        choices.select_nth_unstable_by(most, by_frequency);
        choices.truncate(most);
        choices.shrink_to_fit();
    }
    choices.sort_by(by_frequency);
    let to_move = to_move.word().to_owned();
    Explored { board, to_move, total: total.tally(), ended, choices, not_listed }
}

/// The identity of a choice: the key of the position that it leads to, or its notation if it cannot be played.
#[derive(PartialEq, Eq, Hash)]
enum Destination {
    Position(u64),
    Words(String),
}

/// The key and not the hash: turns that lead to mirror images of each other are one choice, which is necessary if the
/// position is its own mirror image.
fn destination(position: &Position, turn: &str) -> Destination {
    match after(&AnyPosition::Arimaa(*position), turn) {
        Some(AnyPosition::Arimaa(after)) => Destination::Position(after.key().0),
        _ => Destination::Words(turn.to_owned()),
    }
}

/// The position after a turn, which may be a setup; none if the turn cannot be played.
#[must_use]
pub fn after(position: &AnyPosition, turn: &str) -> Option<AnyPosition> {
    match position {
        AnyPosition::Amazons(position) => {
            let played = amazons::Move::parse(turn.as_bytes()).ok()?;
            position.play(played).ok().map(AnyPosition::Amazons)
        }
        AnyPosition::Arimaa(position) => {
            let parsed = Turn::parse(turn.as_bytes()).ok()?;
            let (board, side) = (*position.board(), position.to_move());
            let after = if board.occupied(side) == 0 {
                let board = Setup::play(board, side, &parsed, Strictness::Archive).ok()?;
                Position::new(board, side.other())
            } else {
                position.play(&parsed, Strictness::Archive).ok()?.0
            };
            Some(AnyPosition::Arimaa(after))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETUP: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";

    fn setup() -> Board {
        match read_setup(SETUP) {
            Some(AnyPosition::Arimaa(position)) => *position.board(),
            _ => Board::EMPTY,
        }
    }

    #[test]
    fn a_setup_is_read_as_placements_or_as_a_board() {
        assert_eq!(setup().occupied(Side::Gold).count_ones(), 16);
        assert_eq!(read_setup(&format!("1w {SETUP}")), read_setup(SETUP));
        assert_eq!(read_setup(&setup().to_short()), read_setup(SETUP));
        assert_eq!(read_setup("Ra1"), None);
        assert_eq!(read_setup("nonsense"), None);
    }

    #[test]
    fn the_same_steps_in_another_order_are_one_choice() {
        let gold = setup();
        let silver = gold.rotated();
        let board = Board::from_planes([0, 1, 2, 3].map(|k| gold.planes()[k] | silver.planes()[k])).unwrap();
        let position = Position::new(board, Side::Gold);
        let one = |played| {
            let mut gathered = Gathered::default();
            gathered.add(played, Some("gold"), 1500.0 * played as f64, played, 7);
            gathered
        };
        let wordings = HashMap::from([
            (Some("Ee2n Ee3n Ha2n Ha3n".to_owned()), one(2)),
            (Some("Ha2n Ee2n Ha3n Ee3n".to_owned()), one(3)),
            (Some("Md2n Md3n".to_owned()), one(1)),
            (None, one(4)),
        ]);
        let explored =
            gather((String::new(), Side::Gold), wordings, usize::MAX, |turn| destination(&position, turn));
        assert_eq!(explored.total.played, 10);
        assert_eq!(explored.ended, 4);
        assert_eq!(explored.choices.len(), 2);
        assert_eq!(explored.choices[0].turn, "Ha2n Ee2n Ha3n Ee3n");
        assert_eq!((explored.choices[0].tally.played, explored.choices[0].other_wordings), (5, 1));
        assert_eq!(explored.choices[0].tally.average_rating, Some(1500.0));
    }
}
