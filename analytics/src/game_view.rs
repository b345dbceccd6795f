//! One game for display: players, clock, ending, the board at a turn, and the moves.

use annals_events::{
    Ended, GameEvent, GameKind, PlayerAtStart, PlayerKind, Side, Started, StreamName, TurnTaken,
};
use annals_ingest::stored_board::StoredBoard;
use annals_ingest::stored_games::NOT_REACHED;
use annals_replay::queries::set_aside::{Resumes, RulingOnGame, is_under_way};
use annals_replay::{Cut, GameReplay, ReplayError};
use annals_rules::any_game::AnyState;
use annals_rules::{AnyPosition, TurnChoice, TurnLabel, amazons, arimaa};
use annals_store::Log;
use serde::{Deserialize, Serialize};

use crate::dates::{instant, instant_in, micros};
use crate::session::{Reading, Session};

use crate::typed_rows::{board, select};
use crate::{Error, Reads};
use annals_report::{counted, similar};
use jiff::tz::TimeZone;

/// A player in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seat {
    /// The name at the time.
    pub name: String,
    /// The rating before the game.
    pub rating: Option<i32>,
    pub kind: Option<PlayerKind>,
    /// Country code.
    pub country: Option<String>,
}

/// A game's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameView {
    /// The number in the dataset; none of a game that is not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_id: Option<u64>,
    /// Its name: its number, its stream, or its file.
    pub name: String,
    /// In the Amazons gold is White, and silver is Black.
    pub game: GameKind,
    /// Files and ranks of the board, `10x10`, in the Amazons.
    pub board_size: Option<String>,
    /// The start position, if not the default one.
    pub start: Option<String>,
    pub gold: Seat,
    pub silver: Seat,
    /// The event as the record states it.
    pub event: Option<String>,
    pub site: Option<String>,
    /// The time control as the record states it.
    pub time_control: Option<String>,
    /// When it started, RFC 3339, UTC.
    pub started_at: Option<String>,
    pub ended_at: Option<String>,
    /// Whether it counted for ratings; none if not recorded.
    pub rated: Option<bool>,
    /// `gold`, `silver`, `draw` or `unknown`, as the record states it.
    pub result: String,
    /// Whether a game of the log is not over.
    #[serde(skip_serializing_if = "is_false")]
    pub under_way: bool,
    /// How it ended, as the record states it.
    pub ending: Option<String>,
    /// The stated ending compared with the board: `agrees`, `disagrees`, `not_on_board`.
    pub ending_check: String,
    /// The vacant squares that the winner could reach at the end, in the Amazons if the board decided the game.
    pub territory: Option<i64>,
    /// The flags of the record.
    pub flags: Vec<String>,
    /// The notes on a game file, with line and move.
    pub notes: Vec<String>,
    /// The first illegal ply; it and the later ones are in `rejected_turns`.
    pub illegal_ply: Option<i64>,
    /// The violated rule, as a stable code.
    pub illegal_code: Option<String>,
    /// The violated rule, as a sentence.
    pub illegal_reason: Option<String>,
    /// The place of another, different record of this game; the first record is shown.
    pub other_record: Option<String>,
    /// The source of a record of the dataset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The line in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    /// The earlier attempt that it resumes, of a game of the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumes: Option<Resumes>,
    /// The rulings in force on a game of the log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rulings: Vec<RulingOnGame>,
    /// The turns in force, in order.
    pub turns: Vec<TurnView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurnView {
    /// The position of the turn in the game, from 1.
    pub ply: i64,
    /// Its label: `12g`.
    #[serde(serialize_with = "as_text")]
    pub label: TurnLabel,
    pub steps: String,
    /// Seconds used, if the log has them.
    pub used: Option<u32>,
    /// Gold's reserve after the turn, in seconds.
    pub gold_reserve: Option<i64>,
    /// Silver's reserve after the turn, in seconds.
    pub silver_reserve: Option<i64>,
    /// The board after the turn: 64 characters, in the Amazons rows with slashes.
    pub board: String,
    /// The side to move after it.
    pub to_move: Side,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_false(value: &bool) -> bool {
    !*value
}

fn as_text<S: serde::Serializer>(label: &TurnLabel, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(label)
}

/// A game at one of its turns: the position in which that turn is to be played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// The label of the turn that is to be played; after the last turn, the one that would follow.
    #[serde(serialize_with = "as_text")]
    pub label: TurnLabel,
    /// The board: 64 characters, in the Amazons rows with slashes.
    pub board: String,
    pub to_move: Side,
    /// The turn played then; none if the game was over.
    pub played: Option<TurnView>,
    /// The turn before, none at the start.
    pub before: Option<TurnView>,
}

/// A row of `games`.
#[derive(Deserialize)]
struct GameRow {
    game: GameKind,
    board_size: Option<String>,
    start: Option<String>,
    territory: Option<i64>,
    notes: Option<Vec<String>>,
    gold: Option<String>,
    silver: Option<String>,
    gold_rating: Option<i32>,
    silver_rating: Option<i32>,
    gold_kind: Option<PlayerKind>,
    silver_kind: Option<PlayerKind>,
    gold_country: Option<String>,
    silver_country: Option<String>,
    event: Option<String>,
    site: Option<String>,
    time_control: Option<String>,
    started_at: Option<i64>,
    ended_at: Option<i64>,
    year: i16,
    rated: Option<bool>,
    result: String,
    termination: Option<String>,
    ending_check: String,
    flags: Option<Vec<String>>,
    illegal_ply: Option<i64>,
    illegal_code: Option<String>,
    illegal_reason: Option<String>,
    source: String,
    line: i64,
}

/// A row of `turns`.
#[derive(Deserialize)]
struct TurnRow {
    ply: i64,
    number: u32,
    side: Side,
    steps: String,
    used: Option<u32>,
    gold_reserve: Option<i64>,
    silver_reserve: Option<i64>,
    #[serde(deserialize_with = "board::deserialize")]
    board: StoredBoard,
    to_move: Side,
}

/// A row of `rejects`.
#[derive(Deserialize)]
struct OtherRecord {
    source: String,
    line: i64,
    reason: String,
}

impl GameView {
    /// Reads a game.
    ///
    /// # Errors
    /// `Unknown` if there is no such game, with similar ids.
    pub fn read(session: &Session, game_id: u64) -> Result<(GameView, Reads), Error> {
        let of_game = ("game_id", game_id);
        let (games, mut reads) = session.of_key::<GameRow>("games", of_game, |_| true)?;
        let Some((file, game)) = games.into_iter().next() else { return Err(unknown_game(session, game_id)) };
        let (turns, turn_reads) = session.of_key::<TurnRow>("turns", of_game, |turns| {
            turns.year == Some(game.year) && turns.source == file.source
        })?;
        reads.merge(turn_reads);
        let mut turns: Vec<TurnRow> = turns.into_iter().map(|(_, turn)| turn).collect();
        turns.sort_unstable_by_key(|turn| turn.ply);
        let (others, other_reads) = session.of_key::<OtherRecord>("rejects", of_game, |_| true)?;
        reads.merge(other_reads);
        let others = others.into_iter().map(|(_, other)| other);
        let other = others
            .filter(|other| other.reason == "duplicate_differs")
            .min_by(|a, b| (&a.source, a.line).cmp(&(&b.source, b.line)));
        let other_record = other.map(|other| format!("{} line {}", other.source, other.line));
        Ok((GameView { other_record, ..game.view(game_id, turns) }, reads))
    }

    /// A game that is not in the dataset, from the fold of its events.
    #[must_use]
    pub fn of_replay(name: &str, replay: &GameReplay) -> GameView {
        let (game, started) = (replay.game(), replay.started());
        let text = |text: Option<&str>| text.map(str::to_owned);
        let seat = |side: Side| {
            let player = started.map(|started| match side {
                Side::Gold => &started.gold,
                Side::Silver => &started.silver,
            });
            Seat {
                name: player.map_or_else(String::new, |player| player.name.clone().into_owned()),
                rating: player.and_then(|player| player.rating),
                kind: player.and_then(|player| player.kind),
                country: player.and_then(|player| text(player.country.as_deref())),
            }
        };
        let amazons = game.state().and_then(AnyState::amazons);
        let ending = game.ending();
        let turns = game.plies().iter().enumerate().map(|(place, ply)| TurnView {
            ply: place as i64 + 1,
            label: TurnLabel { number: ply.number, side: ply.side },
            steps: replay.words(place).unwrap_or_default().to_owned(),
            used: ply.used,
            gold_reserve: ply.gold_reserve,
            silver_reserve: ply.silver_reserve,
            board: ply.state_after.position().board_text(),
            to_move: ply.state_after.to_move(),
        });
        GameView {
            game_id: None,
            name: name.to_owned(),
            game: replay.kind(),
            board_size: amazons.map(|position| position.board().size().to_string()),
            start: started.and_then(|started| text(started.position.as_deref())),
            gold: seat(Side::Gold),
            silver: seat(Side::Silver),
            event: started.and_then(|started| text(started.event.as_deref())),
            site: started.and_then(|started| text(started.site.as_deref())),
            time_control: started.and_then(|started| text(started.time_control.as_deref())),
            started_at: game.started_at().map(instant),
            ended_at: replay.ended_at().map(instant),
            rated: Some(game.is_rated()),
            result: match ending {
                Some(ending) if ending.draw => "draw".to_owned(),
                _ => ending.and_then(|ending| ending.winner).map_or("unknown", Side::word).to_owned(),
            },
            under_way: false,
            ending: ending.and_then(|ending| ending.termination).map(|how| how.word().to_owned()),
            ending_check: ending.map_or(NOT_REACHED, |ending| ending.check.word()).to_owned(),
            territory: amazons.and_then(|position| Some(i64::from(position.score()?.1))),
            flags: Vec::new(),
            notes: replay.findings().iter().map(|finding| finding.message.clone()).collect(),
            illegal_ply: None,
            illegal_code: None,
            illegal_reason: None,
            other_record: None,
            source: None,
            line: None,
            resumes: None,
            rulings: Vec::new(),
            turns: turns.collect(),
        }
    }

    /// As [`of_replay`](GameView::of_replay), for a game of the log at a cut: it may be under way.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn of_log(
        log: &Log,
        (name, stream): (&str, &StreamName),
        cut: &Cut,
        replay: &GameReplay,
    ) -> Result<GameView, ReplayError> {
        let under_way = is_under_way(log, stream, cut, replay)?;
        Ok(GameView { under_way, ..GameView::of_replay(name, replay) })
    }

    /// With its times in a zone.
    #[must_use]
    pub fn in_zone(mut self, zone: &TimeZone) -> GameView {
        for time in [&mut self.started_at, &mut self.ended_at] {
            *time = time.as_deref().and_then(micros).map(|at| instant_in(at, zone));
        }
        self
    }

    /// The number of its turns, which are not all turns since the setups where it started from another position.
    #[must_use]
    pub fn length(&self) -> String {
        let turns = counted(self.turns.len() as u64, "turn");
        match self.start {
            Some(_) => format!("{turns} from its start position"),
            None => turns,
        }
    }

    /// The game folded from its record.
    #[must_use]
    pub fn replay(&self) -> GameReplay {
        let player = |seat: &Seat| PlayerAtStart {
            name: seat.name.clone().into(),
            kind: seat.kind,
            rating: seat.rating,
            country: seat.country.clone().map(Into::into),
            ..PlayerAtStart::default()
        };
        let started = Started {
            gold: player(&self.gold),
            silver: player(&self.silver),
            time_control: self.time_control.clone().map(Into::into),
            rated: self.rated.unwrap_or_default(),
            event: self.event.clone().map(Into::into),
            site: self.site.clone().map(Into::into),
            ..Started::plain(self.game, self.start.clone().map(Into::into))
        };
        let mut replay = GameReplay::default();
        let at = |text: &Option<String>| text.as_deref().and_then(micros);
        replay.apply_event(0, at(&self.started_at), &GameEvent::Started(Box::new(started)));
        for turn in &self.turns {
            let taken = TurnTaken::plain(turn.label.number, turn.label.side, turn.steps.as_str());
            let (gold_reserve, silver_reserve) = (turn.gold_reserve, turn.silver_reserve);
            let taken = TurnTaken { used: turn.used, gold_reserve, silver_reserve, ..taken };
            replay.apply_event(0, None, &GameEvent::TurnTaken(taken));
        }
        let ended = Ended {
            winner: self.result.parse().ok(),
            termination: self.ending.as_deref().and_then(|ending| ending.parse().ok()),
            stated: None,
            draw: self.result == "draw",
        };
        if ended.winner.is_some() || ended.draw || self.ending.is_some() || self.ended_at.is_some() {
            replay.apply_event(0, at(&self.ended_at), &GameEvent::Ended(ended));
        }
        replay
    }

    /// The game at a turn: the position in which that turn is to be played.
    ///
    /// # Errors
    /// `Argument` if the game has no such turn.
    pub fn at(&self, wanted: TurnChoice) -> Result<Moment, Error> {
        self.place(wanted).map(|at| self.moment(at))
    }

    /// The place of a turn, from 0; the number of turns for the one that would follow.
    ///
    /// # Errors
    /// As [`at`](GameView::at).
    pub fn place(&self, wanted: TurnChoice) -> Result<usize, Error> {
        let end = self.after_last().label;
        wanted.place(self.turns.iter().map(|turn| turn.label), Some(end)).ok_or_else(|| Error::Argument {
            what: "turn of this game",
            found: wanted.to_string(),
            why: format!(
                "game {} has {} turns, and ends before {}",
                self.name,
                self.turns.len(),
                end.text_in(self.game)
            ),
        })
    }

    /// The game after its last turn.
    #[must_use]
    pub fn after_last(&self) -> Moment {
        self.moment(self.turns.len())
    }

    /// The game before each turn, and after the last.
    pub fn moments(&self) -> impl Iterator<Item = Moment> {
        (0..=self.turns.len()).map(|at| self.moment(at))
    }

    /// The position before turn `at` (counted from 0), or after the last one.
    fn moment(&self, at: usize) -> Moment {
        let played = self.turns.get(at).cloned();
        let before = at.checked_sub(1).and_then(|b| self.turns.get(b)).cloned();
        let (board, to_move) = match &before {
            Some(turn) => (turn.board.clone(), turn.to_move),
            None => self.at_the_start(),
        };
        let label = match (&played, &before) {
            (Some(turn), _) => turn.label,
            (None, Some(turn)) => following(turn.label, turn.to_move),
            (None, None) => TurnLabel { number: 1, side: to_move },
        };
        Moment { label, board, to_move, played, before }
    }

    /// The board before the first turn, and the side to move.
    fn at_the_start(&self) -> (String, Side) {
        let stated =
            self.start.as_deref().and_then(|text| AnyPosition::read(text, None, Some(self.game)).ok());
        match (stated, self.game) {
            (Some(position), _) => (position.board_text(), position.to_move()),
            (None, GameKind::Arimaa) => (arimaa::Board::EMPTY.to_short(), Side::Gold),
            (None, GameKind::Amazons) => (amazons::Board::start().to_short(), Side::Gold),
        }
    }
}

/// The label of the turn that comes after one: Silver's has the same number, Gold's the next.
fn following(label: TurnLabel, to_move: Side) -> TurnLabel {
    match to_move {
        Side::Silver => TurnLabel { side: Side::Silver, ..label },
        Side::Gold => TurnLabel { number: label.number.saturating_add(1), side: Side::Gold },
    }
}

impl GameRow {
    fn view(self, game_id: u64, turns: Vec<TurnRow>) -> GameView {
        let seat = |name: Option<String>, rating, kind, country| Seat {
            name: name.unwrap_or_default(),
            rating,
            kind,
            country,
        };
        GameView {
            game_id: Some(game_id),
            name: game_id.to_string(),
            game: self.game,
            board_size: self.board_size,
            start: self.start,
            gold: seat(self.gold, self.gold_rating, self.gold_kind, self.gold_country),
            silver: seat(self.silver, self.silver_rating, self.silver_kind, self.silver_country),
            event: self.event,
            site: self.site,
            time_control: self.time_control,
            started_at: self.started_at.map(instant),
            ended_at: self.ended_at.map(instant),
            rated: self.rated,
            result: self.result,
            under_way: false,
            ending: self.termination,
            ending_check: self.ending_check,
            territory: self.territory,
            flags: self.flags.unwrap_or_default(),
            notes: self.notes.unwrap_or_default(),
            illegal_ply: self.illegal_ply,
            illegal_code: self.illegal_code,
            illegal_reason: self.illegal_reason,
            other_record: None,
            source: Some(self.source),
            line: Some(self.line),
            resumes: None,
            rulings: Vec::new(),
            turns: turns.into_iter().map(TurnRow::view).collect(),
        }
    }
}

impl TurnRow {
    fn view(self) -> TurnView {
        TurnView {
            ply: self.ply,
            label: TurnLabel { number: self.number, side: self.side },
            steps: self.steps,
            used: self.used,
            gold_reserve: self.gold_reserve,
            silver_reserve: self.silver_reserve,
            board: self.board.to_short(),
            to_move: self.to_move,
        }
    }
}

/// An unknown id, with those that differ in one digit.
fn unknown_game(session: &Session, game_id: u64) -> Error {
    #[derive(Deserialize)]
    struct Near {
        game_id: u64,
    }

    let name = game_id.to_string();
    let nearest = "FROM games ORDER BY abs(CAST(game_id AS BIGINT) - $game), game_id LIMIT 20";
    let near = i64::try_from(game_id)
        .ok()
        .and_then(|id| select::<Near>(session, nearest, &[("game", id.into())], Reading::Scan).ok());
    let near = near.map(|(near, _)| near).unwrap_or_default();
    let near: Vec<String> = near.into_iter().map(|near| near.game_id.to_string()).collect();
    Error::Unknown { what: "game", similar: similar(&name, near.iter().map(String::as_str)), name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_after_golds_is_silvers_of_the_same_number() {
        let label = |text: &str| text.parse::<TurnLabel>().unwrap();
        assert_eq!(following(label("12g"), Side::Silver), label("12s"));
        assert_eq!(following(label("12s"), Side::Gold), label("13g"));
    }
}
