//! Reads SGF: the line of play with retracted moves; the rest becomes flags. A variation whose first node is
//! `N[retracted]` is a retracted move, with the reason as comment: Annals writes retractions so, and other programs
//! show a variation.

mod build;
mod properties;
mod start;

use std::collections::BTreeMap;

use annals_events::Side;
use annals_rules::amazons::{Content, Move, Size, Square};

use super::super::draft::{Clocks, Label, Place};
use super::super::error::{Problem, colour, shown};
use super::super::flag::{self, FileFlag};
use super::super::lines::{Lines, latin1};
use super::super::time;
use super::super::{GameFile, GameFileError};
use super::names::name_of_game;
use super::points::{is_like_a_move, read_move};
use super::tree::{Found, Property, Tree, trees};

/// The node name of a retracted move.
pub(super) const RETRACTED: &str = "retracted";

pub(crate) fn read(file: &str, text: &[u8]) -> Vec<Result<GameFile, GameFileError>> {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Charset {
    Unstated,
    Utf8,
    Latin1,
    Other,
}

/// An item on the line of play.
#[derive(Debug)]
enum Item {
    Turn { side: Side, played: Move, label: Label, clocks: Clocks },
    Retract(Option<String>),
}

/// A property without an event.
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
    /// Moves in force with both clocks after each.
    standing: Vec<(Label, [Option<i64>; 2])>,
    first_number: Option<u32>,
    setup: Option<BTreeMap<Square, Content>>,
    to_move: Option<Side>,
    info: BTreeMap<&'static str, String>,
    info_lines: BTreeMap<&'static str, u64>,
    resigned: Option<(u64, Side)>,
    /// A move follows the resignation.
    moves_on: bool,
    kept: BTreeMap<String, Kept>,
    comments: Kept,
    variations: Kept,
    flags: Vec<FileFlag>,
    /// Seconds per side for all moves, without other time.
    fixed: Option<u32>,
}

/// Remaining work of the tree walk.
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
            size: Size::STANDARD,
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

    fn values(&self, property: &Property) -> Vec<String> {
        let values = self.tree.values.get(property.values.clone()).unwrap_or_default();
        values.iter().map(|value| self.decoded(value.clone())).collect()
    }

    /// Without escapes; white space becomes single spaces and line ends.
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

    /// The first value of a root property, with its offset.
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

    /// Walks the line of play with retractions.
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

    /// Whether a node's move was retracted, and the reason.
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

    /// Reads one node; for a retracted move returns the reason.
    fn node(&mut self, index: usize) -> Result<Option<Option<String>>, GameFileError> {
        let tree = self.tree;
        let retracted = self.retracted(index);
        let Some(node) = tree.nodes.get(index) else { return Ok(None) };
        let properties = tree.properties.get(node.properties.clone()).unwrap_or_default();
        // A node's set-up precedes its move.
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
                "MN" => number = self.first_value(property).trim().parse::<u64>().ok().and_then(turn_number),
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
        // The rest concerns the move.
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
                let first = self.first_number.or(number).unwrap_or(1);
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
}

impl Kept {
    fn note(&mut self, line: u64, turn: Option<Label>, value: &str) {
        // The first omitted item in file order, whatever line was walked first.
        if self.count == 0 || line < self.line {
            (self.line, self.turn) = (line, turn);
            self.value = value.replace('\n', " ");
        }
        self.count += 1;
    }
}

/// SGF counts moves of both sides, from 1.
fn turn_number(moves: u64) -> Option<u32> {
    u32::try_from(moves.div_ceil(2)).ok().filter(|number| *number > 0)
}

fn size(text: &str) -> Result<Size, Problem> {
    let example = "SZ[10], or SZ[10:8] for columns and rows";
    let wrong = || Problem::Size { found: shown(text), example };
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (files, ranks) = text.split_once(':').unwrap_or((text, text));
    Ok(Size::new(number(files)?, number(ranks)?)?)
}
