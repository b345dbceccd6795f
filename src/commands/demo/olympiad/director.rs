//! What the director does around the games: the announcement with its time for all moves of a game, the list of entrants,
//! and in the end the close.

use annals_events::TournamentEvent;
use annals_events::tournament::Placing;
use annals_replay::desk::Draft;
use annals_tournaments::decide::{AnnounceOrder, Command, announcement};
use annals_tournaments::rulebook::Rulebook;

use super::cast::Cast;
use crate::commands::demo::desk::{ACTOR, Desk, time};
use crate::commands::demo::entry::{entry, known};
use crate::commands::demo::table::{HOUR, MINUTE};
use crate::commands::demo::talk::Progress;
use crate::errors::CliError;

/// When the log begins, and the announcement is made a moment later.
pub const LOG_BEGINS: &str = "2000-07-01T10:00";

/// What the organisers would rather have: thirty minutes for all moves of a side in one game.
pub const TIME_CONTROL: &str = "game 30m";

/// Announces the event, takes the entries, and declares the rounds.
pub fn open(desk: &mut Desk, cast: &Cast, talk: &Progress) -> Result<(), CliError> {
    let rulebook = Rulebook::named("olympiad-amazons-2000").map_err(|e| CliError::from_error(&e))?;
    let order = AnnounceOrder {
        name: Some("Computer Olympiad of the settings: Amazons".to_owned()),
        year: Some(2000),
        time_control: Some(TIME_CONTROL.to_owned()),
        directors: vec![ACTOR.to_owned()],
        note: Some(
            "a demonstration: every player is a setting of one engine, every clock is simulated".to_owned(),
        ),
        ..AnnounceOrder::default()
    };
    let announced = TournamentEvent::Announced(announcement(&rulebook, order));
    let at = time("2000-07-01T12:00")?;
    let draft = Draft::new(desk.stream.clone(), at, announced).map_err(|e| CliError::from_error(&e))?;
    desk.append(at, draft)?;
    let mut at = time("2000-07-10T10:00")?;
    for (number, program) in (1..).zip(&cast.programs) {
        desk.carry_out(at, &[known(&program.id, at)?, entry(&program.id, Some(number))])?;
        at += HOUR;
    }
    desk.carry_out(time("2000-08-20T18:00")?, &[Command::DeclareRounds.into()])?;
    let programs = cast.programs.len();
    talk.say(format!(
        "Announced by the rulebook olympiad-amazons-2000: {programs} programs, five rounds of Swiss, encounters of two \
         games, `{TIME_CONTROL}` for each side."
    ))
}

/// Closes; gives the places.
pub fn close(desk: &mut Desk, talk: &Progress) -> Result<Vec<Placing>, CliError> {
    let at = desk.now() + 30 * MINUTE;
    desk.carry_out(at, &[Command::Close { note: None }.into()])?;
    let places = desk.state()?.closed.map(|closed| closed.places).unwrap_or_default();
    for placing in places.iter().filter(|placing| placing.place <= 3) {
        talk.say(format!("Place {}: {}", placing.place, placing.player))?;
    }
    Ok(places)
}
