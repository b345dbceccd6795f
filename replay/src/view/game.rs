//! A game as a view: players, board, turns, clocks at the requested instant, end.

use std::fmt::Display;

use annals_events::narrative;
use annals_events::{GameKind, Micros, PlayerAtStart, PlayerKind, Side, Termination};
use annals_report::{Cell, Document};
use annals_rules::any_game::AnyState;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::board::{BoardView, TerritoryView};
use super::text;
use crate::colours::{colour, ending_in_words};
use crate::cut::Cut;
use crate::finding::Finding;
use crate::game::GameReplay;
use crate::point::show;
use crate::running_clock::RunningClocks;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameView {
    /// The stream, or another name for a game that is not in a log.
    pub stream: String,
    pub cut: Cut,
    /// Counting events.
    pub events: u64,
    pub game: Option<GameKind>,
    /// White in the Amazons.
    pub gold: Option<PlayerView>,
    /// Black in the Amazons.
    pub silver: Option<PlayerView>,
    /// As stated.
    pub event: Option<String>,
    pub site: Option<String>,
    /// Of which it is an attempt.
    pub pairing: Option<String>,
    pub attempt: Option<u32>,
    /// As stated.
    pub time_control: Option<String>,
    pub postal: bool,
    pub rated: bool,
    pub started_at: Option<Micros>,
    /// Times of turns are not stated, so that `at` is the earliest possible.
    pub times_unknown: bool,
    pub plies: usize,
    pub turns: Vec<TurnView>,
    pub board: Option<BoardView>,
    /// Reachable squares in the Amazons, once decided or over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub territory: Option<TerritoryView>,
    pub to_move: Option<Side>,
    /// At `as_of`, else after the last turn.
    pub clocks: Option<RunningClocks>,
    /// Why there are none.
    pub no_clocks: Option<String>,
    pub halted: bool,
    /// Counts as not played.
    pub annulled: bool,
    /// None while it is played.
    pub ending: Option<EndingView>,
    pub findings: Vec<Finding>,
}

/// As in the game's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerView {
    pub name: String,
    pub account: Option<u64>,
    pub kind: Option<PlayerKind>,
    pub rating: Option<i32>,
    pub country: Option<String>,
    pub title: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurnView {
    /// As in `12g`; in the Amazons, `12w`.
    pub label: String,
    pub steps: String,
    pub at: Option<Micros>,
    pub used: Option<u32>,
    pub gold_reserve: Option<i64>,
    pub silver_reserve: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EndingView {
    pub winner: Option<Side>,
    pub draw: bool,
    pub termination: Option<Termination>,
    /// The source's unknown term.
    pub stated: Option<String>,
    pub at: Option<Micros>,
    /// Compared with the board: `agrees`, `disagrees`, `not_on_board`.
    pub board: &'static str,
}

impl GameView {
    /// What is shown of a game.
    pub fn of(name: impl Display, replay: &GameReplay, cut: &Cut) -> GameView {
        let game = replay.game();
        let started = replay.started();
        let text = |text: Option<&str>| text.map(str::to_owned);
        let (clocks, no_clocks) = match replay.clocks_at(cut.as_of) {
            Ok(clocks) => (Some(clocks), None),
            Err(why) => (None, Some(why.to_string())),
        };
        GameView {
            stream: name.to_string(),
            cut: *cut,
            events: replay.events(),
            game: started.map(|started| started.game),
            gold: started.map(|started| PlayerView::of(&started.gold)),
            silver: started.map(|started| PlayerView::of(&started.silver)),
            event: started.and_then(|started| text(started.event.as_deref())),
            site: started.and_then(|started| text(started.site.as_deref())),
            pairing: started.and_then(|started| text(started.pairing.as_deref())),
            attempt: started.and_then(|started| started.attempt),
            time_control: started.and_then(|started| text(started.time_control.as_deref())),
            postal: started.is_some_and(|started| started.postal),
            rated: game.is_rated(),
            started_at: game.started_at(),
            times_unknown: replay.times_unknown(),
            plies: game.plies().len(),
            turns: game
                .plies()
                .iter()
                .enumerate()
                .map(|(i, ply)| TurnView {
                    label: format!("{}{}", ply.number, ply.side.letter_in(replay.kind())),
                    steps: replay.words(i).unwrap_or_default().to_owned(),
                    at: ply.at,
                    used: ply.used,
                    gold_reserve: ply.gold_reserve,
                    silver_reserve: ply.silver_reserve,
                })
                .collect(),
            board: game.state().map(BoardView::of),
            territory: game
                .state()
                .and_then(AnyState::amazons)
                .and_then(|position| TerritoryView::of(position, game.ending().map(|ending| ending.winner))),
            to_move: game.to_move().filter(|_| !replay.is_over()),
            clocks,
            no_clocks,
            halted: game.is_halted(),
            annulled: game.is_annulled(),
            ending: game.ending().map(|ending| EndingView {
                winner: ending.winner,
                draw: ending.draw,
                termination: ending.termination,
                stated: text(replay.stated_ending()),
                at: replay.ended_at(),
                board: ending.check.word(),
            }),
            findings: replay.findings().to_vec(),
        }
    }

    /// The record, and the game as a player at the board sees it.
    pub fn document(&self, zone: &TimeZone) -> Document {
        let player = |player: &Option<PlayerView>| Cell::some(player.as_ref().map(PlayerView::words));
        let of = [self.event.clone(), self.site.clone(), self.pairing_in_words()];
        let mut how = vec![if self.rated { "rated" } else { "unrated" }.to_owned()];
        how.extend(self.postal.then(|| "postal".to_owned()));
        how.extend(self.time_control.as_ref().map(|control| format!("time control {control}")));
        let times = "unknown: the source does not tell when turns were taken";
        let state = "not known at this time: each turn has the last time that it can have, so more turns may have been \
                     taken by then";
        let is_unknown = self.times_unknown && self.cut.as_of.is_some() && self.ending.is_none();
        let document = Document::new(text::heading(&self.stream, &self.cut, zone)).facts(vec![
            (Side::Gold.name_in(self.kind()), player(&self.gold)),
            (Side::Silver.name_in(self.kind()), player(&self.silver)),
            ("Event", Cell::join(of.into_iter().flatten(), "; ")),
            ("Game", Cell::join(how, ", ")),
            ("Started", Cell::Text(text::time(self.started_at, zone))),
            ("Times", Cell::some(self.times_unknown.then_some(times))),
            ("State", Cell::some(is_unknown.then_some(state))),
        ]);
        self.position_onto(document, zone)
    }

    /// What a player at the board sees: position, last turn, side to move, clocks, end.
    pub fn at_the_board(&self, zone: &TimeZone) -> Document {
        self.position_onto(Document::default(), zone)
    }

    fn position_onto(&self, mut document: Document, zone: &TimeZone) -> Document {
        if let Some(board) = &self.board {
            document = document.board("", board.drawing());
        }
        let turn = self.turns.last().map(|turn| turn.words(self.times_unknown, zone));
        let ended = self.ending.as_ref().map(|ending| ending.words(self.kind(), zone));
        let mut facts = vec![
            ("Plies", Cell::count(self.plies)),
            ("Last turn", Cell::some(turn)),
            ("To move", Cell::some(self.to_move.map(|side| colour(self.kind(), side)))),
            ("Territory", Cell::some(self.territory.as_ref().map(TerritoryView::words))),
        ];
        facts.extend(self.clock_facts());
        facts.extend([
            ("Halted", Cell::some(self.halted.then_some("play is stopped until it is resumed"))),
            ("Annulled", Cell::some(self.annulled.then_some("the game counts as not played"))),
            ("Ended", Cell::some(ended)),
        ]);
        document.facts(facts).lines("Findings", text::findings(&self.findings))
    }

    /// Arimaa before the start.
    pub(crate) fn kind(&self) -> GameKind {
        self.game.unwrap_or(GameKind::Arimaa)
    }

    fn pairing_in_words(&self) -> Option<String> {
        let pairing = self.pairing.as_ref()?;
        Some(match self.attempt {
            Some(attempt) if attempt > 1 => format!("pairing {pairing}, attempt {attempt}"),
            _ => format!("pairing {pairing}"),
        })
    }

    fn clock_facts(&self) -> Vec<(&'static str, Cell)> {
        let Some(clocks) = &self.clocks else {
            return vec![("Clocks", Cell::some(self.no_clocks.as_ref()))];
        };
        let mut facts = Vec::new();
        for (side, reserve) in [(Side::Gold, clocks.gold_reserve), (Side::Silver, clocks.silver_reserve)] {
            let running =
                clocks.running.filter(|running| running.side == side).map_or(String::new(), |running| {
                    let state = match (running.flag_fallen, running.halted) {
                        (true, _) => "the flag has fallen",
                        (false, true) => "halted",
                        (false, false) => "running",
                    };
                    let (used, left) = (i64::from(running.used), i64::from(running.move_time_left));
                    format!(
                        ", {state}: {} used, {} of the move time left",
                        text::clock(used),
                        text::clock(left)
                    )
                });
            let label = match (self.kind(), side) {
                (GameKind::Amazons, Side::Gold) => "White's time",
                (GameKind::Amazons, Side::Silver) => "Black's",
                (GameKind::Arimaa, Side::Gold) => "Gold's clock",
                (GameKind::Arimaa, Side::Silver) => "Silver's",
            };
            facts.push((label, Cell::Text(format!("{} in reserve{running}", text::clock(reserve)))));
        }
        if clocks.running.is_none() && self.to_move.is_some() && self.times_unknown {
            let why = "(after the last turn: how long the present one has run is not known)";
            facts.push(("", Cell::text(why)));
        }
        facts
    }
}

impl PlayerView {
    fn of(player: &PlayerAtStart<'_>) -> PlayerView {
        PlayerView {
            name: player.name.clone().into_owned(),
            account: player.player_id,
            kind: player.kind,
            rating: player.rating,
            country: player.country.as_deref().map(str::to_owned),
            title: player.title.as_deref().map(str::to_owned),
        }
    }

    fn words(&self) -> String {
        let rating = self.rating.map(|rating| rating.to_string());
        let kind = self.kind.map(|kind| kind.word().to_owned());
        let about: Vec<String> = [self.title.clone(), kind, rating, self.country.clone()]
            .into_iter()
            .flatten()
            .filter(|word| !word.is_empty())
            .collect();
        if about.is_empty() { self.name.clone() } else { format!("{} ({})", self.name, about.join(", ")) }
    }
}

impl TurnView {
    fn words(&self, times_unknown: bool, zone: &TimeZone) -> String {
        let mut text = format!("{} {}", self.label, self.steps);
        if let Some(used) = self.used {
            text += &format!(", in {}", text::clock(i64::from(used)));
        }
        if let (Some(at), false) = (self.at, times_unknown) {
            text += &format!(", at {}", show(at, zone));
        }
        text
    }
}

impl EndingView {
    fn words(&self, game: GameKind, zone: &TimeZone) -> String {
        let mut text = match (self.winner, self.draw, self.termination) {
            (winner, draw, Some(how)) if winner.is_some() || draw => ending_in_words(game, winner, how),
            (Some(side), _, None) => format!("{} wins", colour(game, side)),
            (None, true, None) => "a draw".to_owned(),
            (_, _, Some(how)) => format!("by {}", narrative::ending(how)),
            (None, false, None) => "the source does not say how".to_owned(),
        };
        if let Some(stated) = &self.stated {
            text += &format!(" (the source says `{stated}`)");
        }
        if let Some(at) = self.at {
            text += &format!(", {}", show(at, zone));
        }
        if self.board == "disagrees" {
            text += "; the board disagrees";
        }
        text
    }
}
