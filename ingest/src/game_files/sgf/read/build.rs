//! Builds a game from SGF: moves, flags, result.

use annals_events::Started;

use super::super::super::dates::Dated;
use super::super::super::draft::{Draft, Label};
use super::super::super::ending::StatedEnding;
use super::super::super::error::shown;
use super::super::super::flag::{self, FileFlag};
use super::super::super::{GameFile, GameFileError};
use super::{Item, Reader};

impl Reader<'_> {
    pub(super) fn build(
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
