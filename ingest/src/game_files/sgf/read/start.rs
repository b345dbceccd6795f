//! The start of an SGF game: position, players, date, time control.

use annals_events::{GameKind, PlayerAtStart, Side, Started};
use annals_rules::amazons::{Board, Content, Position, Size, Square};

use super::super::super::dates::{self, Dated};
use super::super::super::draft::Label;
use super::super::super::error::{Problem, shown};
use super::super::super::flag::{self, FileFlag};
use super::super::super::{GameFileError, time};
use super::{Item, Reader};

impl Reader<'_> {
    pub(super) fn started(&mut self) -> Result<(Started<'static>, Option<Dated>, Label), GameFileError> {
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
            None if self.size == Size::STANDARD => {
                // Without a set-up SGF has White at the top, the organisers at the bottom.
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
}

/// The board with sides exchanged.
fn turned(board: Board) -> Board {
    let size = board.size();
    let [white, black] = Side::BOTH.map(|side| size.squares(board.queens(side)).collect::<Vec<_>>());
    // The same squares, so that the board is valid.
    Board::new(size, [&black, &white], &[]).unwrap_or(board)
}
