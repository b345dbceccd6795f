//! The report of `annals engine evaluate` on a position of the Amazons: evaluation with reasons, territory, decided
//! regions.

use std::sync::Arc;

use annals_events::{GameEvent, GameKind, Side, Started};
use annals_report::{Document, counted};
use annals_rules::amazons::{Amazons, Owner, Position, Region, Stage};
use annals_rules::game::{Game, GameErrorOf, Strictness};
use serde::Serialize;

use super::filling::fill;
use super::{Evaluator, Player, Registry, Settings};
use crate::evaluation::position_report::{Best, with_scores};
use crate::evaluation::{Explanation, UnknownEvaluator, Vocabulary};
use crate::settings_text::{SettingsError, read_limit};

/// Puzzle positions per side for regions that are only filled.
const FILLING: u32 = 20_000;

const SIDES: [&str; 2] = ["White", "Black"];

#[derive(Debug, Serialize)]
struct Held {
    moves: u64,
    /// Vacant squares nearer in queen's moves.
    nearer_by_queen: u32,
    /// Vacant squares nearer in king's moves.
    nearer_by_king: u32,
    /// Vacant squares that its queens can reach.
    territory: u32,
    /// In its own regions: at least and at most.
    to_fill: [u32; 2],
}

/// A connected region.
#[derive(Debug, Serialize)]
struct Part {
    /// `gold`, `silver`, `shared` or `nobody`.
    owner: &'static str,
    vacant: u32,
    queens: [u32; 2],
    squares: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct PositionReport {
    game: &'static str,
    position: String,
    to_move: &'static str,
    /// `open`, `decided` or `finished`.
    stage: &'static str,
    /// If the game is over.
    winner: Option<&'static str>,
    gold: Held,
    silver: Held,
    regions: Vec<Part>,
    evaluations: Vec<Explanation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Best>,
    #[serde(skip)]
    at: Position,
}

#[derive(Debug, thiserror::Error)]
pub enum PositionReportError {
    /// Another side is to move than the caller names.
    #[error("{} is to move there, but --side names {}", SIDES[to_move.index()], SIDES[named.index()])]
    OtherSide { to_move: Side, named: Side },
    /// There is no such evaluator.
    #[error(transparent)]
    Evaluator(#[from] UnknownEvaluator),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The position is not a valid start.
    #[error(transparent)]
    Game(#[from] GameErrorOf<Amazons>),
}

impl PositionReport {
    /// Reports on a position; `search` looks for the best turn too. `side` is the side to move, if the caller names it.
    ///
    /// # Errors
    /// When another side is to move, or the search cannot begin.
    pub fn of(
        position: &Position,
        side: Option<Side>,
        registry: &Registry,
        evaluators: &[Arc<dyn Evaluator>],
        search: Option<&str>,
    ) -> Result<PositionReport, PositionReportError> {
        let to_move = position.to_move();
        if let Some(named) = side.filter(|side| *side != to_move) {
            return Err(PositionReportError::OtherSide { to_move, named });
        }
        let board = position.board();
        let (queen, king) = (board.closer_by_queen().counts(), board.closer_by_king().counts());
        let held = |side: Side| {
            let filling = fill(board, side, FILLING);
            Held {
                moves: board.count_moves(side),
                nearer_by_queen: queen[side.index()],
                nearer_by_king: king[side.index()],
                territory: board.territory(side).count_ones(),
                to_fill: [filling.least, filling.most],
            }
        };
        let (stage, winner) = match position.stage() {
            Stage::Open => ("open", None),
            Stage::Decided => ("decided", None),
            Stage::Finished { winner } => ("finished", Some(winner.word())),
        };
        let part = |region: &Region| Part {
            owner: match region.owner() {
                Owner::Side(side) => side.word(),
                Owner::Shared => "shared",
                Owner::Nobody => "nobody",
            },
            vacant: region.vacant.count_ones(),
            queens: region.queens.map(u128::count_ones),
            squares: board.size().squares(region.vacant).map(|square| square.to_string()).collect(),
        };
        let going = winner.is_none();
        let evaluations =
            if going { evaluators.iter().map(|one| one.explain(position)).collect() } else { Vec::new() };
        let best = match search {
            Some(limit) if going => best(limit, position, registry, evaluators)?,
            _ => None,
        };
        Ok(PositionReport {
            game: GameKind::Amazons.word(),
            position: position.to_string(),
            to_move: to_move.word(),
            stage,
            winner,
            gold: held(Side::Gold),
            silver: held(Side::Silver),
            regions: board.regions().iter().map(part).collect(),
            evaluations,
            best,
            at: *position,
        })
    }

    #[must_use]
    pub fn document(&self) -> Document {
        let mover = SIDES[self.at.to_move().index()];
        let document = Document::default().drawing(format!("{}\n{mover} to move", self.at.board()));
        let mut lines = vec![match self.at.stage() {
            Stage::Open => "open: a region holds queens of both sides".to_owned(),
            Stage::Decided => {
                "decided: every region belongs to one side, and only filling is left".to_owned()
            }
            Stage::Finished { winner } => {
                let squares = self.at.board().territory(winner).count_ones();
                let squares = counted(squares.into(), "square");
                format!("{} has won, with a territory of {squares}", SIDES[winner.index()])
            }
        }];
        for (side, held) in SIDES.into_iter().zip([&self.gold, &self.silver]) {
            let [least, most] = held.to_fill;
            let to_fill = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            lines.push(format!(
            "{side}: {}; nearer to {} by queen and {} by king; could ever reach {}; {to_fill} left to fill alone",
            counted(held.moves, "move"),
            counted(held.nearer_by_queen.into(), "square"),
            held.nearer_by_king,
            held.territory,
        ));
        }
        for part in self.regions.iter().filter(|part| part.vacant > 0) {
            let owner = match part.owner {
                "gold" => "White's",
                "silver" => "Black's",
                "shared" => "open to both",
                _ => "nobody's",
            };
            let [white, black] = part.queens;
            let squares = if part.squares.len() > 12 {
                format!("{} ...", part.squares[..12].join(" "))
            } else {
                part.squares.join(" ")
            };
            let vacant = counted(part.vacant.into(), "square");
            lines.push(format!("  region of {vacant}, {owner} ({white} : {black} queens): {squares}"));
        }
        let words = |one: &Explanation| one.in_words(Vocabulary::AMAZONS).to_string();
        let of = format!("in squares, for {mover}");
        with_scores(document.lines("", lines), &of, &self.evaluations, words, self.best.as_ref())
    }
}

fn best(
    limit: &str,
    position: &Position,
    registry: &Registry,
    evaluators: &[Arc<dyn Evaluator>],
) -> Result<Option<Best>, PositionReportError> {
    let usual = Settings {
        evaluator: evaluators.first().map_or(Registry::DEFAULT, |one| one.name()).to_owned(),
        ..Settings::default()
    };
    let settings = read_limit(limit, usual)?;
    let evaluator = settings.evaluator.clone();
    let mut player = Player::new(settings, registry)?;
    let mut game: Game<Amazons> = Game::new(Strictness::Strict);
    let started = Started::plain(GameKind::Amazons, Some(position.to_string().into()));
    game.apply(None, &GameEvent::Started(Box::new(started)))?;
    let Some(found) = player.choose(&game).and_then(|choice| choice.found) else { return Ok(None) };
    let score = found.info.score;
    Ok(Some(Best {
        score: match score.decided_in() {
            Some(moves) if moves > 0 => {
                format!("wins within {}", counted(moves.unsigned_abs().into(), "move"))
            }
            Some(moves) => format!("loses within {}", counted(moves.unsigned_abs().into(), "move")),
            None => score.to_string(),
        },
        decided_in: score.decided_in(),
        ..Best::of(evaluator, &found)
    }))
}
