//! Names, times and identifiers that users and files state: what is accepted is written, and read again as the same value.
#![no_main]

use annals_events::{
    BoardId, EventId, GameId, Hash, PairingId, PlayerId, StatedPeriod, StreamName, TournamentId,
};
use annals_fuzz::survives;
use annals_replay::Identifier;
use annals_replay::point::{Point, beginning, instant, stated, zone};
use annals_rules::clock::TimeControl;
use annals_rules::scoring::PiecePoints;
use annals_rules::{TurnChoice, TurnLabel};
use jiff::tz::TimeZone;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    survives::<StreamName>(text);
    survives::<GameId>(text);
    survives::<PlayerId>(text);
    survives::<TournamentId>(text);
    survives::<BoardId>(text);
    survives::<PairingId>(text);
    survives::<EventId>(text);
    survives::<Hash>(text);
    survives::<StatedPeriod>(text);
    survives::<TimeControl>(text);
    survives::<PiecePoints>(text);
    survives::<TurnChoice>(text);
    survives::<TurnLabel>(text);
    survives::<Identifier>(text);
    let _ = Identifier::pasted(text);
    let utc = &TimeZone::UTC;
    let named = zone(text);
    let zone = named.as_ref().unwrap_or(utc);
    for zone in [utc, zone] {
        let point = Point::parse(text, zone);
        if let Ok(at) = instant(text, zone) {
            assert_eq!(point.ok(), Some(Point::Time(at)));
            let begins = beginning(text, zone);
            assert!(begins.is_err() || begins.is_ok_and(|begins| begins <= at), "{text}");
        }
        let _ = stated(text, zone);
    }
});
