//! Reads move lists. Tolerates both notations, one or two moves per line, numbers by side or by ply, and comments;
//! strict otherwise.

use std::collections::BTreeMap;

use annals_events::{GameKind, PlayerAtStart, Side, Started};
use annals_rules::amazons::{Move, Position, Size};

use super::super::dates;
use super::super::draft::{Clocks, Draft, Label, Place};
use super::super::ending::StatedEnding;
use super::super::error::{Problem, colour, shown};
use super::super::flag::{self, FileFlag};
use super::super::lines::{Lines, latin1};
use super::super::{GameFile, GameFileError, MAX_GAMES};
use super::header::Header;
use super::key::Key;
use super::word::{Word, begins_a_word, next, open_at_the_end, without_comment};

pub(crate) fn read(file: &str, text: &[u8]) -> Vec<Result<GameFile, GameFileError>> {
    let lines = Lines::of(text);
    let mut games = Vec::new();
    let mark = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut part = Part::default();
    for (number, (start, line)) in (1u64..).zip(lines.each(text)) {
        let skip = if start == 0 { mark } else { 0 };
        let (start, line) = (start + skip, line.get(skip..).unwrap_or_default());
        let plain = match std::str::from_utf8(line) {
            Ok(text) => text.trim().to_owned(),
            Err(_) => {
                part.not_utf8.get_or_insert(number);
                latin1(line).trim().to_owned()
            }
        };
        if plain.is_empty() {
            continue;
        }
        if part.ends_before(&plain) {
            std::mem::take(&mut part).end(file, &mut games);
            if games.len() >= MAX_GAMES {
                let place = Place { file, line: number, byte_offset: start, byte_len: text.len() - start };
                let problem = Problem::TooMany { what: "games", most: MAX_GAMES };
                games.push(Err(place.error(number, None, problem)));
                return games;
            }
        }
        part.take(FileLine { number, start, end: start + line.len(), text: plain });
    }
    part.end(file, &mut games);
    if games.is_empty() {
        let place = Place { file, line: 1, byte_offset: 0, byte_len: text.len() };
        let what = "neither a header line, as `White: …`, nor a move stands in it";
        games.push(Err(place.error(1, None, Problem::NoGame { what })));
    }
    games
}

#[derive(Debug)]
struct FileLine {
    number: u64,
    start: usize,
    end: usize,
    text: String,
}

/// The lines of one game.
#[derive(Debug, Default)]
struct Part {
    lines: Vec<FileLine>,
    /// A line of moves was among them.
    moves: bool,
    /// The result followed the moves.
    over: bool,
    /// A comment in braces is open.
    brace: bool,
    not_utf8: Option<u64>,
}

impl Part {
    /// Whether this line begins another game: a known header after moves, or moves after the result.
    fn ends_before(&self, line: &str) -> bool {
        if self.brace || !self.moves {
            return false;
        }
        match Header::of(line) {
            Some(Header { key: Some(Key::Result) | None, .. }) => false,
            Some(_) => true,
            None => self.over && matches!(next(line), Some((Word::Label(1, _) | Word::Other(_), _))),
        }
    }

    fn take(&mut self, line: FileLine) {
        let mut rest = line.text.as_str();
        if !self.brace && Header::of(rest).is_some() {
            self.lines.push(line);
            return;
        }
        loop {
            if self.brace {
                let Some((_, behind)) = rest.split_once('}') else { break };
                self.brace = false;
                rest = behind;
            }
            let Some((word, behind)) = next(rest) else { break };
            match word {
                Word::Brace => self.brace = true,
                Word::Comment => {}
                Word::Result(_) => (self.moves, self.over) = (true, true),
                _ => self.moves = true,
            }
            rest = behind;
        }
        self.lines.push(line);
    }

    /// Adds the game. Header lines without moves and result after another game become its flags.
    fn end(self, file: &str, games: &mut Vec<Result<GameFile, GameFileError>>) {
        let headers = || self.lines.iter().filter_map(|line| Some((line.number, Header::of(&line.text)?)));
        let is_game = self.moves || headers().any(|(_, header)| header.key == Some(Key::Result));
        match games.last_mut() {
            Some(before) if !is_game => {
                let Ok(before) = before else { return };
                before.flags.extend(headers().map(|(line, header)| {
                    let (word, value) = (shown(header.word), shown(header.value));
                    let what = format!("{word}: {value} has no place in the record, and no move follows it");
                    FileFlag { code: flag::PROPERTY, line, turn: None, what }
                }));
            }
            _ => games.extend(self.game(file)),
        }
    }

    fn game(self, file: &str) -> Option<Result<GameFile, GameFileError>> {
        let (first, last) = (self.lines.first()?, self.lines.last()?);
        let (byte_offset, line) = (first.start, first.number);
        let place = Place { file, line, byte_offset, byte_len: last.end - first.start };
        let headers = self.lines.iter().any(|line| Header::of(&line.text).is_some());
        if !headers && !self.moves {
            // Comments alone are not a game.
            return None;
        }
        Some(Reader { place, lines: &self.lines, not_utf8: self.not_utf8 }.game())
    }
}

struct Reader<'r> {
    place: Place<'r>,
    lines: &'r [FileLine],
    not_utf8: Option<u64>,
}

/// How the numbers count, once known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counting {
    Moves,
    /// Every move of either side is numbered.
    Plies,
}

/// What the lines of moves contain besides moves.
#[derive(Debug, Default)]
struct Body {
    counting: Option<Counting>,
    comments: Option<(u64, Option<Label>, u64)>,
    said: Option<(u64, StatedEnding)>,
    resigned: bool,
    brace: Option<u64>,
    /// A number without a move.
    bare: Option<u64>,
    cut: Option<u64>,
}

impl Body {
    fn comment(&mut self, line: u64, turn: Option<Label>) {
        self.comments.get_or_insert((line, turn, 0)).2 += 1;
    }
}

impl Reader<'_> {
    fn game(&self) -> Result<GameFile, GameFileError> {
        let mut headers: BTreeMap<Key, (u64, &str)> = BTreeMap::new();
        let mut others = Vec::new();
        let mut brace = false;
        let mut body_lines = Vec::new();
        for line in self.lines {
            match Header::of(&line.text).filter(|_| !brace) {
                Some(Header { key: Some(key), value, .. }) => {
                    let before = headers.insert(key, (line.number, value));
                    if before.is_some_and(|(_, before)| before != value) {
                        let problem = Problem::HeaderTwice { key: key.word() };
                        return Err(self.place.error(line.number, None, problem));
                    }
                }
                Some(header) => others.push((line.number, header)),
                None => {
                    body_lines.push(line);
                    brace = open_at_the_end(&line.text, brace);
                }
            }
        }
        let (started, dated, position) = self.started(&headers)?;
        let first = first_label(&body_lines, position.to_move(), started.position.is_some());
        let (odd_date, dated) = dated;
        let mut draft = Draft::new(self.place.line, started, dated, position.board().size(), first);
        if let Some(line) = self.not_utf8 {
            draft.flag(flag::NOT_UTF8, line, "the text is not UTF-8 and was read as ISO 8859-1");
        }
        if let Some((line, text)) = odd_date {
            let what =
                format!("{} is no date that a record can hold; a date is written 2000-08-21", shown(text));
            draft.flag(flag::UNREADABLE_DATE, line, what);
        }
        for (line, header) in others {
            let what = format!("{}: {} has no place in the record", shown(header.word), shown(header.value));
            draft.flag(flag::PROPERTY, line, what);
        }
        let mut body = Body::default();
        let last = body_lines.last().map_or(0, |line| line.number);
        for line in &body_lines {
            self.line(line, line.number == last, &mut draft, &mut body)
                .map_err(|problem| self.place.error(line.number, Some(draft.next()), problem))?;
        }
        self.finish(&headers, draft, body)
    }

    fn line(&self, line: &FileLine, last: bool, draft: &mut Draft, body: &mut Body) -> Result<(), Problem> {
        let number = line.number;
        let mut rest = line.text.as_str();
        loop {
            if body.brace.is_some() {
                let Some((_, behind)) = rest.split_once('}') else { return Ok(()) };
                body.brace = None;
                rest = behind;
            }
            let Some((word, behind)) = next(rest) else { return Ok(()) };
            rest = behind;
            match word {
                Word::Comment => body.comment(number, draft.last()),
                Word::Brace => {
                    body.comment(number, draft.last());
                    body.brace = Some(number);
                }
                Word::Label(label, side) => {
                    check_label((label, side), draft, body)?;
                    body.bare = Some(number);
                }
                Word::Used(seconds) => {
                    if !draft.used(seconds) {
                        return Err(Problem::Word { found: format!("{seconds}s") });
                    }
                }
                Word::Resigns(side, why) => {
                    if !why.is_empty() {
                        body.comment(number, draft.last());
                    }
                    let side = side.unwrap_or(draft.next().1);
                    body.said(number, StatedEnding::resigned(side), draft);
                    (body.bare, body.resigned) = (None, true);
                }
                Word::Retracted(reason) => {
                    let reason = (!reason.is_empty()).then(|| reason.to_owned());
                    draft.retract(number, reason)?;
                    body.bare = None;
                }
                Word::Result(text) => {
                    let text = without_comment(text, || body.comment(number, draft.last()));
                    match StatedEnding::of_list(text) {
                        Some(said) => body.said(number, said, draft),
                        None => return Err(Problem::Word { found: shown(text) }),
                    }
                    body.bare = None;
                }
                Word::Other(text) => {
                    let played = match Move::parse(text.as_bytes()) {
                        Ok(played) => played,
                        Err(_) if last && next(rest).is_none() && begins_a_word(text) => {
                            body.cut = Some(number);
                            return Ok(());
                        }
                        Err(error)
                            if text.contains('-') && text.starts_with(|c: char| c.is_ascii_alphabetic()) =>
                        {
                            return Err(error.into());
                        }
                        Err(_) => return Err(Problem::Word { found: shown(text) }),
                    };
                    if body.resigned || body.said.is_some() {
                        return Err(Problem::Word { found: shown(text) });
                    }
                    let label = draft.next();
                    draft.turn(number, label, played, Clocks::default())?;
                    body.bare = None;
                }
            }
        }
    }

    fn finish(
        &self,
        headers: &BTreeMap<Key, (u64, &str)>,
        mut draft: Draft,
        mut body: Body,
    ) -> Result<GameFile, GameFileError> {
        let end = self.lines.last().map_or(self.place.line, |line| line.number);
        if let Some((line, text)) = headers.get(&Key::Result) {
            let said = StatedEnding::of_list(text).ok_or_else(|| {
                let example = "1-0, 0-1, 1/2-1/2, void or *, and how in brackets: 1-0 (resignation)";
                let problem = Problem::Header { key: Key::Result.word(), found: shown(text), example };
                self.place.error(*line, None, problem)
            })?;
            // The header is more detailed and takes precedence.
            match body.said.take() {
                Some((at, other)) if said.ended.is_some() => {
                    if !said.agrees(&other) {
                        let what = "the result behind the moves is not that of the header, which was kept";
                        draft.flag(flag::RESULT_DISAGREES, at, what);
                    }
                    body.said = Some((*line, said));
                }
                Some(other) => body.said = Some(other),
                None => body.said = Some((*line, said)),
            }
        }
        if let Some(line) = body.brace {
            draft.flag(flag::CUT_SHORT, line, "the file ends within a comment that is never closed");
        } else if let Some(line) = body.cut {
            draft.flag(flag::CUT_SHORT, line, "the file ends within a move, which is left out");
        } else if let Some(line) = body.bare.filter(|_| body.said.is_none()) {
            draft.flag(flag::CUT_SHORT, line, "the file ends behind the number of a move");
        }
        if let Some((line, turn, count)) = body.comments {
            let what =
                format!("{count} {} left out", if count == 1 { "comment was" } else { "comments were" });
            draft.flags.push(FileFlag { code: flag::COMMENTS, line, turn, what });
        }
        Ok(draft.finish(&self.place, body.said, end))
    }

    #[allow(clippy::type_complexity)]
    fn started<'h>(
        &self,
        headers: &BTreeMap<Key, (u64, &'h str)>,
    ) -> Result<(Started<'static>, (Option<(u64, &'h str)>, Option<dates::Dated>), Position), GameFileError>
    {
        let get = |key: Key| headers.get(&key).copied().filter(|(_, value)| !value.is_empty());
        let wrong = |key: Key, (line, value): (u64, &str), example: &'static str| {
            self.place.error(line, None, Problem::Header { key: key.word(), found: shown(value), example })
        };
        let stated_size = match get(Key::Board) {
            None => None,
            Some((line, text)) => {
                let size = board_size(text).map_err(|problem| self.place.error(line, None, problem))?;
                Some((line, size))
            }
        };
        let (position, stated) = match get(Key::Position) {
            Some((line, text)) => {
                let position = text
                    .parse::<Position>()
                    .map_err(|problem| self.place.error(line, None, problem.into()))?;
                let found = position.board().size();
                if let Some((at, stated)) = stated_size.filter(|(_, stated)| *stated != found) {
                    return Err(self.place.error(at, None, Problem::OtherSize { found, stated }));
                }
                (position, true)
            }
            None => {
                if let Some((line, size)) = stated_size.filter(|(_, size)| *size != Size::STANDARD) {
                    let todo = "state it, as in `Position: w [.B../..../..../W...]`";
                    return Err(self.place.error(line, None, Problem::NoStart { size, todo }));
                }
                (Position::start(), false)
            }
        };
        let position_text = if stated { Some(position.to_string().into()) } else { None };
        let mut started = Started::plain(GameKind::Amazons, position_text);
        let player = |name: Key, rating: Key| -> Result<PlayerAtStart<'static>, GameFileError> {
            let rating = match get(rating) {
                None => None,
                Some(found) => {
                    Some(found.1.parse::<i32>().map_err(|_| wrong(rating, found, "a whole number"))?)
                }
            };
            let name = get(name).map(|(_, name)| name.to_owned()).unwrap_or_default().into();
            Ok(PlayerAtStart { name, rating, ..PlayerAtStart::default() })
        };
        started.gold = player(Key::White, Key::WhiteRating)?;
        started.silver = player(Key::Black, Key::BlackRating)?;
        let text = |key| get(key).map(|(_, text)| text.to_owned().into());
        (started.event, started.site, started.time_control) =
            (text(Key::Event), text(Key::Site), text(Key::Time));
        started.rated = match get(Key::Rated) {
            None => false,
            Some((_, "yes")) => true,
            Some((_, "no")) => false,
            Some(found) => return Err(wrong(Key::Rated, found, "yes or no")),
        };
        let dated = get(Key::Date).map(|found| (found, dates::read(found.1)));
        let dated = match dated {
            None => (None, None),
            Some((found, None)) => (Some(found), None),
            Some((_, dated)) => (None, dated),
        };
        Ok((started, dated, position))
    }
}

impl Body {
    fn said(&mut self, line: u64, said: StatedEnding, draft: &mut Draft) {
        match &self.said {
            // `resigns` and the result that follows from it.
            Some((_, before)) if before.agrees(&said) => {
                let says_more =
                    |said: &StatedEnding| said.ended.as_ref().is_some_and(|end| end.termination.is_some());
                if !says_more(before) && says_more(&said) {
                    self.said = Some((line, said));
                }
            }
            Some(_) => {
                let what = "another result stands here than before; the first was kept";
                draft.flag(flag::RESULT_DISAGREES, line, what);
            }
            None => self.said = Some((line, said)),
        }
    }
}

/// The first move's label: as the list has it after a stated position, else 1.
fn first_label(body: &[&FileLine], to_move: Side, stated: bool) -> Label {
    let mut brace = false;
    for line in body.iter().filter(|_| stated) {
        if !brace && let Some((Word::Label(number, _), _)) = next(&line.text) {
            return (number.max(1), to_move);
        }
        brace = open_at_the_end(&line.text, brace);
    }
    (1, to_move)
}

/// Compares a move's number with the next label.
fn check_label((number, side): (u32, Option<Side>), draft: &Draft, body: &mut Body) -> Result<(), Problem> {
    let (due, to_move) = draft.next();
    let ply = u32::try_from(draft.standing() + 1).unwrap_or(u32::MAX);
    let side_fits = side.is_none_or(|side| side == to_move);
    let (by_moves, by_plies) = (number == due && side_fits, number == ply && side.is_none());
    let fits = match body.counting {
        Some(Counting::Moves) => by_moves,
        Some(Counting::Plies) => by_plies,
        // Black's first move shows which.
        None => by_moves || (by_plies && draft.standing() == 1),
    };
    if !fits {
        let letter =
            |side: Option<Side>| side.map_or_else(String::new, |side| format!(" of {}", colour(side)));
        return Err(Problem::MoveNumber {
            found: format!("{number}{}", letter(side)),
            expected: format!("{due}{}", letter(Some(to_move))),
        });
    }
    if by_moves != by_plies {
        body.counting = Some(if by_moves { Counting::Moves } else { Counting::Plies });
    }
    Ok(())
}

fn board_size(text: &str) -> Result<Size, Problem> {
    let wrong = || Problem::Size { found: shown(text), example: "Board: 10x10" };
    let (files, ranks) = text.split_once(['x', 'X', '\u{d7}']).ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    Ok(Size::new(number(files)?, number(ranks)?)?)
}
