//! Converts turns, typed or listed in a file (`1g Ra1 ...`), to the events of a game: numbered, with
//! the side whose turn it is, and with the ending that the board shows.

use annals_events::{GameEvent, Micros, Side, StreamName, Termination, TurnRetracted, TurnTaken};
use annals_store::Log;

use super::draft::Draft;
use super::operate::{Board, OperateError, Terms, first_number, labelled, shown};
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::game::GameReplay;
use crate::read::state_of;

/// Why lines are not turns of a game.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error("{0}")]
    Replay(#[from] ReplayError),
    #[error("`{stream}` has not begun")]
    NotBegun { stream: StreamName },
    #[error("line {line}: {problem}")]
    Line { line: usize, problem: OperateError },
    #[error("there is no turn in it; write one a line, such as `2g Ee2n Ee3n`")]
    Nothing,
}

/// The continuation of a game.
#[derive(Debug, Clone)]
pub struct Played {
    pub drafts: Vec<Draft>,
    /// The ending that the board shows, if any.
    pub ended: Option<(Option<Side>, Termination)>,
}

/// Converts lines to events. A line may begin with its label (`12s`); `takeback` takes the last turn back, and `resigns`
/// ends the game. The seconds used, if known, are those of every line. `carried` is the number of plies of the game
/// that an attempt resumes; it gives the number of a first turn without a label.
///
/// # Errors
/// When the game has not begun, a label does not fit, or a turn is against the rules of the game.
pub fn play(
    log: &Log,
    stream: &StreamName,
    lines: &str,
    used: Option<u32>,
    carried: Option<u32>,
    (at, now): (Option<Micros>, Micros),
) -> Result<Played, PlayError> {
    let replay = state_of(log, stream, &Cut::NOW)?.filter(|replay: &GameReplay| replay.started().is_some());
    let replay = replay.ok_or_else(|| PlayError::NotBegun { stream: stream.clone() })?;
    let first = first_number(&replay, carried);
    let terms = Terms::of(log, &replay)?;
    let mut board = Board::on(stream, replay, terms, (at, now));
    let mut last = 0;
    for (index, text) in lines.lines().enumerate() {
        let text = text.trim();
        if !text.is_empty() {
            last = index + 1;
            play_line(&mut board, text, used, first)
                .map_err(|problem| PlayError::Line { line: last, problem })?;
        }
    }
    if board.drafts().is_empty() {
        return Err(PlayError::Nothing);
    }
    board.ends_of_itself().map_err(|problem| PlayError::Line { line: last, problem })?;
    let ending = board.replay().game().ending();
    let ended = ending.and_then(|ending| Some((ending.winner, ending.termination?)));
    Ok(Played { drafts: board.drafts().to_vec(), ended })
}

/// One line: a turn, `takeback`, or `resigns`.
fn play_line(board: &mut Board<'_>, text: &str, used: Option<u32>, first: u32) -> Result<(), OperateError> {
    let (label, rest) = labelled(text);
    let game = board.replay().game();
    let (side, number) = (game.to_move().unwrap_or(Side::Gold), game.expected_number());
    let fits = label.is_none_or(|(stated, of)| of == side && number.is_none_or(|number| number == stated));
    let is_takeback = rest.eq_ignore_ascii_case("takeback");
    if !fits && !is_takeback {
        let expected = format!("{}{}", number.unwrap_or(1), side.letter_in(board.replay().kind()));
        return Err(OperateError::Label { found: shown(text), what: "turn", expected });
    }
    match rest {
        // The archive lists the label of the turn that was due.
        "" => Ok(()),
        _ if is_takeback => board.happens(GameEvent::TurnRetracted(TurnRetracted::default()), None),
        _ if rest.eq_ignore_ascii_case("resigns") => board.is_lost_by(side, Termination::Resignation),
        _ => {
            let number = number.or(label.map(|(stated, _)| stated)).unwrap_or(first);
            board.moves(TurnTaken { used, ..TurnTaken::plain(number, side, rest.to_owned()) })
        }
    }
}
