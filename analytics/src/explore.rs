//! The explorer: what was played from a position, how often, and with what result. Mirror images are one position: what
//! was played in a mirrored one is mirrored back. Turns that lead to the same position are one choice, whatever the
//! order of their steps; it is shown in the words that were used most.

use std::collections::{BTreeMap, HashMap};

use annals_events::Side;
use annals_rules::arimaa::{Board, Position, Setup, Turn};
use annals_rules::game::Strictness;
use serde::Serialize;

use crate::notation::mirrored_turn;
use crate::search::hash_literal;
use crate::session::{Reading, Session};
use crate::small_answer::SmallAnswer;
use crate::{Error, Reads};

/// From where the exploring starts.
#[derive(Debug, Clone)]
pub enum Start {
    /// The empty board: which setups did gold choose?
    Empty,
    /// After gold's setup: what did silver answer?
    AfterGoldSetup(Board),
    /// A position in play.
    Position(Position),
}

/// How the games went that continued in one way.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Times played: once for each time that the position stood, so a game may count more than once.
    pub played: u64,
    /// Of them, in games that gold won.
    pub gold_won: u64,
    /// In games that silver won.
    pub silver_won: u64,
    /// In drawn games, or games whose result is not known.
    pub neither: u64,
    /// The mean rating of those who played it, where it is known.
    pub average_rating: Option<f64>,
}

/// One way to go on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// The turn, in the words used most and seen from the position asked for.
    pub turn: String,
    /// How often and with what result.
    #[serde(flatten)]
    pub tally: Tally,
    /// Other words for the same choice: how many.
    pub other_wordings: usize,
    /// A game in which it was played.
    pub example_game: u64,
}

/// What was played from a position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explored {
    /// The board, 64 signs.
    pub board: String,
    /// Who is to move.
    pub to_move: String,
    /// How often the position stood, and with what result.
    pub total: Tally,
    /// Times that the position stood and nothing was played any more.
    pub ended: u64,
    /// The ways to go on, the most frequent first.
    pub choices: Vec<Choice>,
}

/// Reads gold's setup: sixteen placements, a setup turn with its label (`1g Ra1 …`), or a board text.
///
/// # Errors
/// Where the text is no legal setup of gold's.
pub fn read_setup(text: &str) -> Result<Board, Error> {
    let refused =
        |why: String| Error::Argument { what: "setup", found: text.chars().take(80).collect(), why };
    let words = text.trim();
    let words = words.strip_prefix("1g ").or_else(|| words.strip_prefix("1w ")).unwrap_or(words);
    let board = if words.contains('|') || words.contains('.') || words.contains('[') {
        Board::parse(text).map_err(|why| refused(why.to_string()))?
    } else {
        let turn = Turn::parse(words.as_bytes()).map_err(|why| refused(why.to_string()))?;
        Setup::play(Board::EMPTY, Side::Gold, &turn, Strictness::Archive)
            .map_err(|why| refused(why.to_string()))?
    };
    if board.occupied(Side::Silver) != 0 || board.occupied(Side::Gold).count_ones() != 16 {
        return Err(refused("it must hold gold's sixteen pieces and none of silver's".to_owned()));
    }
    Ok(board)
}

impl Start {
    fn position(&self) -> Position {
        match self {
            Start::Empty => Position::new(Board::EMPTY, Side::Gold),
            Start::AfterGoldSetup(board) => Position::new(*board, Side::Silver),
            Start::Position(position) => *position,
        }
    }

    /// One row for each turn played from here, in its own orientation; `flipped` says whether the position stood
    /// mirrored against its key.
    fn sql(&self) -> String {
        match self {
            // The empty board is not in the index: it is no position after a turn.
            Start::Empty => "SELECT t.steps AS next_turn, false AS flipped, g.result, g.gold_rating, g.silver_rating, \
                             t.game_id FROM turns AS t JOIN games AS g ON g.game_id = t.game_id WHERE t.ply = 1"
                .to_owned(),
            _ => format!(
                "SELECT next_turn, flipped, result, gold_rating, silver_rating, game_id FROM lookup WHERE key = {}",
                hash_literal(self.position().key().0)
            ),
        }
    }
}

/// Answers what was played from a position.
///
/// # Errors
/// Where the query fails.
pub fn explore(session: &Session, start: &Start) -> Result<(Explored, Reads), Error> {
    let position = start.position();
    let flipped = position.key().1;
    let grouped = format!(
        "SELECT next_turn, flipped, result, count(*) AS played, min(game_id) AS example, \
         sum({side}_rating) AS rating_sum, count({side}_rating) AS rated FROM ({}) AS p GROUP BY next_turn, flipped, result",
        start.sql(),
        side = position.to_move().word()
    );
    let (rows, reads) = SmallAnswer::ask(session, &grouped, Reading::LookUp)?;
    let mut wordings: BTreeMap<Option<String>, Gathered> = BTreeMap::new();
    let turns = rows.texts("next_turn");
    let mirrored = rows.truths("flipped");
    let results = rows.texts("result");
    let played = rows.ids("played");
    let examples = rows.ids("example");
    let sums = rows.floats("rating_sum");
    let rated = rows.ids("rated");
    for row in 0..rows.len() {
        let turn = turns[row].as_deref().map(|turn| match mirrored[row] {
            // Symmetric positions have no mirrored side: their key is never flipped.
            Some(m) if m != flipped => mirrored_turn(turn),
            _ => turn.to_owned(),
        });
        wordings.entry(turn).or_default().add(
            played[row].unwrap_or_default(),
            results[row].as_deref(),
            sums[row].unwrap_or_default(),
            rated[row].unwrap_or_default(),
            examples[row].unwrap_or_default(),
        );
    }
    Ok((gather(&position, wordings), reads))
}

/// Counts being added up.
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

    fn merge(&mut self, other: &Gathered) {
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

/// Puts wordings that lead to the same position together.
fn gather(position: &Position, wordings: BTreeMap<Option<String>, Gathered>) -> Explored {
    let mut total = Gathered::default();
    let mut ended = 0;
    let mut choices: HashMap<String, (Gathered, Vec<(u64, String)>)> = HashMap::new();
    for (turn, gathered) in wordings {
        total.merge(&gathered);
        let Some(turn) = turn else {
            ended += gathered.tally.played;
            continue;
        };
        let (sum, words) = choices.entry(destination(position, &turn)).or_default();
        sum.merge(&gathered);
        words.push((gathered.tally.played, turn));
    }
    let mut choices: Vec<Choice> = choices
        .into_values()
        .map(|(sum, mut words)| {
            words.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
            Choice {
                tally: sum.tally(),
                other_wordings: words.len() - 1,
                example_game: sum.example.unwrap_or_default(),
                turn: words.swap_remove(0).1,
            }
        })
        .collect();
    choices.sort_by(|a, b| b.tally.played.cmp(&a.tally.played).then_with(|| a.turn.cmp(&b.turn)));
    Explored {
        board: position.board().to_short(),
        to_move: position.to_move().word().to_owned(),
        total: total.tally(),
        ended,
        choices,
    }
}

/// What tells a choice from another: the position that it leads to, or its words where it cannot be played.
///
/// The key and not the hash: turns that lead to mirror images of one another are one choice, as they must be where the
/// position is its own mirror image.
fn destination(position: &Position, turn: &str) -> String {
    let Ok(parsed) = Turn::parse(turn.as_bytes()) else { return turn.to_owned() };
    let board = *position.board();
    let side = position.to_move();
    let key = if board.occupied(side) == 0 {
        Setup::play(board, side, &parsed, Strictness::Archive)
            .ok()
            .map(|b| Position::new(b, side.other()).key().0)
    } else {
        position.play(&parsed, Strictness::Archive).ok().map(|(after, _)| after.key().0)
    };
    key.map_or_else(|| turn.to_owned(), |key| format!("#{key}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETUP: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";

    #[test]
    fn a_setup_is_read_as_placements_or_as_a_board() {
        let board = read_setup(SETUP).unwrap();
        assert_eq!(read_setup(&format!("1w {SETUP}")).unwrap(), board);
        assert_eq!(read_setup(&format!("[{}]", board.to_short())).unwrap(), board);
        assert!(read_setup("Ra1").is_err());
        assert!(read_setup("nonsense").is_err());
    }

    #[test]
    fn the_same_steps_in_another_order_are_one_choice() {
        let gold = read_setup(SETUP).unwrap();
        let silver = gold.rotated();
        let board = Board::from_planes([0, 1, 2, 3].map(|k| gold.planes()[k] | silver.planes()[k])).unwrap();
        let position = Position::new(board, Side::Gold);
        let one = |played| {
            let mut gathered = Gathered::default();
            gathered.add(played, Some("gold"), 1500.0 * played as f64, played, 7);
            gathered
        };
        let wordings = BTreeMap::from([
            (Some("Ee2n Ee3n Ha2n Ha3n".to_owned()), one(2)),
            (Some("Ha2n Ee2n Ha3n Ee3n".to_owned()), one(3)),
            (Some("Md2n Md3n".to_owned()), one(1)),
            (None, one(4)),
        ]);
        let explored = gather(&position, wordings);
        assert_eq!(explored.total.played, 10);
        assert_eq!(explored.ended, 4);
        assert_eq!(explored.choices.len(), 2);
        assert_eq!(explored.choices[0].turn, "Ha2n Ee2n Ha3n Ee3n");
        assert_eq!((explored.choices[0].tally.played, explored.choices[0].other_wordings), (5, 1));
        assert_eq!(explored.choices[0].tally.average_rating, Some(1500.0));
    }
}
