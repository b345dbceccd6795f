//! A game's server log by typed lines. An unknown line has kind `other` and keeps its text; reading never fails.

use annals_events::Side;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LogKind {
    /// `w player joining`.
    Joining,
    /// `w player present`.
    Present,
    /// `w player has left`.
    Left,
    /// `start move received from w`.
    StartReceived,
    /// `move 5w received from w [steps]`.
    MoveReceived,
    /// `after 5w, move used:S wresv:R bresv:R game:T`.
    AfterMove,
    /// `gameserver rejected move [steps]; reason`.
    Rejected,
    /// `result=wr side=b`.
    Result,
    /// `game finished with result w g`.
    Finished,
    Other,
}

impl LogKind {
    pub const ALL: [LogKind; 10] = [
        LogKind::Joining,
        LogKind::Present,
        LogKind::Left,
        LogKind::StartReceived,
        LogKind::MoveReceived,
        LogKind::AfterMove,
        LogKind::Rejected,
        LogKind::Result,
        LogKind::Finished,
        LogKind::Other,
    ];

    /// In the dataset.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            LogKind::Joining => "joining",
            LogKind::Present => "present",
            LogKind::Left => "left",
            LogKind::StartReceived => "start_received",
            LogKind::MoveReceived => "move_received",
            LogKind::AfterMove => "after_move",
            LogKind::Rejected => "rejected",
            LogKind::Result => "result",
            LogKind::Finished => "finished",
            LogKind::Other => "other",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogLine<'a> {
    /// In the log, from 1.
    pub line: u32,
    /// The leading number as microseconds since the Unix epoch, UTC.
    pub at: Option<i64>,
    /// The same time as text, without brackets; may be empty.
    pub stamp: &'a [u8],
    /// Seconds ahead of UTC of this text; none if it is not the time.
    pub utc_offset: Option<i32>,
    pub kind: LogKind,
    /// Of the turn.
    pub number: Option<u32>,
    /// Of the label or player; for results of the winner.
    pub side: Option<Side>,
    /// Received or rejected, without brackets.
    pub steps: Option<&'a [u8]>,
    /// In seconds.
    pub used: Option<u32>,
    pub gold_reserve: Option<i64>,
    pub silver_reserve: Option<i64>,
    /// So far, in seconds.
    pub game_time: Option<u64>,
    /// What the other fields lack: the reason of a rejection, the letters of a result (`wr side=b`, `w g`), or a whole
    /// `other` line.
    pub text: &'a [u8],
    /// Index of its event in [`crate::row_events::RowEvents::events`]. None for lines without event, such as moves
    /// never played and clocks of missing turns.
    pub event: Option<u32>,
}

impl<'a> LogLine<'a> {
    /// An unknown line without its time.
    #[must_use]
    pub fn said(&self) -> &'a [u8] {
        match memchr::memmem::find(self.text, b"] ") {
            Some(at) if self.at.is_some() => &self.text[at + 2..],
            _ => self.text,
        }
    }

    /// `number` is in the log, from 1.
    #[must_use]
    pub fn read(number: u32, line: &'a [u8]) -> LogLine<'a> {
        let mut out = LogLine::empty(number, line);
        let Some((seconds, rest)) = leading_number(line) else { return out };
        out.at = i64::try_from(seconds).ok().and_then(|seconds| seconds.checked_mul(1_000_000));
        // ` [Sun Feb  1 10:17:06 2026] `: the same in the server's zone; the number counts.
        let Some((stamp, said)) = rest
            .strip_prefix(b" [")
            .and_then(|rest| memchr::memchr(b']', rest).map(|at| rest.split_at(at)))
            .and_then(|(stamp, rest)| Some((stamp, rest.strip_prefix(b"] ")?)))
        else {
            return out;
        };
        out.stamp = stamp;
        out.say(said);
        out
    }

    const fn empty(number: u32, line: &'a [u8]) -> LogLine<'a> {
        LogLine {
            line: number,
            at: None,
            stamp: &[],
            utc_offset: None,
            kind: LogKind::Other,
            number: None,
            side: None,
            steps: None,
            used: None,
            gold_reserve: None,
            silver_reserve: None,
            game_time: None,
            text: line,
            event: None,
        }
    }

    fn say(&mut self, said: &'a [u8]) {
        let known = match said.first() {
            Some(b'm') => self.move_received(said),
            Some(b'a') => self.after_move(said),
            Some(b's') => self.start_received(said),
            Some(b'r') => self.result(said),
            Some(b'g') => self.rejected(said).or_else(|| self.finished(said)),
            _ => self.player(said),
        };
        if let Some(kind) = known {
            self.kind = kind;
        } else {
            *self = LogLine { at: self.at, ..LogLine::empty(self.line, self.text) };
        }
    }

    fn move_received(&mut self, said: &'a [u8]) -> Option<LogKind> {
        let (number, side, rest) = label(said.strip_prefix(b"move ")?)?;
        let rest = rest.strip_prefix(b" received from ")?;
        let (from, rest) = rest.split_first()?;
        // A move of the other side is unknown.
        (Side::from_letter(*from)? == side).then_some(())?;
        self.number = Some(number);
        self.side = Some(side);
        self.steps = Some(rest.strip_prefix(b" [")?.strip_suffix(b"]")?);
        self.text = &[];
        Some(LogKind::MoveReceived)
    }

    fn after_move(&mut self, said: &'a [u8]) -> Option<LogKind> {
        let (number, side, rest) = label(said.strip_prefix(b"after ")?)?;
        let (used, rest) = leading_number(rest.strip_prefix(b", move used:")?)?;
        let (gold, rest) = signed_number(rest.strip_prefix(b" wresv:")?)?;
        let (silver, rest) = signed_number(rest.strip_prefix(b" bresv:")?)?;
        let (game, rest) = leading_number(rest.strip_prefix(b" game:")?)?;
        rest.is_empty().then_some(())?;
        self.number = Some(number);
        self.side = Some(side);
        self.used = Some(u32::try_from(used).ok()?);
        self.gold_reserve = Some(gold);
        self.silver_reserve = Some(silver);
        self.game_time = Some(game);
        self.text = &[];
        Some(LogKind::AfterMove)
    }

    fn start_received(&mut self, said: &'a [u8]) -> Option<LogKind> {
        let [letter] = said.strip_prefix(b"start move received from ")? else { return None };
        self.side = Some(Side::from_letter(*letter)?);
        self.text = &[];
        Some(LogKind::StartReceived)
    }

    fn rejected(&mut self, said: &'a [u8]) -> Option<LogKind> {
        let rest = said.strip_prefix(b"gameserver rejected move [")?;
        let end = memchr::memchr(b']', rest)?;
        self.steps = Some(&rest[..end]);
        self.text = rest[end + 1..].strip_prefix(b";").unwrap_or(&rest[end + 1..]).trim_ascii();
        Some(LogKind::Rejected)
    }

    fn result(&mut self, said: &'a [u8]) -> Option<LogKind> {
        let rest = said.strip_prefix(b"result=")?;
        self.side = Side::from_letter(*rest.first()?);
        self.text = rest;
        Some(LogKind::Result)
    }

    fn finished(&mut self, said: &'a [u8]) -> Option<LogKind> {
        let rest = said.strip_prefix(b"game finished with result ")?;
        self.side = Side::from_letter(*rest.first()?);
        self.text = rest;
        Some(LogKind::Finished)
    }

    fn player(&mut self, said: &'a [u8]) -> Option<LogKind> {
        let (letter, rest) = said.split_first()?;
        let kind = match rest.strip_prefix(b" player ")? {
            b"joining" => LogKind::Joining,
            b"present" => LogKind::Present,
            b"has left" => LogKind::Left,
            _ => return None,
        };
        self.side = Some(Side::from_letter(*letter)?);
        self.text = &[];
        Some(kind)
    }
}

/// Non-empty parts between the two characters `\n`.
pub fn lines(log: &[u8]) -> impl Iterator<Item = &[u8]> {
    escaped_lines(log).filter(|line| !line.is_empty())
}

/// Parts between the two characters `\n`.
pub fn escaped_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut from = 0;
        loop {
            match memchr::memchr(b'\\', &text[from..]) {
                None => {
                    rest = None;
                    return Some(text);
                }
                Some(at) if text.get(from + at + 1) == Some(&b'n') => {
                    rest = Some(&text[from + at + 2..]);
                    return Some(&text[..from + at]);
                }
                Some(at) => from += at + 1,
            }
        }
    })
}

/// For example `12w`, `12g`: number, side, rest.
pub(crate) fn label(text: &[u8]) -> Option<(u32, Side, &[u8])> {
    let (number, rest) = leading_number(text)?;
    let (letter, rest) = rest.split_first()?;
    Some((u32::try_from(number).ok()?, Side::from_letter(*letter)?, rest))
}

fn leading_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0u64;
    let mut digits = 0;
    while let Some(digit) = text.get(digits).filter(|byte| byte.is_ascii_digit()) {
        value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
        digits += 1;
    }
    (digits > 0).then(|| (value, &text[digits..]))
}

fn signed_number(text: &[u8]) -> Option<(i64, &[u8])> {
    if let Some(rest) = text.strip_prefix(b"-") {
        let (value, rest) = leading_number(rest)?;
        Some((i64::try_from(value).ok()?.checked_neg()?, rest))
    } else {
        let (value, rest) = leading_number(text)?;
        Some((i64::try_from(value).ok()?, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: &str = "1769941065 [Sun Feb  1 10:17:45 2026] ";

    fn read(said: &str, look: impl FnOnce(LogLine<'_>)) {
        let line = format!("{STAMP}{said}");
        let line = LogLine::read(7, line.as_bytes());
        assert_eq!((line.line, line.at), (7, Some(1_769_941_065_000_000)), "{said}");
        look(line);
    }

    #[test]
    fn each_known_line_is_read_into_its_fields_and_leaves_no_text() {
        read("w player joining", |line| {
            assert_eq!((line.kind, line.side), (LogKind::Joining, Some(Side::Gold)))
        });
        read("b player present", |line| {
            assert_eq!((line.kind, line.side), (LogKind::Present, Some(Side::Silver)))
        });
        read("b player has left", |line| assert_eq!((line.kind, line.text), (LogKind::Left, &b""[..])));
        read("start move received from w", |line| assert_eq!(line.kind, LogKind::StartReceived));
        read("move 12b received from b [rb3e rc3x]", |line| {
            assert_eq!(line.kind, LogKind::MoveReceived);
            assert_eq!((line.number, line.side), (Some(12), Some(Side::Silver)));
            assert_eq!((line.steps, line.text), (Some(&b"rb3e rc3x"[..]), &b""[..]));
        });
        read("after 5w, move used:64 wresv:-95 bresv:172 game:164", |line| {
            assert_eq!(line.kind, LogKind::AfterMove);
            assert_eq!((line.number, line.side, line.used), (Some(5), Some(Side::Gold), Some(64)));
            assert_eq!((line.gold_reserve, line.silver_reserve), (Some(-95), Some(172)));
            assert_eq!((line.game_time, line.text), (Some(164), &b""[..]));
        });
        read("gameserver rejected move [de6n]; push not completed", |line| {
            assert_eq!((line.kind, line.steps), (LogKind::Rejected, Some(&b"de6n"[..])));
            assert_eq!(line.text, b"push not completed");
        });
        read("result=wr side=b", |line| {
            assert_eq!(
                (line.kind, line.side, line.text),
                (LogKind::Result, Some(Side::Gold), &b"wr side=b"[..])
            );
        });
        read("game finished with result b g", |line| {
            assert_eq!(
                (line.kind, line.side, line.text),
                (LogKind::Finished, Some(Side::Silver), &b"b g"[..])
            );
        });
    }

    #[test]
    fn an_unknown_line_is_other_and_keeps_all_its_text() {
        for said in [
            "",
            "x player joining",
            "w player dancing",
            "move 12b received from w [rb3e]",
            "move 12b received from b rb3e",
            "move 99999999999999999999b received from b [rb3e]",
            "after 5w, move used:64 wresv:95 bresv:172",
            "after 5w, move used:64 wresv:95 bresv:172 game:1 more",
            "after 5w, move used:-64 wresv:95 bresv:172 game:1",
            "gameserver rejected move de6n",
            "game paused",
        ] {
            let line = format!("{STAMP}{said}");
            let line = LogLine::read(1, line.as_bytes());
            assert_eq!(
                (line.kind, line.number, line.side, line.steps),
                (LogKind::Other, None, None, None),
                "{said}"
            );
            assert_eq!(line.text, format!("{STAMP}{said}").as_bytes());
        }
        for odd in ["", "no number", "12", "12 [", "12 [x]", "99999999999999999999 [x] w player joining"] {
            let line = LogLine::read(1, odd.as_bytes());
            assert_eq!((line.kind, line.text), (LogKind::Other, odd.as_bytes()));
        }
    }

    #[test]
    fn lines_are_parted_at_the_two_characters_only() {
        let parts: Vec<_> = escaped_lines(b"a\\nb\\x\\\\nc\\").collect();
        assert_eq!(parts, [&b"a"[..], b"b\\x\\", b"c\\"]);
        assert_eq!(lines(b"\\na\\n\\n").collect::<Vec<_>>(), [b"a"]);
        assert_eq!(lines(b"").count(), 0);
    }
}
