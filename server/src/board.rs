//! A board as SVG that follows the theme of the page, and as a table for readers who do not see it.

use std::collections::BTreeMap;

use annals_charts::{Arrow, Board, Look, Piece, Square};
use maud::{Markup, html};

use crate::territory::{Reach, Territory};

/// Units of a square in the picture.
const SIDE: i32 = 60;

/// Room for the names of files and ranks.
const EDGE: i32 = 26;

/// The board with its highest rank at the top, or at the bottom if flipped.
pub fn board(board: &Board, flipped: bool) -> Markup {
    board_with(board, flipped, None)
}

/// As [`board`], with marks on the squares that only one side reaches, or neither.
pub fn board_with(board: &Board, flipped: bool, territory: Option<&Territory>) -> Markup {
    figure_of(&Drawing { board, flipped, on_sheet: false, territory })
}

fn figure_of(draw: &Drawing<'_>) -> Markup {
    let board = draw.board;
    html! {
        figure.board {
            (draw.svg())
            figcaption { (annals_report::escaped(&board.caption)) }
        }
        @if let Some(territory) = draw.territory { p.note { (territory.words()) } }
        details.squares {
            summary { "Board as a table" }
            (draw.table())
        }
    }
}

/// What the boards of one page have in common, drawn once and not shown: the squares, and each kind of piece. Ids are for
/// [`on_sheet`].
pub fn sheet(boards: &[Board]) -> Markup {
    let pieces: BTreeMap<String, &Piece> =
        boards.iter().flat_map(|board| &board.pieces).map(|piece| (id(piece), piece)).collect();
    html! {
        svg.sheet width="0" height="0" aria-hidden="true" xmlns="http://www.w3.org/2000/svg" {
            // The class is that of a board, whose style holds here too.
            @if let Some(board) = boards.first() {
                g.board #squares { (Drawing { board, flipped: false, on_sheet: false, territory: None }.squares_and_edges()) }
            }
            @for (id, piece) in &pieces { g.board id=(id) { (piece_at(piece, 0, 0)) } }
        }
    }
}

/// A board that uses the [`sheet`] of its page.
pub fn on_sheet(board: &Board, territory: Option<&Territory>) -> Markup {
    figure_of(&Drawing { board, flipped: false, on_sheet: true, territory })
}

fn id(piece: &Piece) -> String {
    format!("{}-{}", look(piece.look), piece.letter)
}

fn piece_at(piece: &Piece, x: i32, y: i32) -> Markup {
    html! {
        circle class=(look(piece.look)) cx=(x) cy=(y) r="23" {}
        text class={ "piece " (look(piece.look)) } x=(x) y=(y + 9) { (piece.letter) }
    }
}

struct Drawing<'b> {
    board: &'b Board,
    flipped: bool,
    /// Squares and pieces are those of the page's sheet.
    on_sheet: bool,
    territory: Option<&'b Territory>,
}

impl Drawing<'_> {
    /// The upper left corner of a square.
    fn corner(&self, (file, rank): Square) -> (i32, i32) {
        let last = |count: u8| i32::from(count) - 1;
        let (file, rank) = (i32::from(file), i32::from(rank));
        let (column, row) = if self.flipped {
            (last(self.board.files) - file, rank)
        } else {
            (file, last(self.board.ranks) - rank)
        };
        (EDGE + column * SIDE, row * SIDE)
    }

    fn middle(&self, at: Square) -> (i32, i32) {
        let (x, y) = self.corner(at);
        (x + SIDE / 2, y + SIDE / 2)
    }

    fn squares(&self) -> impl Iterator<Item = Square> {
        let (files, ranks) = (self.board.files, self.board.ranks);
        (0..ranks).rev().flat_map(move |rank| (0..files).map(move |file| (file, rank)))
    }

    fn svg(&self) -> Markup {
        let board = self.board;
        let width = EDGE + i32::from(board.files) * SIDE;
        let height = i32::from(board.ranks) * SIDE + EDGE;
        html! {
            svg role="img" aria-label=(annals_report::escaped(&board.caption))
                viewBox=(format!("0 0 {width} {height}")) xmlns="http://www.w3.org/2000/svg" {
                @if self.on_sheet { use href="#squares" {} } @else { (self.squares_and_edges()) }
                @for at in &board.blocked {
                    @let (x, y) = self.corner(*at);
                    rect.blocked x=(x + 12) y=(y + 12) width=(SIDE - 24) height=(SIDE - 24) rx="6" {}
                }
                @if let Some(territory) = self.territory { (self.reaches(territory)) }
                // Below the pieces, so that their letters stay legible.
                @for arrow in &board.arrows { (self.arrow(arrow)) }
                @for piece in &board.pieces {
                    @let (x, y) = self.middle(piece.at);
                    @if self.on_sheet { use href={ "#" (id(piece)) } x=(x) y=(y) {} } @else { (piece_at(piece, x, y)) }
                }
                @for at in &board.captured {
                    @let (x, y) = self.corner(*at);
                    path.captured d=(format!("M{} {}l28 28m0-28l-28 28", x + 16, y + 16)) {}
                }
            }
        }
    }

    /// A mark in the corner of each square, of another shape for each kind, where a piece or an arrow hides little of it.
    fn reaches(&self, territory: &Territory) -> Markup {
        let path = |reach: Reach, shape: &str| {
            let marks = territory.squares(reach).map(|at| {
                let (x, y) = self.corner(at);
                format!("M{} {}{shape}", x + 9, y + 9)
            });
            marks.collect::<String>()
        };
        html! {
            path.reach.white d=(path(Reach::White, "m0-6l6 6l-6 6l-6-6z")) {}
            path.reach.black d=(path(Reach::Black, "m-5-5h10v10h-10z")) {}
            path.reach.neither d=(path(Reach::Neither, "m-5 0h10")) {}
        }
    }

    fn squares_and_edges(&self) -> Markup {
        let board = self.board;
        let height = i32::from(board.ranks) * SIDE + EDGE;
        html! {
            @for at in self.squares() {
                @let (x, y) = self.corner(at);
                @let dark = (at.0 + at.1) % 2 == 0;
                @let class = if board.marked.contains(&at) { "trap" } else if dark { "dark" } else { "light" };
                rect class=(class) x=(x) y=(y) width=(SIDE) height=(SIDE) {}
            }
            @for file in 0..board.files {
                @let (x, _) = self.middle((file, 0));
                text.edge x=(x) y=(height - 8) { (char::from(b'a'.saturating_add(file))) }
            }
            @for rank in 0..board.ranks {
                @let (_, y) = self.middle((0, rank));
                text.edge x=(EDGE / 2) y=(y + 5) { (u32::from(rank) + 1) }
            }
        }
    }

    /// A line with a head of two strokes.
    fn arrow(&self, arrow: &Arrow) -> Markup {
        let ((x1, y1), (x2, y2)) = (self.middle(arrow.from), self.middle(arrow.to));
        let (dx, dy) = (f64::from(x2 - x1), f64::from(y2 - y1));
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        // A piece on the last square hides nothing of the head.
        let gap = if self.board.pieces.iter().any(|piece| piece.at == arrow.to) { 26.0 } else { 6.0 };
        let (tip_x, tip_y) = (f64::from(x2) - ux * gap, f64::from(y2) - uy * gap);
        let wing = |side: f64| {
            let (x, y) = (tip_x - ux * 13.0 - side * uy * 9.0, tip_y - uy * 13.0 + side * ux * 9.0);
            format!("M{x:.1} {y:.1}L{tip_x:.1} {tip_y:.1}")
        };
        let path = format!("M{x1} {y1}L{tip_x:.1} {tip_y:.1}{}{}", wing(1.0), wing(-1.0));
        html! { path class=(if arrow.moves { "arrow" } else { "shot" }) d=(path) {} }
    }

    fn table(&self) -> Markup {
        let board = self.board;
        let reach = |at: Square| self.territory.and_then(|territory| territory.reach(at)).map(Reach::words);
        let content = |at: Square| -> String {
            if let Some(piece) = board.pieces.iter().find(|piece| piece.at == at) {
                let side = look(piece.look);
                return if piece.letter == 'Q' {
                    format!("{side} queen")
                } else {
                    format!("{} ({side})", piece.letter)
                };
            }
            let is_blocked = board.blocked.contains(&at);
            if is_blocked {
                "arrow"
            } else if board.marked.contains(&at) {
                "trap"
            } else {
                ""
            }
            .to_owned()
        };
        html! {
            div.wide { table.squares {
                thead { tr { th { span.quiet { "rank" } }
                    @for file in 0..board.files { th scope="col" { (char::from(b'a'.saturating_add(file))) } }
                } }
                tbody { @for rank in (0..board.ranks).rev() {
                    tr { th scope="row" { (u32::from(rank) + 1) }
                        @for file in 0..board.files { td { (with_reach(content((file, rank)), reach((file, rank)))) } }
                    }
                } }
            } }
        }
    }
}

fn with_reach(content: String, reach: Option<&str>) -> String {
    match reach {
        None => content,
        Some(reach) if content.is_empty() => reach.to_owned(),
        Some(reach) => format!("{content}; {reach}"),
    }
}

const fn look(look: Look) -> &'static str {
    match look {
        Look::Gold => "gold",
        Look::Silver => "silver",
        Look::White => "white",
        Look::Black => "black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_drawn_where_they_are_and_the_other_way_round_when_flipped() {
        let piece = Piece { at: (0, 0), letter: 'E', look: Look::Gold };
        let small =
            Board { files: 8, ranks: 8, pieces: vec![piece], marked: vec![(2, 2)], ..Board::default() };
        let plain = board(&small, false).into_string();
        assert!(plain.contains("<circle class=\"gold\" cx=\"56\" cy=\"450\""), "{plain}");
        let flipped = board(&small, true).into_string();
        assert!(flipped.contains("<circle class=\"gold\" cx=\"476\" cy=\"30\""), "{flipped}");
        assert_eq!(plain.matches("class=\"trap\"").count(), 1);
        assert!(plain.contains("<td>E (gold)</td>") && plain.contains("<td>trap</td>"));
    }
}
