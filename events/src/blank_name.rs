//! Names without a visible character. The handler rejects a new one; a log that has one stays readable.

use crate::event::Event;
use crate::people::PeopleEvent;
use crate::tournament::TournamentEvent;

/// The key of the first name of a tournament, a player, a developer or a director without a visible character.
#[must_use]
pub fn blank_name(event: &Event<'_>) -> Option<&'static str> {
    let blank = |name: &String| !name.chars().any(is_visible);
    let first = |name: &String, key, others: &[String]| match blank(name) {
        true => Some("name"),
        false => others.iter().any(blank).then_some(key),
    };
    match event {
        Event::Tournament(event) => match &**event {
            TournamentEvent::Announced(e) => first(&e.name, "directors", &e.directors),
            TournamentEvent::PlayerRegistered(e) => first(&e.name, "developers", &e.developers),
            TournamentEvent::BenchmarksDeclared(e) => {
                e.stable.iter().any(|benchmark| blank(&benchmark.name)).then_some("stable.name")
            }
            _ => None,
        },
        Event::People(PeopleEvent::PlayerKnown(e)) => first(&e.name, "developers", &e.developers),
        Event::People(PeopleEvent::AliasDeclared(e)) => {
            e.alias.name.as_ref().is_some_and(blank).then_some("alias.name")
        }
        _ => None,
    }
}

/// Not a space, a control character, or a character that is drawn as nothing (Unicode's `Default_Ignorable_Code_Point`,
/// and the empty Braille pattern).
fn is_visible(sign: char) -> bool {
    let empty = matches!(
        sign,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    );
    !(empty || sign.is_whitespace() || sign.is_control())
}

#[cfg(test)]
mod tests {
    use super::is_visible;

    #[test]
    fn spaces_controls_and_characters_drawn_as_nothing_are_not_visible() {
        let blank = " \t\n\u{a0}\u{3000}\u{7}\u{200b}\u{2060}\u{feff}\u{3164}\u{2800}\u{e0041}";
        assert!(!blank.chars().any(is_visible));
        assert!("aÞ1.-é日א🙂".chars().all(is_visible));
    }
}
