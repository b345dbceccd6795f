//! The legend, to the right of the data, as wide as its longest name up to a limit.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use crate::chart::{Series, Shape};
use crate::colours::{LOOKS, colour, dashes};
use crate::pen::{Pen, count, size_of};
use crate::picture::{MARGIN, Painted};
use crate::plot::{REFERENCE, RING, RING_STROKE};
use crate::text::{FAINT, WORDS, fitting, shown, width};

/// Line height, and length of a line's sample.
const LINE: i32 = 20;
const SAMPLE: i32 = 26;
/// Largest width.
const MOST: i32 = 240;
/// Space around names.
const AROUND: i32 = SAMPLE + 8 + MARGIN;

/// The height in units at which a legend names its series, as long as these have different looks.
pub(crate) fn legend_height(series: usize) -> i32 {
    40 + LINE * count(series.min(LOOKS))
}

/// In pixels.
pub(crate) fn legend_width<'s>(series: impl Iterator<Item = &'s Series>, pen: Pen) -> i32 {
    let style = pen.words(15, &WORDS, (HPos::Left, VPos::Center));
    let widest = series.map(|series| width(&shown(&series.name), &style)).max();
    (widest.unwrap_or(0) + pen.px(AROUND)).min(pen.px(MOST))
}

/// `first` is the index of the first series among the colours.
pub(crate) fn legend<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    series: &[Series],
    first: usize,
    pen: Pen,
) -> Painted<B> {
    let style = pen.words(15, &WORDS, (HPos::Left, VPos::Center));
    let (width, height) = size_of(area);
    let room = width - pen.px(AROUND);
    let all = series.len();
    let fit = usize::try_from((height - pen.px(40)) / pen.px(LINE)).unwrap_or(0);
    // The last line of a truncated legend has the number of omitted ones.
    let named = if all <= fit { all } else { fit.saturating_sub(1) };
    let mut y = pen.px(16);
    for (place, series) in series.iter().take(named).enumerate() {
        sample(area, series.shape, first + place, y, pen)?;
        let at = (pen.px(SAMPLE + 8), y + pen.sunk(15));
        area.draw_text(&fitting(&series.name, &style, room), &style, at)?;
        y += pen.px(LINE);
    }
    if named < all {
        let more = format!("and {} more", count(all - named));
        area.draw_text(&more, &style, (pen.px(SAMPLE + 8), y))?;
    }
    Ok(())
}

fn sample<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    shape: Shape,
    place: usize,
    y: i32,
    pen: Pen,
) -> Painted<B> {
    let ends = [(0, y), (pen.px(SAMPLE), y)];
    let middle = (pen.px(SAMPLE / 2), y);
    let colour = colour(place);
    let broken =
        |(ink, space): (i32, i32), style| DashedPathElement::new(ends, pen.px(ink), pen.px(space), style);
    match (shape, dashes(place)) {
        (Shape::Dots, _) => area.draw(&Circle::new(middle, pen.px(3), colour.filled())),
        (Shape::Bars, _) => {
            let half = pen.px(5);
            area.draw(&Rectangle::new([(0, y - half), (pen.px(SAMPLE), y + half)], colour.filled()))
        }
        (Shape::Rings, _) => area.draw(&Circle::new(middle, pen.px(RING), pen.stroke(WORDS, RING_STROKE))),
        (Shape::Reference, _) => area.draw(&broken(REFERENCE, pen.stroke(FAINT, 1))),
        (Shape::Line | Shape::Steps, (0, _)) => area.draw(&PathElement::new(ends, pen.stroke(colour, 2))),
        (Shape::Line | Shape::Steps, dashes) => area.draw(&broken(dashes, pen.stroke(colour, 2))),
    }
}
