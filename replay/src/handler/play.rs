//! Turns as somebody types them, or as a file lists them (`1g Ra1 ...`), made into the events of a game: numbered, with
//! the side whose turn it is, and with the ending that the board shows.

use std::num::ParseIntError;

use annals_events::canonical::CanonicalError;
use annals_events::{GameEvent, GameKind, Micros, Side, StreamName, Termination, TurnRetracted, TurnTaken};
use annals_store::Log;

use super::draft::Draft;
use super::operate::{Board, OperateError};
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::game::GameReplay;
use crate::projection::Replayed;
use crate::recorded::Scope;

/// Why lines are no turns of a game.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("`{stream}` has not begun: `annals tournament start` begins the game of a pairing")]
    NotBegun { stream: StreamName },
    #[error("line {line}: `{found}` is labelled as another turn than {expected}, which is next")]
    Label { line: usize, found: String, expected: String },
    #[error("line {line}: {message} [{code}]")]
    Illegal { line: usize, code: String, message: String },
    #[error("there is no turn in it; write one a line, such as `2g Ee2n Ee3n`")]
    Nothing,
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

/// How a game goes on.
#[derive(Debug, Clone)]
pub struct Played {
    pub drafts: Vec<Draft>,
    /// The ending that the board shows, where it does.
    pub ended: Option<(Option<Side>, Termination)>,
}

/// Makes events of lines. A line may begin with its label (`12s`); `takeback` takes the last turn back, and `resigns`
/// ends the game. The seconds used, where they are known, are those of every line. `carried` is how many plies of the game
/// before it an attempt goes on from, by which a first turn without a label is numbered.
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
    let replayed = Replayed::<GameReplay>::rebuild(log, Scope::Stream(stream.clone()), &Cut::NOW)?;
    let replay = replayed.into_state();
    if replay.started().is_none() {
        return Err(PlayError::NotBegun { stream: stream.clone() });
    }
    let first = first_number(&replay, carried);
    let mut board = Board::on(stream, replay, (at, now));
    let mut last = 0;
    for (index, text) in lines.lines().enumerate() {
        let text = text.trim();
        if !text.is_empty() {
            last = index + 1;
            play_line(&mut board, text, used, first).map_err(|error| PlayError::at(last, error))?;
        }
    }
    if board.drafts().is_empty() {
        return Err(PlayError::Nothing);
    }
    board.ends_on_the_board().map_err(|error| PlayError::at(last, error))?;
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
        return Err(OperateError::Label { found: text.chars().take(80).collect(), expected });
    }
    match rest {
        // The archive lists the turn that was to come.
        "" => Ok(()),
        _ if is_takeback => board.happens(GameEvent::TurnRetracted(TurnRetracted::default()), None),
        _ if rest.eq_ignore_ascii_case("resigns") => board.is_lost_by(side, Termination::Resignation),
        _ => {
            let number = number.or(label.map(|(stated, _)| stated)).unwrap_or(first);
            let turn = TurnTaken { used, ..TurnTaken::plain(number, side, rest.to_owned()) };
            board.happens(GameEvent::TurnTaken(turn), None)
        }
    }
}

impl PlayError {
    /// The same of a line.
    fn at(line: usize, error: OperateError) -> PlayError {
        match error {
            OperateError::Replay(error) => PlayError::Replay(error),
            OperateError::NotBegun { stream } => PlayError::NotBegun { stream },
            OperateError::Label { found, expected } => PlayError::Label { line, found, expected },
            OperateError::Illegal { code, message } => PlayError::Illegal { line, code, message },
            OperateError::Canonical(error) => PlayError::Canonical(error),
        }
    }
}

/// The number of the first turn of a game that begins from a position: by the plies of the game before it, which it goes on
/// from, else as if it had begun there; in Arimaa the setups are turn 1.
pub(super) fn first_number(replay: &GameReplay, carried: Option<u32>) -> u32 {
    let begins = if replay.kind() == GameKind::Arimaa { 2 } else { 1 };
    carried.map_or(begins, |plies| plies / 2 + 1)
}

/// The label in front of a turn, and the rest.
pub(super) fn labelled(text: &str) -> (Option<(u32, Side)>, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match label(word) {
        Some(label) => (Some(label), rest.trim()),
        None => (None, text),
    }
}

fn label(word: &str) -> Option<(u32, Side)> {
    let (last, side) = word.char_indices().next_back()?;
    let side = Side::from_letter(u8::try_from(side).ok()?)?;
    let number: Result<u32, ParseIntError> = word.get(..last)?.parse();
    Some((number.ok()?, side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_number_and_the_letter_of_a_side() {
        assert_eq!(labelled("12s ra8s"), (Some((12, Side::Silver)), "ra8s"));
        assert_eq!(labelled("3w Ee2n"), (Some((3, Side::Gold)), "Ee2n"));
        assert_eq!(labelled("4b"), (Some((4, Side::Silver)), ""));
        assert_eq!(labelled("Ee2n Ee3n"), (None, "Ee2n Ee3n"));
        assert_eq!(labelled("ra8s"), (None, "ra8s"));
    }
}
