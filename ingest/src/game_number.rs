//! The number of a logged game in the dataset.

use annals_events::{GameEvent, GameKind, Started};

use crate::game_record::{Header, TimedEvent};
use crate::source::{UNNUMBERED, number, unnumbered};

/// The dataset's number of a logged game: the gameroom's for `game/arimaa-NUMBER`; for an Amazons game that of its
/// file; otherwise from [`UNNUMBERED`] on, by the stream's name. Names also distinguish generated games, of which two
/// in a thousand have equal moves.
#[must_use]
pub fn game_number(stream: &str, events: &[TimedEvent<'_>]) -> u64 {
    let name = stream.split_once('/').map_or(stream, |(_, name)| name);
    let of_the_gameroom = name.strip_prefix("arimaa-").and_then(|digits| {
        let number: u64 = digits.parse().ok()?;
        (number < UNNUMBERED && number.to_string() == digits).then_some(number)
    });
    of_the_gameroom.unwrap_or_else(|| match started(events) {
        Some(started) if started.game == GameKind::Amazons && !Header::of_events(events).is_generated() => {
            number(events)
        }
        _ => unnumbered(blake3::hash(stream.as_bytes()).as_bytes()),
    })
}

pub(crate) fn started<'e>(events: &'e [TimedEvent<'e>]) -> Option<&'e Started<'e>> {
    events.iter().find_map(|(_, event)| match event {
        GameEvent::Started(started) => Some(&**started),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_of_the_gameroom_keeps_its_number_and_others_get_one_that_nobody_has() {
        let game_number = |stream| game_number(stream, &[]);
        assert_eq!(game_number("game/arimaa-669192"), 669_192);
        for name in
            ["game/arimaa-0669192", "game/arimaa-", "game/wcc-2015.r3.2", "game/arimaa-9999999999999999999"]
        {
            assert!((UNNUMBERED..UNNUMBERED * 2).contains(&game_number(name)), "{name}");
        }
        assert_ne!(game_number("game/a"), game_number("game/b"));
        assert_eq!(game_number("game/a"), game_number("game/a"));
    }

    #[test]
    fn a_game_of_the_amazons_has_the_number_of_its_file_and_a_generated_one_that_of_its_stream() {
        let of = |event: Option<String>, stream: &str| {
            let started = Started { event: event.map(Into::into), ..Started::plain(GameKind::Amazons, None) };
            let events = [(Some(0), GameEvent::Started(Box::new(started)))];
            (game_number(stream, &events), number(&events))
        };
        let (logged, filed) = of(None, "game/open.r1.1");
        assert_eq!(logged, filed);
        assert_eq!(of(None, "game/another").0, filed);
        let run = || Some(annals_events::generated::event(7, "1.0.0"));
        assert_ne!(of(run(), "game/a").0, of(run(), "game/b").0);
    }
}
