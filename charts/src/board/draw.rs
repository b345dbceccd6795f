//! Draws boards.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::{Arrow, Board, Diagram, Look, Square, name};
use crate::error::ChartError;
use crate::pen::{Pen, count};
use crate::picture::{MARGIN, Paint, Painted, inset};
use crate::text::{FAINT, WORDS, fitting, lines};

/// The width of a row of boards.
const WIDTH: i32 = 960;
/// The side of a square: of a single board, and of several.
const LARGE: i32 = 52;
const SMALL: i32 = 24;
/// Lines of a caption, for which the height below a board suffices.
const CAPTION_LINES: usize = 2;
/// Per sheet.
const MOST: usize = 600;

const LIGHT: RGBColor = RGBColor(247, 243, 232);
const DARK: RGBColor = RGBColor(234, 226, 205);
const MARKED: RGBColor = RGBColor(206, 170, 150);
const BLOCKED: RGBColor = RGBColor(92, 88, 84);
const LINE: RGBColor = RGBColor(150, 140, 120);
const EDGE: RGBColor = RGBColor(60, 60, 60);
const PALE: RGBColor = RGBColor(250, 250, 250);
const MOVES: RGBColor = RGBColor(0, 114, 178);
const SHOTS: RGBColor = RGBColor(213, 94, 0);

impl Look {
    const fn colours(self) -> (RGBColor, &'static RGBColor) {
        match self {
            Look::Gold => (RGBColor(245, 196, 66), &WORDS),
            Look::Silver => (RGBColor(183, 190, 201), &WORDS),
            Look::White => (PALE, &WORDS),
            Look::Black => (RGBColor(40, 40, 40), &PALE),
        }
    }
}

pub(super) struct Sheet<'d> {
    diagram: &'d Diagram,
    side: i32,
    across: i32,
    /// Of a board with its names and caption.
    cell: (i32, i32),
}

/// A board and the corner at which it is drawn.
struct Place<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
    pen: Pen,
    board: &'a Board,
    corner: (i32, i32),
}

/// Whether a square has a piece.
fn is_taken(board: &Board, at: Square) -> bool {
    board.pieces.iter().any(|piece| piece.at == at)
}

impl<'d> Sheet<'d> {
    /// # Errors
    /// `NoPoints` without a square, `Drawing` with too many boards.
    pub(super) fn new(diagram: &'d Diagram) -> Result<Sheet<'d>, ChartError> {
        let boards = &diagram.boards;
        let widest = boards.iter().map(|board| i32::from(board.files)).max().unwrap_or(0);
        let highest = boards.iter().map(|board| i32::from(board.ranks)).max().unwrap_or(0);
        if widest == 0 || highest == 0 {
            return Err(ChartError::NoPoints { title: diagram.title.clone() });
        }
        if boards.len() > MOST {
            return Err(ChartError::Drawing(format!(
                "{} boards; a sheet holds at most {MOST}",
                boards.len()
            )));
        }
        let side = if boards.len() == 1 { LARGE } else { SMALL };
        let cell = (widest * side + side + MARGIN, highest * side + side + 2 * MARGIN);
        let fitting = if boards.len() == 1 { 1 } else { (WIDTH / cell.0).max(1) };
        let across = if diagram.across == 0 { fitting } else { count(diagram.across) };
        Ok(Sheet { diagram, side, across: across.min(count(boards.len())), cell })
    }

    /// The first board without title and source, as SVG.
    pub(super) fn alone(&self) -> Result<String, ChartError> {
        let (width, height) = (self.cell.0 - self.side + 2 * MARGIN, self.cell.1 - MARGIN);
        inset(self, (width.unsigned_abs(), height.unsigned_abs()))
    }

    fn middle(&self, board: &Board, (left, top): (i32, i32), (file, rank): Square) -> (i32, i32) {
        let (mut column, mut row) = (i32::from(file), i32::from(board.ranks) - 1 - i32::from(rank));
        if self.diagram.flipped {
            column = i32::from(board.files) - 1 - column;
            row = i32::from(board.ranks) - 1 - row;
        }
        (left + column * self.side + self.side / 2, top + row * self.side + self.side / 2)
    }

    fn board<B: DrawingBackend>(&self, on: &Place<'_, B>) -> Painted<B> {
        let &Place { area, pen, board, corner } = on;
        self.squares(on)?;
        self.names(on)?;
        let half = self.side / 2;
        for piece in &board.pieces {
            let (x, y) = self.middle(board, corner, piece.at);
            let (fill, letter) = piece.look.colours();
            let radius = half - half / 6;
            area.draw(&Circle::new(pen.at((x, y)), pen.px(radius), fill.filled()))?;
            area.draw(&Circle::new(pen.at((x, y)), pen.px(radius), pen.stroke(EDGE, 1)))?;
            let size = self.side / 2;
            let style = pen.words(size, letter, (HPos::Center, VPos::Center));
            area.draw_text(&piece.letter.to_string(), &style, (pen.px(x), pen.px(y) + pen.sunk(size)))?;
        }
        for arrow in &board.arrows {
            self.arrow(on, *arrow)?;
        }
        for at in &board.captured {
            let (x, y) = self.middle(board, corner, *at);
            // Four arms, which leave the letter of a captured piece open.
            let near = if is_taken(board, *at) { half / 2 } else { 0 };
            let far = half - 2;
            for (right, down) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let style = pen.stroke(SHOTS, (self.side / 12).max(2));
                let point = |out: i32| pen.at((x + right * out, y + down * out));
                area.draw(&PathElement::new([point(near), point(far)], style))?;
            }
        }
        Ok(())
    }

    fn squares<B: DrawingBackend>(&self, on: &Place<'_, B>) -> Painted<B> {
        let &Place { area, pen, board, corner } = on;
        let half = self.side / 2;
        for rank in 0..board.ranks {
            for file in 0..board.files {
                let at = (file, rank);
                let (x, y) = self.middle(board, corner, at);
                let fill = match (file + rank) % 2 {
                    _ if board.blocked.contains(&at) => BLOCKED,
                    _ if board.marked.contains(&at) => MARKED,
                    0 => DARK,
                    _ => LIGHT,
                };
                let corners = [pen.at((x - half, y - half)), pen.at((x + half, y + half))];
                area.draw(&Rectangle::new(corners, fill.filled()))?;
                area.draw(&Rectangle::new(corners, pen.stroke(LINE, 1)))?;
            }
        }
        Ok(())
    }

    /// Of files and ranks, and the caption.
    fn names<B: DrawingBackend>(&self, on: &Place<'_, B>) -> Painted<B> {
        let &Place { area, pen, board, corner } = on;
        let size = (self.side / 3).clamp(9, 14);
        let style = pen.words(size, &FAINT, (HPos::Center, VPos::Center));
        let bottom = corner.1 + i32::from(board.ranks) * self.side;
        for file in 0..board.files {
            let (x, _) = self.middle(board, corner, (file, 0));
            let letter = char::from(b'a'.saturating_add(file)).to_string();
            area.draw_text(&letter, &style, (pen.px(x), pen.px(bottom + size) + pen.sunk(size)))?;
        }
        for rank in 0..board.ranks {
            let (_, y) = self.middle(board, corner, (0, rank));
            let number = name((0, rank)).split_off(1);
            area.draw_text(&number, &style, (pen.px(corner.0 - size), pen.px(y) + pen.sunk(size)))?;
        }
        let size = if self.diagram.boards.len() == 1 { 15 } else { 11 };
        let style = pen.words(size, &WORDS, (HPos::Left, VPos::Top));
        let room = pen.px(i32::from(board.files) * self.side);
        for (n, line) in lines(&board.caption, &style, room, CAPTION_LINES).iter().enumerate() {
            let below = pen.at((corner.0, bottom + self.side / 2 + 4 + (size + 2) * count(n)));
            area.draw_text(&fitting(line, &style, room), &style, below)?;
        }
        Ok(())
    }

    fn arrow<B: DrawingBackend>(&self, on: &Place<'_, B>, arrow: Arrow) -> Painted<B> {
        let &Place { area, pen, board, corner } = on;
        let (from, to) = (self.middle(board, corner, arrow.from), self.middle(board, corner, arrow.to));
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = dx.hypot(dy);
        if length < 1.0 {
            return Ok(());
        }
        let (ux, uy) = (dx / length, dy / length);
        let head = f64::from(self.side) / 4.0;
        // An arrow leaves the letters of pieces open.
        let free = |at: Square| if is_taken(board, at) { f64::from(self.side) * 0.28 } else { 0.0 };
        let (begin, end) = (free(arrow.from), free(arrow.to));
        // Along the arrow from its end, and to its side.
        let point = |back: f64, aside: f64| {
            let back = back + end;
            let x = f64::from(to.0) - ux * back - uy * aside;
            let y = f64::from(to.1) - uy * back + ux * aside;
            let px = |length: f64| (length * f64::from(pen.px(1))).round() as i32;
            (px(x), px(y))
        };
        let colour = if arrow.moves { MOVES } else { SHOTS };
        let line = pen.stroke(colour, (self.side / 12).max(2));
        area.draw(&PathElement::new([point(length - begin - end, 0.0), point(head, 0.0)], line))?;
        let tip = vec![point(0.0, 0.0), point(head, head / 2.0), point(head, -head / 2.0)];
        area.draw(&Polygon::new(tip, colour.filled()))
    }
}

impl Paint for Sheet<'_> {
    fn size(&self) -> (u32, u32) {
        let rows = count(self.diagram.boards.len().div_ceil(usize::try_from(self.across).unwrap_or(1)));
        let width = (self.across * self.cell.0 + 2 * MARGIN).max(480);
        (width.unsigned_abs(), (rows * self.cell.1 + 2 * MARGIN + 90).unsigned_abs())
    }

    fn said(&self) -> [&str; 3] {
        [&self.diagram.title, &self.diagram.subtitle, &self.diagram.source]
    }

    fn paint<B: DrawingBackend>(&self, body: &DrawingArea<B, Shift>, pen: Pen) -> Painted<B> {
        for (number, board) in (0..).zip(&self.diagram.boards) {
            let (row, column) = (number / self.across, number % self.across);
            let corner = (2 * MARGIN + column * self.cell.0, MARGIN + row * self.cell.1);
            self.board(&Place { area: body, pen, board, corner })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Look, Piece};
    use super::*;
    use crate::file::Drawn;
    use crate::picture::Picture;

    fn board(at: Square) -> Board {
        let piece = Piece { at, letter: 'E', look: Look::Gold };
        let caption = "12g".to_owned();
        Board { caption, files: 8, ranks: 8, pieces: vec![piece], ..Board::default() }
    }

    fn svg(diagram: &Diagram) -> String {
        String::from_utf8(diagram.draw(Picture::Svg).unwrap()).unwrap()
    }

    /// The middle of the one piece.
    fn circle(svg: &str) -> (i32, i32) {
        let number = |name: &str| {
            let after = svg.split(&format!(" {name}=\"")).nth(1).unwrap();
            after.split('"').next().unwrap().parse().unwrap()
        };
        (number("cx"), number("cy"))
    }

    #[test]
    fn the_first_rank_is_at_the_bottom_and_on_a_flipped_board_at_the_top() {
        let mut diagram = Diagram { boards: vec![board((0, 0))], ..Diagram::default() };
        let (x, y) = circle(&svg(&diagram));
        diagram.flipped = true;
        let (flipped_x, flipped_y) = circle(&svg(&diagram));
        assert_eq!((flipped_x - x, y - flipped_y), (7 * LARGE, 7 * LARGE));
    }

    #[test]
    fn boards_fill_rows() {
        let boards = vec![board((0, 0)); 9];
        let mut diagram = Diagram { boards, ..Diagram::default() };
        let width = |diagram: &Diagram| Sheet::new(diagram).unwrap().size().0;
        let fills = width(&diagram);
        diagram.across = 2;
        assert!(width(&diagram) < fills);
        assert_eq!(svg(&diagram).matches("<circle").count(), 18);
    }

    #[test]
    fn a_sheet_without_squares_and_one_with_too_many_boards_are_refused() {
        let nothing = Diagram { boards: vec![Board::default()], ..Diagram::default() };
        assert!(nothing.draw(Picture::Svg).is_err());
        let many = Diagram { boards: vec![board((0, 0)); MOST + 1], ..Diagram::default() };
        assert!(many.draw(Picture::Svg).unwrap_err().to_string().contains("at most 600"));
    }
}
