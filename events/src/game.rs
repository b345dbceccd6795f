//! The game family. Events borrow text (`Cow`), so that a large archive is read without copying moves. Times and
//! reserves are whole seconds, as in the gameroom.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::vocabulary::{GameKind, PlayerKind, Side, Termination};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum GameEvent<'a> {
    /// The game began; the first event of every game.
    #[serde(borrow)]
    Started(Box<Started<'a>>),
    /// A side completed a turn (its setup is its first).
    #[serde(borrow)]
    TurnTaken(TurnTaken<'a>),
    /// The server refused a turn; the position is unchanged.
    #[serde(borrow)]
    TurnRejected(TurnRejected<'a>),
    /// The last completed turn was taken back.
    #[serde(borrow)]
    TurnRetracted(TurnRetracted<'a>),
    /// The reserves were set by hand.
    #[serde(borrow)]
    ClockSet(ClockSet<'a>),
    /// Play was stopped; the clocks stop.
    #[serde(borrow)]
    Halted(Halted<'a>),
    /// Play resumed from the position after the given ply.
    #[serde(borrow)]
    Resumed(Resumed<'a>),
    /// The game ended, with its result.
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
    /// `turn_taken` of `game.turn_taken`.
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
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// The gameroom's account number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_id: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PlayerKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<Cow<'a, str>>,
    /// Before the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<i32>,
    /// Of the gameroom's rating formula, before the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<i32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Started<'a> {
    pub game: GameKind,
    /// White in the Amazons.
    #[serde(borrow)]
    pub gold: PlayerAtStart<'a>,
    /// Black in the Amazons.
    #[serde(borrow)]
    pub silver: PlayerAtStart<'a>,
    /// As stated; none without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<Cow<'a, str>>,
    /// Counts for ratings.
    pub rated: bool,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub postal: bool,
    /// As stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<Cow<'a, str>>,
    /// Board text of the start with the side to move; none for the default start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Cow<'a, str>>,
    /// Of which it is an attempt, e.g. `wcc-2015.r3.2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairing: Option<Cow<'a, str>>,
    /// Of that pairing, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
}

impl<'a> Started<'a> {
    /// Without names, clock and rating. `position` is for another than the default start.
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnTaken<'a> {
    /// From 1 (the setups).
    pub number: u32,
    pub side: Side,
    /// In the game's notation: steps and captures, or a setup.
    #[serde(borrow)]
    pub steps: Cow<'a, str>,
    /// In seconds, if stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<u32>,
    /// After the turn by the server, in seconds; negative when overdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold_reserve: Option<i64>,
    /// After the turn by the server, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silver_reserve: Option<i64>,
    /// So far by the server, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_time: Option<u64>,
}

impl<'a> TurnTaken<'a> {
    /// Only the steps are known.
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRejected<'a> {
    pub number: u32,
    pub side: Side,
    /// As sent.
    #[serde(borrow)]
    pub steps: Cow<'a, str>,
    /// The server's wording.
    #[serde(borrow)]
    pub reason: Cow<'a, str>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRetracted<'a> {
    /// The reason, or who instructed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSet<'a> {
    /// In seconds.
    pub gold_reserve: i64,
    /// In seconds.
    pub silver_reserve: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Halted<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resumed<'a> {
    /// Completed plies that are kept; later ones are undone.
    pub from_ply: u32,
    /// In seconds; default: as after that ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold_reserve: Option<i64>,
    /// In seconds; default: as after that ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silver_reserve: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended<'a> {
    /// None for a draw, or if unknown.
    pub winner: Option<Side>,
    /// None if unstated or unknown.
    pub termination: Option<Termination>,
    /// The source's unknown term.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Cow<'a, str>>,
    /// Stated as without winner.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub draw: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annulled<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatedChanged<'a> {
    /// From now on.
    pub rated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
}
