//! What every sheet is drawn with: units of length as pixels, strokes, and words of a size. A number that is too large for a
//! picture becomes the largest that fits, so that nothing here can fail.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::text;

/// A unit of length has so many pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pen {
    scale: i32,
}

impl Pen {
    /// For a picture of so many pixels for each unit.
    pub(crate) const fn new(scale: i32) -> Pen {
        Pen { scale }
    }

    /// A length in pixels.
    pub(crate) const fn px(self, length: i32) -> i32 {
        length * self.scale
    }

    /// A place in pixels.
    pub(crate) const fn at(self, (x, y): (i32, i32)) -> (i32, i32) {
        (self.px(x), self.px(y))
    }

    /// A line of a width, in units.
    pub(crate) fn stroke(self, colour: RGBColor, width: i32) -> ShapeStyle {
        colour.stroke_width(self.px(width).unsigned_abs())
    }

    /// Whether the picture is made of pixels, several to the unit.
    pub(crate) const fn is_fine(self) -> bool {
        self.scale > 1
    }

    /// By how much words of a size that are held in the middle have to stand lower: in pixels they come out too high.
    pub(crate) const fn sunk(self, size: i32) -> i32 {
        if self.is_fine() { self.px(size) / 8 } else { 0 }
    }

    /// Words of a size, with the side on which they are held.
    pub(crate) fn words(
        self,
        size: i32,
        colour: &'static RGBColor,
        held: (HPos, VPos),
    ) -> TextStyle<'static> {
        text::words(self.px(size), colour, Pos::new(held.0, held.1))
    }

    /// Bold words of a size.
    pub(crate) fn bold(self, size: i32, held: (HPos, VPos)) -> TextStyle<'static> {
        text::bold(self.px(size), Pos::new(held.0, held.1))
    }
}

/// A number of things as a length.
pub(crate) fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Width and height of an area in pixels.
pub(crate) fn size_of<B: DrawingBackend>(area: &DrawingArea<B, Shift>) -> (i32, i32) {
    let (width, height) = area.dim_in_pixel();
    (i32::try_from(width).unwrap_or(i32::MAX), i32::try_from(height).unwrap_or(i32::MAX))
}
