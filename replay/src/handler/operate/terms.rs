//! The readings of the tournament's rulebook that affect the events entered in a game.

use annals_rules::scoring::PiecePoints;
use annals_store::Log;
use annals_tournaments::rulebook::SetupTime;

use crate::context::rulebook_in_force;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::game::GameReplay;
use crate::read::state_of;
use crate::tournament::TournamentReplay;

/// The terms of a game.
#[derive(Debug, Clone, Copy)]
pub(in crate::handler) struct Terms {
    /// Whether the limit of its length ends it.
    pub limit_ends: bool,
    /// The points of the pieces, if they decide a game at its limit.
    pub points: Option<PiecePoints>,
    /// Whether unused time of a setup is added to the reserve.
    pub adds_setup_time: bool,
}

impl Terms {
    /// The terms of a game of the log. A game without a tournament ends at its limit. With an unknown
    /// rulebook nothing is checked.
    pub fn of(log: &Log, replay: &GameReplay) -> Result<Terms, ReplayError> {
        let plain = Terms { limit_ends: replay.pairing().is_none(), points: None, adds_setup_time: false };
        let of = replay.pairing().map(|of| format!("tournament/{}", of.tournament).parse());
        let Some(Ok(stream)) = of else { return Ok(plain) };
        let tournament: Option<TournamentReplay> = state_of(log, &stream, &Cut::NOW)?;
        let rulebook = tournament.and_then(|replay| rulebook_in_force(&replay.tournament).ok()?);
        Ok(rulebook.map_or(plain, |rulebook| Terms {
            limit_ends: rulebook.checks_limit(),
            points: rulebook.points_in_force(),
            adds_setup_time: rulebook.readings.setup_time == SetupTime::Added,
        }))
    }
}
