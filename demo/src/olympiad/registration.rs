//! Announcement with the time for all moves, and the list of entrants.

use annals_tournaments::commands::{AnnounceOrder, Command};
use annals_tournaments::rulebook::Rulebook;

use super::participants::Participants;
use crate::director::{Director, time};
use crate::entry::{entry, known};
use crate::game_in_play::HOUR;
use crate::{DemoError, Progress};

/// The name of the tournament.
pub const OLYMPIAD: &str = "olympiad";

/// The announcement follows a moment later.
pub const LOG_BEGINS: &str = "2000-07-01T10:00";

/// The organisers' preference: thirty minutes per side and game.
pub const TIME_CONTROL: &str = "game 30m";

/// Announces the event, registers the entries, and declares the rounds.
pub fn open(
    director: &mut Director,
    participants: &Participants,
    progress: &dyn Progress,
) -> Result<(), DemoError> {
    let rulebook = Rulebook::named("olympiad-amazons-2000")?;
    let order = AnnounceOrder {
        name: Some("Computer Olympiad of the settings: Amazons".to_owned()),
        year: Some(2000),
        time_control: Some(TIME_CONTROL.to_owned()),
        ..AnnounceOrder::default()
    };
    director.announce(time("2000-07-01T12:00")?, &rulebook, order)?;
    let mut at = time("2000-07-10T10:00")?;
    for (number, program) in (1..).zip(&participants.programs) {
        director.carry_out(at, &[known(&program.id, at)?, entry(&program.id, Some(number))])?;
        at += HOUR;
    }
    director.carry_out(time("2000-08-20T18:00")?, &[Command::DeclareRounds.into()])?;
    let programs = participants.programs.len();
    progress.say(&format!(
        "Announced by the rulebook olympiad-amazons-2000: {programs} programs, five rounds of Swiss, encounters of two \
         games, `{TIME_CONTROL}` for each side."
    ))
}
