//! Units of length as pixels, line styles and text styles. Too large numbers are limited, so that nothing fails.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::text;

/// Pixels per unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pen {
    scale: i32,
}

impl Pen {
    pub(crate) const fn new(scale: i32) -> Pen {
        Pen { scale }
    }

    /// In pixels.
    pub(crate) const fn px(self, length: i32) -> i32 {
        length * self.scale
    }

    /// In pixels.
    pub(crate) const fn at(self, (x, y): (i32, i32)) -> (i32, i32) {
        (self.px(x), self.px(y))
    }

    /// Width in units.
    pub(crate) fn stroke(self, colour: RGBColor, width: i32) -> ShapeStyle {
        colour.stroke_width(self.px(width).unsigned_abs())
    }

    /// Several pixels per unit.
    pub(crate) const fn is_fine(self) -> bool {
        self.scale > 1
    }

    /// Offset of vertically centered text, which pixel pictures draw too high.
    pub(crate) const fn sunk(self, size: i32) -> i32 {
        if self.is_fine() { self.px(size) / 8 } else { 0 }
    }

    /// `held` is the anchor.
    pub(crate) fn words(
        self,
        size: i32,
        colour: &'static RGBColor,
        held: (HPos, VPos),
    ) -> TextStyle<'static> {
        text::words(self.px(size), colour, Pos::new(held.0, held.1))
    }

    pub(crate) fn bold(self, size: i32, held: (HPos, VPos)) -> TextStyle<'static> {
        text::bold(self.px(size), Pos::new(held.0, held.1))
    }
}

/// As a length.
pub(crate) fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// In pixels.
pub(crate) fn size_of<B: DrawingBackend>(area: &DrawingArea<B, Shift>) -> (i32, i32) {
    let (width, height) = area.dim_in_pixel();
    (i32::try_from(width).unwrap_or(i32::MAX), i32::try_from(height).unwrap_or(i32::MAX))
}
