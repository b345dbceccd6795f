//! A hand-written parser for the most frequent payload of a replay, a turn in canonical form. Anything unusual (another
//! layout, an escape, a long number) is left to the general reader; a property test compares both.

use crate::game::TurnTaken;
use crate::time::TimeNote;
use crate::vocabulary::Side;

/// With the time note; none if the general reader is needed.
pub(crate) fn read(payload: &str) -> Option<(TurnTaken<'_>, Option<TimeNote>)> {
    let mut text = Text(payload);
    let note = if text.eat("{\"_time\":") { Some(text.note()?) } else { None };
    if !(if note.is_some() { text.eat(",") } else { text.eat("{") }) {
        return None;
    }
    let game_time = if text.eat("\"game_time\":") { Some(text.unsigned_then_comma()?) } else { None };
    let gold_reserve = if text.eat("\"gold_reserve\":") { Some(text.signed_then_comma()?) } else { None };
    let number = text.after("\"number\":")?.unsigned_then_comma()?.try_into().ok()?;
    let side = if text.eat("\"side\":\"gold\",") {
        Side::Gold
    } else {
        text.after("\"side\":\"silver\",")?;
        Side::Silver
    };
    let silver_reserve = if text.eat("\"silver_reserve\":") { Some(text.signed_then_comma()?) } else { None };
    let steps = text.after("\"steps\":\"")?.plain_string()?;
    let used = if text.eat(",\"used\":") { Some(text.unsigned()?.try_into().ok()?) } else { None };
    let turn = TurnTaken { number, side, steps: steps.into(), used, gold_reserve, silver_reserve, game_time };
    (text.0 == "}").then_some((turn, note))
}

/// The rest.
struct Text<'t>(&'t str);

impl<'t> Text<'t> {
    fn eat(&mut self, start: &str) -> bool {
        match self.0.strip_prefix(start) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn after(&mut self, start: &str) -> Option<&mut Text<'t>> {
        self.eat(start).then_some(self)
    }

    fn note(&mut self) -> Option<TimeNote> {
        if self.eat("\"unknown\"") {
            return Some(TimeNote::Unknown);
        }
        let stated_at = self.after("{\"lifted\":{\"stated_at\":")?.signed()?;
        self.eat("}}").then_some(TimeNote::Lifted { stated_at })
    }

    /// At most 16 digits, as any number of a payload.
    fn unsigned(&mut self) -> Option<u64> {
        let bytes = self.0.as_bytes();
        let length = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let leading_zero = length > 1 && bytes[0] == b'0';
        if !(1..=16).contains(&length) || leading_zero {
            return None;
        }
        let value = bytes[..length].iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
        self.0 = &self.0[length..];
        Some(value)
    }

    fn signed(&mut self) -> Option<i64> {
        if self.eat("-") {
            let value = self.unsigned().filter(|value| *value != 0)?;
            i64::try_from(value).ok().map(|value| -value)
        } else {
            self.unsigned()?.try_into().ok()
        }
    }

    fn unsigned_then_comma(&mut self) -> Option<u64> {
        let value = self.unsigned()?;
        self.eat(",").then_some(value)
    }

    fn signed_then_comma(&mut self) -> Option<i64> {
        let value = self.signed()?;
        self.eat(",").then_some(value)
    }

    /// Without escapes, up to the closing quote.
    fn plain_string(&mut self) -> Option<&'t str> {
        let end = self.0.bytes().position(|byte| byte == b'"' || byte == b'\\' || byte < 0x20)?;
        let (string, rest) = self.0.split_at(end);
        self.0 = rest.strip_prefix('"')?;
        Some(string)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, Event, GameEvent};
    use proptest::option;
    use proptest::prelude::*;

    fn any_entry() -> impl Strategy<Value = Entry<'static>> {
        let limit = crate::canonical::MAX_INTEGER;
        let turn = (
            any::<u32>(),
            any::<bool>(),
            ".{0,12}",
            option::of(any::<u32>()),
            option::of(-limit..=limit),
            option::of(-limit..=limit),
            option::of(0..=limit as u64),
        );
        let note = option::of(option::of(-limit..=limit));
        (turn, note).prop_map(
            |((number, gold, steps, used, gold_reserve, silver_reserve, game_time), note)| {
                let side = if gold { Side::Gold } else { Side::Silver };
                let steps = steps.into();
                let turn = TurnTaken { number, side, steps, used, gold_reserve, silver_reserve, game_time };
                let time = note.map(|stated| match stated {
                    Some(stated_at) => TimeNote::Lifted { stated_at },
                    None => TimeNote::Unknown,
                });
                Entry { event: Event::Game(GameEvent::TurnTaken(turn)), time }
            },
        )
    }

    fn generally(payload: &str) -> Option<(TurnTaken<'_>, Option<TimeNote>)> {
        let mut note = None;
        let seed = std::marker::PhantomData::<TurnTaken<'_>>;
        let turn =
            crate::decode::read_borrowed(seed, crate::decode::Source::Text(payload), &mut note).ok()?;
        Some((turn, note))
    }

    #[test]
    fn a_turn_of_the_gameroom_is_read_without_the_general_reader() {
        let text = r#"{"game_time":43,"gold_reserve":148,"number":2,"side":"gold","silver_reserve":-3,"steps":"Eb2n","used":17}"#;
        assert!(read(text).is_some());
        assert!(read(r#"{"_time":"unknown","number":2,"side":"silver","steps":"eb7s"}"#).is_some());
    }

    proptest! {
        #[test]
        fn what_is_read_by_hand_is_what_the_general_reader_reads(entry in any_entry()) {
            let payload = entry.to_payload().unwrap();
            let (turn, time) = generally(payload.as_str()).unwrap();
            prop_assert_eq!(&Entry { event: Event::Game(GameEvent::TurnTaken(turn.clone())), time }, &entry);
            let escaped = payload.as_str().contains('\\');
            prop_assert_eq!(read(payload.as_str()), (!escaped).then_some((turn, time)));
        }

        #[test]
        fn nothing_is_accepted_by_hand_that_the_general_reader_refuses(
            entry in any_entry(), at in any::<prop::sample::Index>(), with in "[-0-9{}:,\"\\\\ a\u{1}]{0,2}", gone in 0..3usize
        ) {
            let payload = entry.to_payload().unwrap().into_string();
            let mut at = at.index(payload.len() + 1);
            while !payload.is_char_boundary(at) {
                at -= 1;
            }
            let rest: String = payload[at..].chars().skip(gone).collect();
            let changed = format!("{}{with}{rest}", &payload[..at]);
            if let Some(read) = read(&changed) {
                prop_assert_eq!(Some(read), generally(&changed), "{}", changed);
            }
        }
    }
}
