//! Checks in one pass, without building values, whether a text is canonical JSON. Never accepts wrongly; after a
//! rejection the slow path finds the error.

/// Deepest nesting, as in `serde_json`.
const DEEPEST: u32 = 127;

pub(super) fn is_canonical(text: &str) -> bool {
    let mut scan = Scan { text: text.as_bytes(), at: 0 };
    scan.value(DEEPEST).is_some() && scan.at == text.len()
}

struct Scan<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Scan<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.text[self.at..].starts_with(word).then(|| self.at += word.len())
    }

    /// `deeper`: levels that may still be opened.
    fn value(&mut self, deeper: u32) -> Option<()> {
        match self.peek()? {
            b'"' => self.string(),
            b'{' => self.object(deeper.checked_sub(1)?),
            b'[' => self.array(deeper.checked_sub(1)?),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.integer(),
        }
    }

    fn integer(&mut self) -> Option<()> {
        let negative = self.eat(b'-').is_some();
        let start = self.at;
        let mut value = 0i64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        let shortest = match digits {
            [] => false,
            [b'0'] => !negative,
            [first, ..] => *first != b'0',
        };
        (shortest && value <= super::error::MAX_INTEGER).then_some(())
    }

    fn string(&mut self) -> Option<()> {
        self.eat(b'"')?;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => self.escape()?,
                0..0x20 => return None,
                _ => self.at += 1,
            }
        }
    }

    /// RFC 8785: two characters where JSON has them, else `\u00` and two lower-case digits.
    fn escape(&mut self) -> Option<()> {
        self.at += 1;
        match self.peek()? {
            b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
            b'u' => {
                self.word(b"u00")?;
                let (high, low) = (self.digit()?, self.digit()?);
                let code = high << 4 | low;
                let has_a_short_form = matches!(code, 0x8 | 0x9 | 0xa | 0xc | 0xd);
                if code >= 0x20 || has_a_short_form {
                    return None;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn digit(&mut self) -> Option<u8> {
        let digit = match self.peek()? {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' => digit - b'a' + 10,
            _ => return None,
        };
        self.at += 1;
        Some(digit)
    }

    fn array(&mut self, deeper: u32) -> Option<()> {
        self.eat(b'[')?;
        if self.eat(b']').is_some() {
            return Some(());
        }
        loop {
            self.value(deeper)?;
            if self.eat(b',').is_none() {
                return self.eat(b']');
            }
        }
    }

    fn object(&mut self, deeper: u32) -> Option<()> {
        self.eat(b'{')?;
        if self.eat(b'}').is_some() {
            return Some(());
        }
        let mut last: &[u8] = &[];
        loop {
            let key = self.key()?;
            if key <= last {
                return None;
            }
            last = key;
            self.eat(b':')?;
            self.value(deeper)?;
            if self.eat(b',').is_none() {
                return self.eat(b'}');
            }
        }
    }

    /// An empty key never passes: it is not greater than no key.
    fn key(&mut self) -> Option<&'t [u8]> {
        self.eat(b'"')?;
        let start = self.at;
        while matches!(self.peek()?, b'a'..=b'z' | b'0'..=b'9' | b'_') {
            self.at += 1;
        }
        let key = &self.text[start..self.at];
        self.eat(b'"')?;
        Some(key)
    }
}

#[cfg(test)]
mod tests {
    use super::is_canonical;
    use crate::canonical;
    use proptest::prelude::*;
    use serde_json::Value;

    fn slowly(text: &str) -> bool {
        serde_json::from_str::<Value>(text)
            .ok()
            .and_then(|value| canonical::to_string(&value).ok())
            .is_some_and(|canonical| canonical == text)
    }

    #[test]
    fn one_pass_and_the_slow_way_agree_on_every_corner() {
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        let (ok, too_deep) = (deep(127), deep(128));
        let texts = [
            "",
            " ",
            "null",
            "nul",
            "nulll",
            "true",
            "false",
            "0",
            "-0",
            "00",
            "01",
            "-1",
            "1.0",
            "1e2",
            "+1",
            "-",
            "9007199254740991",
            "9007199254740992",
            "-9007199254740991",
            "-9007199254740992",
            "99999999999999999999",
            "\"\"",
            "\"",
            "\"a",
            "\"\\\"",
            "\"\\n\"",
            "\"\\u000a\"",
            "\"\\u0001\"",
            "\"\\u001F\"",
            "\"\\u001f\"",
            "\"\\u0041\"",
            "\"\\/\"",
            "\"\\x\"",
            "\"\\u0020\"",
            "\"\u{7f}\"",
            "\"\u{1}\"",
            "\"é\"",
            "\"\\ud83d\\ude00\"",
            "[]",
            "[ ]",
            "[1,]",
            "[,1]",
            "[1",
            "[1,2]",
            "{}",
            "{ }",
            "{\"a\":1}",
            "{\"a\":1,}",
            "{\"a\"}",
            "{\"b\":1,\"a\":2}",
            "{\"a\":1,\"b\":2}",
            "{\"a\":1,\"a\":1}",
            "{\"\":1}",
            "{\"A\":1}",
            "{\"_a\":1,\"a\":1}",
            "{\"a\":1}x",
            "{\"a\\n\":1}",
            ok.as_str(),
            too_deep.as_str(),
        ];
        for text in texts {
            assert_eq!(is_canonical(text), slowly(text), "{text:?}");
        }
        assert!(is_canonical(&ok) && !is_canonical(&too_deep));
    }

    proptest! {
        #[test]
        fn one_pass_and_the_slow_way_agree_on_texts_near_to_json(
            text in r#"[\[{]{0,3}("[ab_\\u01fFn"]{0,6}"|-?[019.e]{1,4}|[:,\]} ]|null|true){0,10}[\]}]{0,3}"#
        ) {
            prop_assert_eq!(is_canonical(&text), slowly(&text), "{}", text);
        }
    }
}
