//! The game family: everything that can happen in one game. An event borrows its text (`Cow`), so that a
//! reader of a large archive yields events without copying a single move; only the log owns what it keeps.
//!
//! All times used and reserves are whole seconds, as the gameroom counts them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::vocabulary::{GameKind, PlayerKind, Side, Termination};

/// One thing that happened in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum GameEvent<'a> {
    /// The game began; the first event of every game.
    #[serde(borrow)]
    Started(Box<Started<'a>>),
    /// A side completed a turn (its setup is its first).
    #[serde(borrow)]
    TurnTaken(TurnTaken<'a>),
    /// The server refused a turn; the position stands.
    #[serde(borrow)]
    TurnRejected(TurnRejected<'a>),
    /// The last completed turn was taken back.
    #[serde(borrow)]
    TurnRetracted(TurnRetracted<'a>),
    /// The reserves were set by hand.
    #[serde(borrow)]
    ClockSet(ClockSet<'a>),
    /// Play was stopped; the clocks stand still.
    #[serde(borrow)]
    Halted(Halted<'a>),
    /// Play went on, from the position after the given ply.
    #[serde(borrow)]
    Resumed(Resumed<'a>),
    #[serde(borrow)]
    Ended(Ended<'a>),
    /// The game counts as not played.
    #[serde(borrow)]
    Annulled(Annulled<'a>),
    /// The game became rated, or unrated.
    #[serde(borrow)]
    RatedChanged(RatedChanged<'a>),
}

impl GameEvent<'_> {
    /// The last word of the type: `turn_taken` of `game.turn_taken`.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self {
            GameEvent::Started(_) => "started",
            GameEvent::TurnTaken(_) => "turn_taken",
            GameEvent::TurnRejected(_) => "turn_rejected",
            GameEvent::TurnRetracted(_) => "turn_retracted",
            GameEvent::ClockSet(_) => "clock_set",
            GameEvent::Halted(_) => "halted",
            GameEvent::Resumed(_) => "resumed",
            GameEvent::Ended(_) => "ended",
            GameEvent::Annulled(_) => "annulled",
            GameEvent::RatedChanged(_) => "rated_changed",
        }
    }
}

impl GameEvent<'_> {
    /// The same event with texts of its own.
    #[must_use]
    pub fn into_owned(self) -> GameEvent<'static> {
        let text = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let reason = |reason: Option<Cow<'_, str>>| reason.map(text);
        match self {
            GameEvent::Started(started) => GameEvent::Started(Box::new(started.into_owned())),
            GameEvent::TurnTaken(turn) => GameEvent::TurnTaken(TurnTaken { steps: text(turn.steps), ..turn }),
            GameEvent::TurnRejected(turn) => GameEvent::TurnRejected(TurnRejected {
                steps: text(turn.steps),
                reason: text(turn.reason),
                ..turn
            }),
            GameEvent::TurnRetracted(said) => {
                GameEvent::TurnRetracted(TurnRetracted { reason: reason(said.reason) })
            }
            GameEvent::ClockSet(set) => GameEvent::ClockSet(ClockSet { reason: reason(set.reason), ..set }),
            GameEvent::Halted(said) => GameEvent::Halted(Halted { reason: reason(said.reason) }),
            GameEvent::Resumed(said) => GameEvent::Resumed(Resumed { reason: reason(said.reason), ..said }),
            GameEvent::Ended(ended) => GameEvent::Ended(Ended { stated: reason(ended.stated), ..ended }),
            GameEvent::Annulled(said) => GameEvent::Annulled(Annulled { reason: reason(said.reason) }),
            GameEvent::RatedChanged(said) => {
                GameEvent::RatedChanged(RatedChanged { reason: reason(said.reason), ..said })
            }
        }
    }
}

/// A player as the game's record shows them at its start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerAtStart<'a> {
    /// The name under which they played.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// The gameroom's number for the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_id: Option<u64>,
    /// Human or program, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PlayerKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    /// Country code, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<Cow<'a, str>>,
    /// Rating before the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<i32>,
    /// The K of the gameroom's rating formula before the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<i32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Started<'a> {
    pub game: GameKind,
    /// Who plays Gold (White in the Amazons).
    #[serde(borrow)]
    pub gold: PlayerAtStart<'a>,
    /// Who plays Silver (Black in the Amazons).
    #[serde(borrow)]
    pub silver: PlayerAtStart<'a>,
    /// The time control in the words of the source; none when the game has no clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<Cow<'a, str>>,
    /// Whether the game counts for ratings.
    pub rated: bool,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub postal: bool,
    /// The event it belongs to, in the words of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<Cow<'a, str>>,
    /// Board text of the position it starts from, with the side to move; none for the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Cow<'a, str>>,
    /// The pairing it is an attempt at, e.g. `wcc-2015.r3.2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairing: Option<Cow<'a, str>>,
    /// Which attempt of that pairing, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
}

impl<'a> Started<'a> {
    /// The start of a game of which nothing more is said: nobody is named, there is no clock, and it is not rated. `position` is
    /// where it does not begin as usual.
    #[must_use]
    pub fn plain(game: GameKind, position: Option<Cow<'a, str>>) -> Started<'a> {
        Started {
            game,
            gold: PlayerAtStart::default(),
            silver: PlayerAtStart::default(),
            time_control: None,
            rated: false,
            postal: false,
            event: None,
            site: None,
            position,
            pairing: None,
            attempt: None,
        }
    }

    /// The same start with texts of its own.
    #[must_use]
    pub fn into_owned(self) -> Started<'static> {
        let text = |text: Option<Cow<'_, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        let player = |player: PlayerAtStart<'_>| PlayerAtStart {
            name: Cow::Owned(player.name.into_owned()),
            title: text(player.title),
            country: text(player.country),
            ..player
        };
        Started {
            gold: player(self.gold),
            silver: player(self.silver),
            time_control: text(self.time_control),
            event: text(self.event),
            site: text(self.site),
            position: text(self.position),
            pairing: text(self.pairing),
            ..self
        }
    }
}

/// A side completed a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnTaken<'a> {
    /// The number of the turn, from 1 (the setups).
    pub number: u32,
    pub side: Side,
    /// The turn in the notation of its game: steps and captures, or a setup.
    #[serde(borrow)]
    pub steps: Cow<'a, str>,
    /// Seconds used, where the source says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<u32>,
    /// Gold's reserve after the turn as the server showed it, in seconds (negative when overdrawn).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold_reserve: Option<i64>,
    /// Silver's reserve after the turn as the server showed it, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silver_reserve: Option<i64>,
    /// Length of the game so far as the server showed it, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_time: Option<u64>,
}

impl<'a> TurnTaken<'a> {
    /// A turn of which only the steps are known.
    #[must_use]
    pub fn plain(number: u32, side: Side, steps: impl Into<Cow<'a, str>>) -> TurnTaken<'a> {
        TurnTaken {
            number,
            side,
            steps: steps.into(),
            used: None,
            gold_reserve: None,
            silver_reserve: None,
            game_time: None,
        }
    }
}

/// The server refused a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRejected<'a> {
    /// The number of the turn that was tried.
    pub number: u32,
    /// Who tried it.
    pub side: Side,
    /// What was sent.
    #[serde(borrow)]
    pub steps: Cow<'a, str>,
    /// The server's reason, in its own words.
    #[serde(borrow)]
    pub reason: Cow<'a, str>,
}

/// The last completed turn was taken back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRetracted<'a> {
    /// Why, or on whose instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}

/// The reserves were set by hand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSet<'a> {
    /// Gold's reserve from now on, in seconds.
    pub gold_reserve: i64,
    /// Silver's reserve from now on, in seconds.
    pub silver_reserve: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}

/// Play was stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Halted<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}

/// Play went on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resumed<'a> {
    /// The number of completed plies that stand; later ones are undone.
    pub from_ply: u32,
    /// Gold's reserve, in seconds, where it is set anew; else as it was after that ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold_reserve: Option<i64>,
    /// Silver's reserve, in seconds, where it is set anew; else as it was after that ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silver_reserve: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended<'a> {
    /// Who won; none for a draw, or where the source does not know.
    pub winner: Option<Side>,
    /// How it ended; none where the source does not say, or says something unknown.
    pub termination: Option<Termination>,
    /// The source's own words where they are none of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Cow<'a, str>>,
    /// True when the source says that nobody won.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub draw: bool,
}

/// The game counts as not played.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annulled<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}

/// The game became rated, or unrated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatedChanged<'a> {
    /// Whether it counts for ratings from now on.
    pub rated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}
