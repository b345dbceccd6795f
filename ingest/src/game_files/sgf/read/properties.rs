//! SGF properties other than moves.

use std::collections::BTreeMap;

use annals_events::Side;
use annals_rules::amazons::Content;

use super::super::super::GameFileError;
use super::super::super::error::{Problem, shown};
use super::super::super::flag;
use super::super::points::read_points;
use super::super::tree::Property;
use super::{Kept, Reader};

/// Properties of the whole game with an event.
const INFO: [&str; 10] = ["PW", "PB", "WR", "BR", "DT", "EV", "PC", "TM", "OT", "RE"];
/// Properties that add nothing: of the file, or of its display.
const SILENT: [&str; 7] = ["FF", "GM", "SZ", "CA", "AP", "ST", "KO"];

impl Reader<'_> {
    pub(super) fn set_up(&mut self, property: &Property) -> Result<(), GameFileError> {
        if property.name == "PL" {
            let text = self.first_value(property).trim().to_ascii_lowercase();
            let side = match text.as_str() {
                "w" | "white" => Some(Side::Gold),
                "b" | "black" => Some(Side::Silver),
                _ => None,
            };
            match (side, self.last()) {
                (Some(side), None) => self.to_move = Some(side),
                // It states what follows anyway.
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

    /// Neither a move nor a set-up.
    pub(super) fn other(&mut self, name: &str, property: &Property) {
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
}
