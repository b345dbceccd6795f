//! One game as it is shown: who played, on which clock, how it ended, the board at a turn, and the moves.

use annals_events::{GameKind, Side};
use annals_ingest::stored_board::StoredBoard;
use annals_rules::amazons;
use annals_rules::arimaa::Board;
use serde::Serialize;

use crate::boards::AnyPosition;
use crate::dates::instant;
use crate::labels::Label;
use crate::query_rows::QueryRows;
use crate::session::{Reading, Session};
use crate::{Error, Reads};
use annals_report::similar;

/// A player's place in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seat {
    /// The name at the time.
    pub name: String,
    /// The rating before the game.
    pub rating: Option<i64>,
    /// `human` or `bot`.
    pub kind: Option<String>,
    /// Country code.
    pub country: Option<String>,
}

/// A game's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameView {
    /// The gameroom's number.
    pub game_id: u64,
    /// `arimaa` or `amazons`; in the Amazons gold is White, and silver is Black.
    pub game: String,
    /// Files and ranks of the board, `10x10`, in the Amazons.
    pub board_size: Option<String>,
    /// The position that the game started from, where it is not the usual one.
    pub start: Option<String>,
    pub gold: Seat,
    pub silver: Seat,
    /// The event in the words of the record.
    pub event: Option<String>,
    pub site: Option<String>,
    /// The time control in the words of the record.
    pub time_control: Option<String>,
    /// When it started, RFC 3339, UTC.
    pub started_at: Option<String>,
    pub ended_at: Option<String>,
    /// Whether it counted for ratings; none where the record does not say.
    pub rated: Option<bool>,
    /// `gold`, `silver`, `draw` or `unknown`, as the record states it.
    pub result: String,
    /// How it ended, as the record states it.
    pub ending: Option<String>,
    /// What the board says about the ending: `agrees`, `disagrees`, `not_on_board`.
    pub ending_check: String,
    /// The vacant squares that the winner could reach at the end, in the Amazons where the board decided the game.
    pub territory: Option<i64>,
    /// What is remarkable about the record.
    pub flags: Vec<String>,
    /// What was noticed in a game file, with line and move.
    pub notes: Vec<String>,
    /// The first ply that is not legal; it and what follows stand in `rejected_turns`.
    pub illegal_ply: Option<i64>,
    /// The rule that it breaks, as a short stable word.
    pub illegal_code: Option<String>,
    /// The rule that it breaks, in a sentence.
    pub illegal_reason: Option<String>,
    /// Where another record of this game stands that is not the same; the first one that came is shown.
    pub other_record: Option<String>,
    /// The record's source and its line there.
    pub source: String,
    /// The line in the source.
    pub line: i64,
    /// The turns that stand, in order.
    pub turns: Vec<TurnView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurnView {
    /// The position of the turn in the game, from 1.
    pub ply: i64,
    /// Its label: `12g`.
    pub label: String,
    pub steps: String,
    /// Seconds used, where the log says so.
    pub used: Option<i64>,
    /// Gold's reserve after the turn, in seconds.
    pub gold_reserve: Option<i64>,
    /// Silver's reserve after the turn, in seconds.
    pub silver_reserve: Option<i64>,
    /// The board after the turn: 64 signs, in the Amazons rows with slashes.
    pub board: String,
    /// Who is to move after it: `gold` or `silver`.
    pub to_move: String,
}

/// A game at one of its turns: the position in which that turn is to be played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// The label of the turn that is to be played; after the last turn, the one that would come.
    pub label: String,
    /// The board: 64 signs, in the Amazons rows with slashes.
    pub board: String,
    pub to_move: String,
    /// What was played then; none where the game was over.
    pub played: Option<TurnView>,
    /// The turn before, none at the start.
    pub before: Option<TurnView>,
}

impl GameView {
    /// Reads a game.
    ///
    /// # Errors
    /// `Unknown` where there is no such game, with ids that look like it.
    pub fn read(session: &Session, game_id: u64) -> Result<(GameView, Reads), Error> {
        let sql = format!(
            "SELECT game, board_size, start, territory, notes, gold, silver, gold_rating, silver_rating, gold_kind, silver_kind, gold_country, silver_country, \
             event, site, time_control, started_at, ended_at, year, rated, result, termination, ending_check, flags, \
             illegal_ply, illegal_code, illegal_reason, source, line FROM games WHERE game_id = {game_id}"
        );
        let (game, mut reads) = QueryRows::ask(session, &sql, Reading::LookUp)?;
        if game.len() == 0 {
            return Err(unknown_game(session, game_id));
        }
        let year = game.numbers("year")?[0].unwrap_or_default();
        let sql = format!(
            "SELECT ply, number, side, steps, used, gold_reserve, silver_reserve, board, to_move FROM turns \
             WHERE game_id = {game_id} AND year = {year} ORDER BY ply"
        );
        let (turns, turn_reads) = QueryRows::ask(session, &sql, Reading::LookUp)?;
        reads.merge(turn_reads);
        let sql = format!(
            "SELECT source, line FROM rejects WHERE game_id = {game_id} AND reason = 'duplicate_differs' \
             ORDER BY source, line LIMIT 1"
        );
        let (other, other_reads) = QueryRows::ask(session, &sql, Reading::LookUp)?;
        reads.merge(other_reads);
        let (sources, lines) = (other.texts("source")?, other.numbers("line")?);
        let other_record = sources.into_iter().zip(lines).next().map(|(source, line)| {
            format!("{} line {}", source.unwrap_or_default(), line.unwrap_or_default())
        });
        Ok((GameView { other_record, ..view(game_id, &game, turn_views(&turns)?)? }, reads))
    }

    /// The game at a label: the position in which that turn is to be played.
    ///
    /// # Errors
    /// `Argument` where the text is no label, or the game has no such turn.
    pub fn at(&self, label: &str) -> Result<Moment, Error> {
        let wanted = Label::parse(label).ok_or_else(|| Error::Argument {
            what: "turn label",
            found: label.to_owned(),
            why: "write a number and a side: 12g or 12s (12w and 12b are read too)".to_owned(),
        })?;
        let wanted = wanted.to_string();
        let at = self.turns.iter().position(|turn| turn.label == wanted);
        let end = self.after_last();
        let at = match at {
            Some(at) => at,
            None if wanted == end.label => return Ok(end),
            None => {
                return Err(Error::Argument {
                    what: "turn of this game",
                    found: label.to_owned(),
                    why: format!(
                        "game {} has {} turns, and ends before {}",
                        self.game_id,
                        self.turns.len(),
                        end.label
                    ),
                });
            }
        };
        Ok(self.moment(at))
    }

    /// The game after its last turn.
    #[must_use]
    pub fn after_last(&self) -> Moment {
        self.moment(self.turns.len())
    }

    /// The position before turn `at` (counted from 0), or after the last one.
    fn moment(&self, at: usize) -> Moment {
        let played = self.turns.get(at).cloned();
        let before = at.checked_sub(1).and_then(|b| self.turns.get(b)).cloned();
        let (board, to_move) = match &before {
            Some(turn) => (turn.board.clone(), turn.to_move.clone()),
            None => self.at_the_start(),
        };
        let label = match (&played, &before) {
            (Some(turn), _) => turn.label.clone(),
            (None, Some(turn)) => following(&turn.label, &turn.to_move),
            (None, None) => format!("1{}", if to_move == Side::Silver.word() { 's' } else { 'g' }),
        };
        Moment { label, board, to_move, played, before }
    }

    pub(crate) fn kind(&self) -> GameKind {
        match self.game.as_str() {
            "amazons" => GameKind::Amazons,
            _ => GameKind::Arimaa,
        }
    }

    /// The board before the first turn, and who is to move.
    fn at_the_start(&self) -> (String, String) {
        let stated = self.start.as_deref().and_then(|text| AnyPosition::read(text, None).ok());
        match (stated, self.kind()) {
            (Some(AnyPosition::Arimaa(position)), _) => {
                (position.board().to_short(), position.to_move().word().to_owned())
            }
            (Some(AnyPosition::Amazons(position)), _) => {
                (position.board().to_short(), position.to_move().word().to_owned())
            }
            (None, GameKind::Arimaa) => (Board::EMPTY.to_short(), Side::Gold.word().to_owned()),
            (None, GameKind::Amazons) => (amazons::Board::start().to_short(), Side::Gold.word().to_owned()),
        }
    }
}

impl Moment {
    /// The position, for searching.
    ///
    /// # Errors
    /// Where the stored board is none, which only a damaged dataset can bring about.
    pub fn position(&self) -> Result<AnyPosition, Error> {
        let side = self.to_move.parse().unwrap_or(Side::Gold);
        AnyPosition::read(&self.board, Some(side))
    }
}

/// The label of the turn that comes after one: silver's has the same number, gold's the next.
fn following(label: &str, to_move: &str) -> String {
    let number = Label::parse(label).map_or(1, |l| l.number);
    match to_move {
        "silver" => format!("{number}s"),
        _ => format!("{}g", number.saturating_add(1)),
    }
}

fn view(game_id: u64, game: &QueryRows, turns: Vec<TurnView>) -> Result<GameView, Error> {
    let text = |name: &str| Ok::<_, Error>(game.texts(name)?.swap_remove(0));
    let time = |name: &str| Ok::<_, Error>(game.instants(name)?[0].map(instant));
    let seat = |side: &str| {
        Ok::<_, Error>(Seat {
            name: text(side)?.unwrap_or_default(),
            rating: game.numbers(&format!("{side}_rating"))?[0],
            kind: text(&format!("{side}_kind"))?,
            country: text(&format!("{side}_country"))?,
        })
    };
    Ok(GameView {
        game_id,
        game: text("game")?.unwrap_or_default(),
        board_size: text("board_size")?,
        start: text("start")?,
        gold: seat("gold")?,
        silver: seat("silver")?,
        event: text("event")?,
        site: text("site")?,
        time_control: text("time_control")?,
        started_at: time("started_at")?,
        ended_at: time("ended_at")?,
        rated: game.truths("rated")?[0],
        result: text("result")?.unwrap_or_default(),
        ending: text("termination")?,
        ending_check: text("ending_check")?.unwrap_or_default(),
        territory: game.numbers("territory")?[0],
        flags: game.word_lists("flags")?.swap_remove(0),
        notes: game.word_lists("notes")?.swap_remove(0),
        illegal_ply: game.numbers("illegal_ply")?[0],
        illegal_code: text("illegal_code")?,
        illegal_reason: text("illegal_reason")?,
        other_record: None,
        source: text("source")?.unwrap_or_default(),
        line: game.numbers("line")?[0].unwrap_or_default(),
        turns,
    })
}

fn turn_views(turns: &QueryRows) -> Result<Vec<TurnView>, Error> {
    let plies = turns.numbers("ply")?;
    let numbers = turns.numbers("number")?;
    let sides = turns.texts("side")?;
    let steps = turns.texts("steps")?;
    let used = turns.numbers("used")?;
    let gold = turns.numbers("gold_reserve")?;
    let silver = turns.numbers("silver_reserve")?;
    let boards = turns.boards("board")?;
    let to_move = turns.texts("to_move")?;
    Ok((0..turns.len())
        .map(|row| TurnView {
            ply: plies[row].unwrap_or_default(),
            label: format!(
                "{}{}",
                numbers[row].unwrap_or_default(),
                sides[row].as_deref().and_then(|s| s.chars().next()).unwrap_or('?')
            ),
            steps: steps[row].clone().unwrap_or_default(),
            used: used[row],
            gold_reserve: gold[row],
            silver_reserve: silver[row],
            board: boards[row].as_ref().map_or_else(String::new, StoredBoard::to_short),
            to_move: to_move[row].clone().unwrap_or_default(),
        })
        .collect())
}

/// An unknown id, with those that differ in one digit.
fn unknown_game(session: &Session, game_id: u64) -> Error {
    let name = game_id.to_string();
    let near = format!(
        "SELECT game_id FROM games ORDER BY abs(CAST(game_id AS BIGINT) - {game_id}), game_id LIMIT 20"
    );
    let near = i64::try_from(game_id)
        .ok()
        .and_then(|_| QueryRows::ask(session, &near, Reading::Scan).ok())
        .and_then(|(answer, _)| answer.ids("game_id").ok())
        .unwrap_or_default();
    let near: Vec<String> = near.into_iter().flatten().map(|id| id.to_string()).collect();
    Error::Unknown { what: "game", similar: similar(&name, near.iter().map(String::as_str)), name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_after_golds_is_silvers_of_the_same_number() {
        assert_eq!(following("12g", "silver"), "12s");
        assert_eq!(following("12s", "gold"), "13g");
    }
}
