//! The report of `annals engine evaluate` on a position of Arimaa: evaluation with reasons, and threats.

use std::sync::Arc;

use annals_events::Side;
use annals_report::{Document, counted};
use annals_rules::arimaa::{Arimaa, Board, Phase, Position};
use annals_rules::game::Game;
use serde::Serialize;

use super::{Evaluator, Explanation, Registry, UnknownEvaluator};
use crate::player::{Player, Settings};
use crate::search::{Found, TableTooLarge};
use crate::settings_text::{SettingsError, read_limit};
use crate::threats::{CaptureTurn, capture_turns, goal_steps_of, goal_turn};

/// Threats within one turn of a side, if it were to move.
#[derive(Debug, Serialize)]
struct Threats {
    /// Fewest steps.
    goal_in: Option<u8>,
    goal_turn: Option<String>,
    /// Each piece with a cheapest turn.
    captures: Vec<Capture>,
}

#[derive(Debug, Serialize)]
struct Capture {
    piece: &'static str,
    square: String,
    /// Fewest.
    steps: u8,
    turn: String,
}

/// The best turn of a search.
#[derive(Debug, Serialize)]
pub(crate) struct Best {
    pub(crate) evaluator: String,
    pub(crate) turn: String,
    pub(crate) score: String,
    pub(crate) value: i32,
    /// Proven moves to the end; negative for a loss. Only in the Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decided_in: Option<i32>,
    pub(crate) depth: u16,
    pub(crate) nodes: u64,
    pub(crate) line: Vec<String>,
}

impl Best {
    pub(crate) fn of<T: ToString>(evaluator: String, found: &Found<T>) -> Best {
        let info = &found.info;
        Best {
            evaluator,
            turn: found.turn.to_string(),
            score: info.score.to_string(),
            value: info.score.value(),
            decided_in: None,
            depth: info.depth,
            nodes: info.nodes,
            line: info.line.iter().map(T::to_string).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
pub struct PositionReport {
    position: String,
    to_move: &'static str,
    /// The outcome on the board, if decided.
    decided: Option<String>,
    gold: Threats,
    silver: Threats,
    evaluations: Vec<Explanation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Best>,
    #[serde(skip)]
    board: Board,
}

#[derive(Debug, thiserror::Error)]
pub enum PositionReportError {
    /// Gold or Silver has not set up.
    #[error("the setups are not complete there, so there is no position to evaluate")]
    NotSetUp,
    /// Another side is to move than the caller names.
    #[error("{} is to move there, but --side names {}", to_move.word(), named.word())]
    OtherSide { to_move: Side, named: Side },
    /// There is no such evaluator.
    #[error(transparent)]
    Evaluator(#[from] UnknownEvaluator),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Table(#[from] TableTooLarge),
}

impl PositionReport {
    /// Reports on the present position of a game; `search` searches the best turn too. `side` is the side to move,
    /// if the caller names it.
    ///
    /// # Errors
    /// Without a position, if another side is to move, or if the search cannot begin.
    pub fn of(
        game: &Game<Arimaa>,
        side: Option<Side>,
        registry: &Registry,
        evaluators: &[Arc<dyn Evaluator>],
        search: Option<&str>,
    ) -> Result<PositionReport, PositionReportError> {
        let Some(state) = game.state().filter(|state| matches!(state.phase(), Phase::SetUp | Phase::Play))
        else {
            return Err(PositionReportError::NotSetUp);
        };
        let position = state.position();
        if let Some(named) = side.filter(|side| *side != position.to_move()) {
            return Err(PositionReportError::OtherSide { to_move: position.to_move(), named });
        }
        let outcome = game.board_says();
        let decided = outcome.map(|outcome| match outcome.winner {
            Some(winner) => format!("{} has won, by {}", winner.word(), outcome.termination),
            None => format!("drawn, by {}", outcome.termination),
        });
        let threats_of =
            |side: Side| threats(&if side == position.to_move() { *position } else { position.passed() });
        // Evaluators get only positions that are not decided.
        let evaluations = match decided {
            None => evaluators.iter().map(|one| one.explain(position)).collect(),
            Some(_) => Vec::new(),
        };
        let best = match (search, &decided) {
            (Some(limit), None) => best(limit, game, registry, evaluators)?,
            _ => None,
        };
        Ok(PositionReport {
            position: position.to_string(),
            to_move: position.to_move().word(),
            decided,
            gold: threats_of(Side::Gold),
            silver: threats_of(Side::Silver),
            evaluations,
            best,
            board: *position.board(),
        })
    }

    #[must_use]
    pub fn document(&self) -> Document {
        let document = Document::default().drawing(format!("{}\n{} to move", self.board, self.to_move));
        if let Some(decided) = &self.decided {
            return document.prose(decided);
        }
        let mut threats = Vec::new();
        for (side, found) in [("gold", &self.gold), ("silver", &self.silver)] {
            let goal = match (&found.goal_in, &found.goal_turn) {
                (Some(steps), Some(turn)) => {
                    format!("goal in {} ({turn})", counted(u64::from(*steps), "step"))
                }
                _ => "no goal".to_owned(),
            };
            let captures = if found.captures.is_empty() { "no capture" } else { "captures:" };
            threats.push(format!("{side}, within one turn: {goal}; {captures}"));
            threats.extend(found.captures.iter().map(|Capture { piece, square, steps, turn }| {
                format!("  {piece} {square} in {} ({turn})", counted(u64::from(*steps), "step"))
            }));
        }
        let (scores, best) = (&self.evaluations, self.best.as_ref());
        let of = format!("in rabbits, for {}", self.to_move);
        with_scores(document.lines("", threats), &of, scores, ToString::to_string, best)
    }
}

/// Adds evaluations and the best turn; `of` names the unit and the side.
pub(crate) fn with_scores(
    mut document: Document,
    of: &str,
    scores: &[Explanation],
    words: impl Fn(&Explanation) -> String,
    best: Option<&Best>,
) -> Document {
    if scores.len() > 1 {
        let each = scores.iter().map(|one| format!("{} {:+.2}", one.evaluator, f64::from(one.worth) / 100.0));
        document = document.prose(format!("{of}: {}", each.collect::<Vec<_>>().join(", ")));
    }
    document = scores.iter().map(words).fold(document, Document::drawing);
    let Some(Best { evaluator, turn, score, depth, nodes, line, .. }) = best else { return document };
    let mut lines = vec![format!("best by {evaluator}: {turn} ({score}, depth {depth}, {nodes} positions)")];
    lines.extend(line.iter().skip(1).map(|turn| format!("  then {turn}")));
    document.lines("", lines)
}

fn threats(position: &Position) -> Threats {
    let capture = |found: CaptureTurn| Capture {
        piece: found.piece.word(),
        square: found.square.to_string(),
        steps: found.steps,
        turn: found.turn.to_string(),
    };
    Threats {
        goal_in: goal_steps_of(position.board(), position.to_move()),
        goal_turn: goal_turn(position).map(|turn| turn.to_string()),
        captures: capture_turns(position).into_iter().map(capture).collect(),
    }
}

fn best(
    limit: &str,
    game: &Game<Arimaa>,
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
    if let Some(short) = player.table_too_large() {
        return Err(short.into());
    }
    let Some(found) = player.choose(game).and_then(|choice| choice.found) else { return Ok(None) };
    Ok(Some(Best::of(evaluator, &found)))
}
