//! SGF into games: the line that was played, moves that were taken back among them, and what else the file says as flags.
//!
//! A variation whose first node is named `retracted` (`N[retracted]`) is a move that was made and taken back; the comment of
//! that node is the reason. So our own files keep a retraction, and other programs show it as a variation.

use std::collections::BTreeMap;

use annals_events::{GameKind, PlayerAtStart, Side, Started};
use annals_rules::amazons::{Board, Content, Move, Position, Size, Square};

use super::super::dates::{self, Dated};
use super::super::draft::{Clocks, Draft, Label, Place};
use super::super::ending::StatedEnding;
use super::super::error::{Problem, colour, shown};
use super::super::flag::{self, FileFlag};
use super::super::lines::{Lines, latin1};
use super::super::time;
use super::super::{GameFile, GameFileError};
use super::points::{is_like_a_move, read_move, read_points};
use super::tree::{Found, Property, Tree, trees};

/// The name of the node of a move that was taken back.
pub(super) const RETRACTED: &str = "retracted";

/// Reads all games of a text.
pub(in super::super) fn read(file: &str, text: &[u8]) -> Vec<Result<GameFile, GameFileError>> {
    let lines = Lines::of(text);
    let Found { trees, outside, rest } = trees(text);
    let mut games: Vec<_> = trees.iter().map(|tree| Reader::new(file, text, &lines, tree).game()).collect();
    if let Some((at, what, most)) = rest {
        let line = lines.line(at);
        let place = Place { file, line, byte_offset: at, byte_len: text.len() - at };
        games.push(Err(place.error(line, None, Problem::TooMany { what, most })));
    }
    if games.is_empty() {
        let place = Place { file, line: 1, byte_offset: 0, byte_len: text.len() };
        let what = "SGF begins a game with `(;`, and that stands nowhere";
        games.push(Err(place.error(1, None, Problem::NoGame { what })));
    }
    if let (Some((at, signs)), Some(Ok(first))) = (outside, games.iter_mut().find(|game| game.is_ok())) {
        let what = format!("{signs} signs outside of every game were left out");
        first.flags.push(FileFlag { code: flag::STRAY_TEXT, line: lines.line(at), turn: None, what });
    }
    games
}

/// In which encoding text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Charset {
    Unstated,
    Utf8,
    Latin1,
    Other,
}

/// Something that happened on the line of play.
#[derive(Debug)]
enum Item {
    Turn { side: Side, played: Move, label: Label, clocks: Clocks },
    Retract(Option<String>),
}

/// What is kept of a property that no event has a place for.
#[derive(Debug)]
struct Kept {
    line: u64,
    turn: Option<Label>,
    value: String,
    count: u64,
}

struct Reader<'r> {
    text: &'r [u8],
    lines: &'r Lines,
    tree: &'r Tree,
    place: Place<'r>,
    charset: Charset,
    size: Size,
    items: Vec<(u64, Item)>,
    /// The moves that stand, with both clocks after each.
    standing: Vec<(Label, [Option<i64>; 2])>,
    first_number: Option<u32>,
    setup: Option<BTreeMap<Square, Content>>,
    to_move: Option<Side>,
    info: BTreeMap<&'static str, String>,
    info_lines: BTreeMap<&'static str, u64>,
    resigned: Option<(u64, Side)>,
    /// Whether a move stands behind the resignation.
    moves_on: bool,
    kept: BTreeMap<String, Kept>,
    comments: Kept,
    variations: Kept,
    flags: Vec<FileFlag>,
    /// Seconds that each side has for all its moves, where it has nothing else.
    fixed: Option<u32>,
}

/// Properties that say something of the whole game and have a place in its events.
const INFO: [&str; 10] = ["PW", "PB", "WR", "BR", "DT", "EV", "PC", "TM", "OT", "RE"];
/// Properties that say nothing beyond what is known: of the file, or of how it is to be shown.
const SILENT: [&str; 7] = ["FF", "GM", "SZ", "CA", "AP", "ST", "KO"];

/// What a walk of the tree has still to do.
enum Task {
    Enter(usize),
    Leave { standing: usize, line: u64, reason: Option<String> },
}

impl<'r> Reader<'r> {
    fn new(file: &'r str, text: &'r [u8], lines: &'r Lines, tree: &'r Tree) -> Reader<'r> {
        let line = lines.line(tree.bytes.start);
        let none = || Kept { line, turn: None, value: String::new(), count: 0 };
        Reader {
            text,
            lines,
            tree,
            place: Place { file, line, byte_offset: tree.bytes.start, byte_len: tree.bytes.len() },
            charset: Charset::Unstated,
            size: Size::USUAL,
            items: Vec::new(),
            standing: Vec::new(),
            first_number: None,
            setup: None,
            to_move: None,
            info: BTreeMap::new(),
            info_lines: BTreeMap::new(),
            resigned: None,
            moves_on: false,
            kept: BTreeMap::new(),
            comments: none(),
            variations: none(),
            flags: Vec::new(),
            fixed: None,
        }
    }

    fn game(mut self) -> Result<GameFile, GameFileError> {
        self.charset = match self.root("CA").map(|(_, name)| name.trim().to_ascii_lowercase()).as_deref() {
            None | Some("") => Charset::Unstated,
            Some("utf-8" | "utf8" | "ascii" | "us-ascii") => Charset::Utf8,
            Some("iso-8859-1" | "latin1" | "latin-1") => Charset::Latin1,
            Some(other) => {
                let what = format!("the encoding {} is not read; names may be garbled", shown(other));
                self.flag(flag::OTHER_CHARSET, self.place.line, what);
                Charset::Other
            }
        };
        self.which_game()?;
        if let Some((at, text)) = self.root("SZ") {
            self.size = size(&text).map_err(|problem| self.error(at, problem))?;
        }
        let overtime = self.root("OT").filter(|(_, text)| !text.trim().is_empty());
        self.fixed = match (self.root("TM"), overtime) {
            (Some((_, text)), None) => {
                time::seconds(&text).and_then(|seconds| u32::try_from(seconds).ok()).filter(|time| *time > 0)
            }
            _ => None,
        };
        self.walk()?;
        let started = self.started()?;
        self.build(started)
    }

    fn error(&self, at: usize, problem: Problem) -> GameFileError {
        self.place.error(self.lines.line(at), self.last(), problem)
    }

    fn flag(&mut self, code: &'static str, line: u64, what: impl Into<String>) {
        self.flags.push(FileFlag { code, line, turn: self.last(), what: what.into() });
    }

    fn last(&self) -> Option<Label> {
        self.standing.last().map(|(label, _)| *label)
    }

    /// The values of a property as text.
    fn values(&self, property: &Property) -> Vec<String> {
        let values = self.tree.values.get(property.values.clone()).unwrap_or_default();
        values.iter().map(|value| self.decoded(value.clone())).collect()
    }

    /// A value as text: escapes taken away, and every kind of white space one space or one line end.
    fn decoded(&self, value: std::ops::Range<usize>) -> String {
        let bytes = self.text.get(value).unwrap_or_default();
        let text = match (self.charset, std::str::from_utf8(bytes)) {
            (Charset::Unstated | Charset::Utf8 | Charset::Other, Ok(text)) => text.to_owned(),
            (Charset::Unstated | Charset::Latin1, _) => latin1(bytes),
            (Charset::Utf8 | Charset::Other, Err(_)) => String::from_utf8_lossy(bytes).into_owned(),
        };
        let mut out = String::with_capacity(text.len());
        let mut signs = text.chars().peekable();
        while let Some(sign) = signs.next() {
            let (sign, escaped) = match sign {
                '\\' => match signs.next() {
                    Some(sign) => (sign, true),
                    None => break,
                },
                sign => (sign, false),
            };
            if sign == '\n' || sign == '\r' {
                let pair = if sign == '\n' { '\r' } else { '\n' };
                signs.next_if_eq(&pair);
                if !escaped {
                    out.push('\n');
                }
            } else if sign.is_control() {
                out.push(' ');
            } else {
                out.push(sign);
            }
        }
        out
    }

    /// The first value of a property of the root, and where it stands.
    fn root(&self, name: &str) -> Option<(usize, String)> {
        let root = self.tree.nodes.first()?;
        let properties = self.tree.properties.get(root.properties.clone())?;
        let property = properties.iter().find(|property| property.name == name)?;
        Some((property.at, self.values(property).into_iter().next().unwrap_or_default()))
    }

    fn which_game(&mut self) -> Result<(), GameFileError> {
        let (at, stated) = match self.root("GM") {
            Some((at, text)) => (at, text.trim().to_owned()),
            None => {
                let moves = self.tree.properties.iter().find(|found| found.name == "W" || found.name == "B");
                if moves.is_some_and(|found| self.values(found).iter().any(|value| is_like_a_move(value))) {
                    let what = "GM is missing, which in SGF means Go, but the moves are those of the Amazons";
                    self.flag(flag::GAME_UNSTATED, self.place.line, what);
                    return Ok(());
                }
                (self.place.byte_offset, "1".to_owned())
            }
        };
        if stated == "18" || stated.eq_ignore_ascii_case("amazons") {
            return Ok(());
        }
        let name = name_of_game(&stated).to_owned();
        let stated = if self.root("GM").is_some() {
            format!("GM[{}]", shown(&stated))
        } else {
            "GM is missing, which means GM[1]".to_owned()
        };
        Err(self.error(at, Problem::OtherGame { stated, name }))
    }

    /// Walks the line of play, and what was taken back before it.
    fn walk(&mut self) -> Result<(), GameFileError> {
        let tree = self.tree;
        let mut tasks = vec![Task::Enter(0)];
        while let Some(task) = tasks.pop() {
            let index = match task {
                Task::Enter(index) => index,
                Task::Leave { standing, line, reason } => {
                    while self.standing.len() > standing {
                        self.standing.pop();
                        self.items.push((line, Item::Retract(reason.clone())));
                    }
                    continue;
                }
            };
            let Some(node) = tree.nodes.get(index) else { continue };
            let standing = self.standing.len();
            let reason = self.node(index)?;
            let line = self.lines.line(node.at);
            if index > 0
                && let Some(reason) = reason
            {
                tasks.push(Task::Leave { standing, line, reason });
            }
            let (mut played, mut taken_back) = (None, Vec::new());
            for child in &node.children {
                if self.retracted(*child).is_some() {
                    taken_back.push(*child);
                } else if played.is_none() {
                    played = Some(*child);
                } else {
                    let at = tree.nodes.get(*child).map_or(0, |child| child.at);
                    self.variations.note(
                        self.lines.line(at),
                        self.standing.last().map(|(label, _)| *label),
                        "",
                    );
                }
            }
            tasks.extend(played.map(Task::Enter));
            tasks.extend(taken_back.into_iter().rev().map(Task::Enter));
        }
        Ok(())
    }

    /// Whether the move of a node was taken back, and why.
    fn retracted(&self, index: usize) -> Option<Option<String>> {
        let node = self.tree.nodes.get(index)?;
        let properties = self.tree.properties.get(node.properties.clone())?;
        let first = |name: &str| {
            let property = properties.iter().find(|property| property.name == name)?;
            self.values(property).into_iter().next()
        };
        let moves = properties.iter().any(|property| property.name == "W" || property.name == "B");
        (moves && first("N").is_some_and(|name| name.trim() == RETRACTED)).then(|| first("C"))
    }

    /// Reads one node. Where its move was taken back, gives the reason.
    fn node(&mut self, index: usize) -> Result<Option<Option<String>>, GameFileError> {
        let tree = self.tree;
        let retracted = self.retracted(index);
        let Some(node) = tree.nodes.get(index) else { return Ok(None) };
        let properties = tree.properties.get(node.properties.clone()).unwrap_or_default();
        // What is set up in a node stands before the move in it.
        for property in
            properties.iter().filter(|p| matches!(p.name.as_str(), "AW" | "AB" | "AA" | "AE" | "PL"))
        {
            self.set_up(property)?;
        }
        let (mut moves, mut number, mut left) = (Vec::new(), None, [None; 2]);
        for property in properties {
            match property.name.as_str() {
                "W" | "B" => {
                    let side = if property.name == "W" { Side::Gold } else { Side::Silver };
                    moves.extend(self.values(property).into_iter().map(|value| (property.at, side, value)));
                }
                "MN" => number = self.first_value(property).trim().parse::<u32>().ok(),
                "WL" => left[0] = time::seconds(&self.first_value(property)),
                "BL" => left[1] = time::seconds(&self.first_value(property)),
                _ => {}
            }
        }
        if moves.len() > 1 {
            return Err(self.error(node.at, Problem::MovesInOneNode { found: moves.len() }));
        }
        if let Some((at, side, value)) = moves.pop() {
            self.played(at, side, &value, number, left)?;
        }
        // The rest is said of the move.
        for property in properties {
            let line = self.lines.line(property.at);
            match property.name.as_str() {
                "W" | "B" | "MN" | "AW" | "AB" | "AA" | "AE" | "PL" => {}
                "N" | "C" if retracted.is_some() => {}
                "WL" | "BL" => {
                    let text = self.first_value(property);
                    if time::seconds(&text).is_none() {
                        let what = format!("{}[{}] is no number of seconds", property.name, shown(&text));
                        self.flag(flag::UNREADABLE_TIME, line, what);
                    }
                }
                "C" | "GC" => {
                    let turn = self.last();
                    self.comments.note(line, turn, "");
                }
                name => self.other(name, property),
            }
        }
        Ok(retracted)
    }

    fn first_value(&self, property: &Property) -> String {
        self.values(property).into_iter().next().unwrap_or_default()
    }

    fn played(
        &mut self,
        at: usize,
        side: Side,
        value: &str,
        number: Option<u32>,
        left: [Option<i64>; 2],
    ) -> Result<(), GameFileError> {
        let line = self.lines.line(at);
        if matches!(value.trim().to_ascii_lowercase().as_str(), "resign" | "resigns") {
            self.resigned = Some((line, side));
            return Ok(());
        }
        if let Some((_, gave_up)) = self.resigned
            && !self.moves_on
        {
            self.moves_on = true;
            let what = format!("moves stand behind the resignation of {}; they were kept", colour(gave_up));
            self.flag(flag::RESULT_DISAGREES, line, what);
        }
        let label = match self.last() {
            Some((number, Side::Silver)) => (number.saturating_add(1), side),
            Some((number, Side::Gold)) => (number.saturating_add(u32::from(side == Side::Gold)), side),
            None => {
                // SGF counts the moves of both sides together.
                let first =
                    self.first_number.unwrap_or_else(|| number.map_or(1, |number| number.div_ceil(2)));
                self.first_number = Some(first);
                (first, side)
            }
        };
        let played =
            read_move(value, self.size).map_err(|problem| self.place.error(line, Some(label), problem))?;
        let before = match self.standing.last() {
            Some((_, left)) => *left,
            None => [self.fixed.map(i64::from); 2],
        };
        let index = side.index();
        let used = match (self.fixed, before[index], left[index]) {
            (Some(_), Some(before), Some(after)) => u32::try_from(before - after).ok(),
            _ => None,
        };
        let after = [left[0].or(before[0]), left[1].or(before[1])];
        self.standing.push((label, after));
        let clocks = Clocks { used, reserves: left };
        self.items.push((line, Item::Turn { side, played, label, clocks }));
        Ok(())
    }

    fn set_up(&mut self, property: &Property) -> Result<(), GameFileError> {
        if property.name == "PL" {
            let text = self.first_value(property).trim().to_ascii_lowercase();
            let side = match text.as_str() {
                "w" | "white" => Some(Side::Gold),
                "b" | "black" => Some(Side::Silver),
                _ => None,
            };
            match (side, self.last()) {
                (Some(side), None) => self.to_move = Some(side),
                // It says what follows anyway.
                (Some(side), Some((_, last))) if side != last => {}
                _ => self.other("PL", property),
            }
            return Ok(());
        }
        if !self.items.is_empty() {
            let property_name = property.name.clone();
            return Err(self.error(property.at, Problem::LateSetup { property: property_name }));
        }
        let content = match property.name.as_str() {
            "AW" => Some(Content::Queen(Side::Gold)),
            "AB" => Some(Content::Queen(Side::Silver)),
            "AA" => Some(Content::Block),
            _ => None,
        };
        for value in self.values(property) {
            let squares =
                read_points(&value, self.size).map_err(|problem| self.error(property.at, problem))?;
            let mut twice = None;
            let setup = self.setup.get_or_insert_with(BTreeMap::new);
            for square in squares {
                let before = match content {
                    Some(content) => setup.insert(square, content),
                    None => setup.remove(&square).and(None),
                };
                if before.is_some_and(|before| Some(before) != content) {
                    twice.get_or_insert(square);
                }
            }
            if let Some(square) = twice {
                let what = format!("{square} is set up twice, and as two things; {} was kept", property.name);
                self.flag(flag::TWICE, self.lines.line(property.at), what);
            }
        }
        Ok(())
    }

    /// A property that is neither move nor set-up.
    fn other(&mut self, name: &str, property: &Property) {
        let line = self.lines.line(property.at);
        let value = self.values(property).join(" ");
        if SILENT.contains(&name) {
            return;
        }
        if let Some(name) = INFO.into_iter().find(|known| *known == name) {
            let value = value.replace('\n', " ").trim().to_owned();
            if value.contains('\u{fffd}') {
                self.flag(
                    flag::NOT_UTF8,
                    line,
                    format!("{name} is not in the encoding that the file states"),
                );
            }
            match self.info.get(name) {
                None => {
                    self.info.insert(name, value);
                    self.info_lines.insert(name, line);
                }
                Some(first) if *first == value => {}
                Some(first) => {
                    let what =
                        format!("{name} says `{}` and `{}`; the first was kept", shown(first), shown(&value));
                    self.flag(flag::TWICE, line, what);
                }
            }
            return;
        }
        let turn = self.last();
        let kept = self.kept.entry(name.to_owned());
        kept.or_insert_with(|| Kept { line, turn, value: String::new(), count: 0 }).note(line, turn, &value);
    }

    fn started(&mut self) -> Result<(Started<'static>, Option<Dated>, Label), GameFileError> {
        let first = self.items.iter().find_map(|(_, item)| match item {
            Item::Turn { side, played, label, .. } => Some((*side, *played, *label)),
            Item::Retract(_) => None,
        });
        let to_move = self.to_move.or(first.map(|(side, ..)| side)).unwrap_or(Side::Gold);
        let board = match &self.setup {
            Some(setup) => {
                let of = |wanted: Content| -> Vec<Square> {
                    setup
                        .iter()
                        .filter(|(_, content)| **content == wanted)
                        .map(|(square, _)| *square)
                        .collect()
                };
                let queens = Side::BOTH.map(|side| of(Content::Queen(side)));
                let built = Board::new(self.size, [&queens[0], &queens[1]], &of(Content::Block));
                built.map_err(|problem| self.error(self.place.byte_offset, problem.into()))?
            }
            None if self.size == Size::USUAL => {
                // Nothing is set up: SGF has White at the top, and the organisers have White at the bottom.
                let of_sgf = turned(Board::start());
                let fits = |board: &Board| {
                    first.is_none_or(|(side, played, _)| board.at(played.from) == Some(Content::Queen(side)))
                };
                if !fits(&of_sgf) && fits(&Board::start()) {
                    let what = "nothing is set up, and the moves start from White's queens at the bottom of the board, \
                                not at the top as in SGF";
                    self.flags.push(FileFlag {
                        code: flag::USUAL_START,
                        line: self.place.line,
                        turn: None,
                        what: what.to_owned(),
                    });
                    Board::start()
                } else {
                    of_sgf
                }
            }
            None => {
                let todo = "set them up with AW and AB";
                let problem = Problem::NoStart { size: self.size, todo };
                return Err(self.place.error(self.place.line, None, problem));
            }
        };
        let position = Position::new(board, to_move);
        let label = first.map_or((1, to_move), |(.., label)| label);
        let usual = position == Position::start() && label.0 == 1;
        let position = if usual { None } else { Some(position.to_string().into()) };
        let mut started = Started::plain(GameKind::Amazons, position);
        started.gold = self.player("PW", "WR");
        started.silver = self.player("PB", "BR");
        started.event = self.take("EV").map(Into::into);
        started.site = self.take("PC").map(Into::into);
        started.time_control = self.time_control().map(Into::into);
        let dated = self.take("DT").and_then(|text| {
            let dated = dates::read(&text);
            if dated.is_none() {
                let line = self.info_lines.get("DT").copied().unwrap_or(self.place.line);
                let what = format!(
                    "{} is no date that a record can hold; a date is written 2000-08-21",
                    shown(&text)
                );
                self.flags.push(FileFlag { code: flag::UNREADABLE_DATE, line, turn: None, what });
            }
            dated
        });
        Ok((started, dated, label))
    }

    fn take(&self, name: &str) -> Option<String> {
        self.info.get(name).filter(|value| !value.is_empty()).cloned()
    }

    fn player(&mut self, name: &str, rank: &str) -> PlayerAtStart<'static> {
        let rating = self.take(rank).and_then(|text| {
            let rating = text.parse::<i32>().ok();
            if rating.is_none() {
                let line = self.info_lines.get(rank).copied().unwrap_or(self.place.line);
                let what = format!("{rank}[{}] is kept here; it is no rating", shown(&text));
                self.flags.push(FileFlag { code: flag::PROPERTY, line, turn: None, what });
            }
            rating
        });
        PlayerAtStart { name: self.take(name).unwrap_or_default().into(), rating, ..PlayerAtStart::default() }
    }

    fn time_control(&mut self) -> Option<String> {
        let (limit, overtime) = (self.take("TM"), self.take("OT"));
        match (limit, overtime) {
            (None, None) => None,
            (Some(_), None) if self.fixed.is_some() => self.fixed.map(time::fixed),
            (limit, Some(words)) if words.parse::<annals_rules::clock::TimeControl>().is_ok() => {
                if let Some(limit) = limit {
                    let line = self.info_lines.get("TM").copied().unwrap_or(self.place.line);
                    let what = format!(
                        "TM[{}] has no place in the record beside OT[{}], which is a whole time control",
                        shown(&limit),
                        shown(&words)
                    );
                    self.flags.push(FileFlag { code: flag::PROPERTY, line, turn: None, what });
                }
                Some(words)
            }
            (limit, overtime) => {
                let words = [limit, overtime].into_iter().flatten().collect::<Vec<_>>().join(" + ");
                let line = self.info_lines.get("TM").or(self.info_lines.get("OT")).copied();
                let line = line.unwrap_or(self.place.line);
                let what = format!("the time limit `{}` is none that we know", shown(&words));
                self.flags.push(FileFlag { code: flag::UNREADABLE_TIME, line, turn: None, what });
                Some(words)
            }
        }
    }

    fn build(
        mut self,
        (started, dated, first): (Started<'static>, Option<Dated>, Label),
    ) -> Result<GameFile, GameFileError> {
        let mut draft = Draft::new(self.place.line, started, dated, self.size, first);
        for (line, item) in std::mem::take(&mut self.items) {
            let (label, done) = match item {
                Item::Turn { played, label, clocks, .. } => {
                    (Some(label), draft.turn(line, label, played, clocks))
                }
                Item::Retract(reason) => (draft.last(), draft.retract(line, reason)),
            };
            done.map_err(|problem| self.place.error(line, label, problem))?;
        }
        let end = self.lines.line(self.tree.bytes.end.saturating_sub(1));
        draft.flags = std::mem::take(&mut self.flags);
        if let Some(cut) = self.tree.cut {
            let what = "the file ends within the game, and what was begun there is left out";
            draft.flag(flag::CUT_SHORT, self.lines.line(cut), what);
        }
        if let Some((at, signs)) = self.tree.stray {
            let what = format!("{signs} signs between the properties mean nothing and were left out");
            draft.flags.push(FileFlag {
                code: flag::STRAY_TEXT,
                line: self.lines.line(at),
                turn: None,
                what,
            });
        }
        for (code, kept, one, many) in [
            (flag::VARIATIONS, &self.variations, "variation was", "variations were"),
            (flag::COMMENTS, &self.comments, "comment was", "comments were"),
        ] {
            if kept.count > 0 {
                let what = format!("{} {} left out", kept.count, if kept.count == 1 { one } else { many });
                draft.flags.push(FileFlag { code, line: kept.line, turn: kept.turn, what });
            }
        }
        for (name, kept) in &self.kept {
            let times = if kept.count == 1 { String::new() } else { format!(", {} times", kept.count) };
            let what = format!("{name}[{}]{times} has no place in the record", shown(&kept.value));
            draft.flags.push(FileFlag { code: flag::PROPERTY, line: kept.line, turn: kept.turn, what });
        }
        let result_line = self.info_lines.get("RE").copied();
        let stated =
            self.info.get("RE").map(|text| StatedEnding::of_sgf(text)).filter(|said| said.ended.is_some());
        let said = match (stated, self.resigned) {
            (Some(stated), resigned) => {
                let line = result_line.unwrap_or(self.place.line);
                if let Some((at, side)) = resigned
                    && !stated.agrees(&StatedEnding::resigned(side))
                {
                    let what = "a side resigns, and RE states another result; RE was kept";
                    draft.flag(flag::RESULT_DISAGREES, at, what);
                }
                Some((line, stated))
            }
            (None, Some((line, side))) => Some((line, StatedEnding::resigned(side))),
            (None, None) => None,
        };
        Ok(draft.finish(&self.place, said, end))
    }
}

impl Kept {
    fn note(&mut self, line: u64, turn: Option<Label>, value: &str) {
        // What was left out first in the file, whichever line of play was walked first.
        if self.count == 0 || line < self.line {
            (self.line, self.turn) = (line, turn);
            self.value = value.replace('\n', " ");
        }
        self.count += 1;
    }
}

/// The board with the two sides changed.
fn turned(board: Board) -> Board {
    let size = board.size();
    let [white, black] = Side::BOTH.map(|side| size.squares(board.queens(side)).collect::<Vec<_>>());
    // The same squares, so nothing is off the board or taken twice.
    Board::new(size, [&black, &white], &[]).unwrap_or(board)
}

fn size(text: &str) -> Result<Size, Problem> {
    let example = "SZ[10], or SZ[10:8] for columns and rows";
    let wrong = || Problem::Size { found: shown(text), example };
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (files, ranks) = text.split_once(':').unwrap_or((text, text));
    Ok(Size::new(number(files)?, number(ranks)?)?)
}

/// The name of a game by its number in SGF.
fn name_of_game(number: &str) -> &'static str {
    const NAMES: [&str; 40] = [
        "Go",
        "Othello",
        "chess",
        "Gomoku or Renju",
        "Nine Men's Morris",
        "Backgammon",
        "Chinese chess",
        "Shogi",
        "Lines of Action",
        "Ataxx",
        "Hex",
        "Jungle",
        "Neutron",
        "Philosopher's Football",
        "Quadrature",
        "Trax",
        "Tantrix",
        "Amazons",
        "Octi",
        "Gess",
        "Twixt",
        "Zertz",
        "Plateau",
        "Yinsh",
        "Punct",
        "Gobblet",
        "Hive",
        "Exxit",
        "Hnefatafl",
        "Kuba",
        "Tripples",
        "Chase",
        "Tumbling Down",
        "Sahara",
        "Byte",
        "Focus",
        "Dvonn",
        "Tamsk",
        "Gipf",
        "Kropki",
    ];
    let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    index.and_then(|index| NAMES.get(index)).copied().unwrap_or("another game")
}
