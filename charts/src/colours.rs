//! How series are told apart: by colours that the colour-blind tell apart too (those of Okabe and Ito), and where there are more
//! lines than colours, by dashes as well.

use plotters::style::RGBColor;

/// The colours of Okabe and Ito, without the yellow, which is too faint on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// How a line is broken, in units: so much ink, so much space. The first is not broken.
const DASHES: [(i32, i32); 4] = [(0, 0), (8, 4), (3, 3), (14, 6)];

/// The colour of the series at a place.
pub(crate) fn colour(place: usize) -> RGBColor {
    COLOURS[place % COLOURS.len()]
}

/// How the line at a place is broken.
pub(crate) fn dashes(place: usize) -> (i32, i32) {
    DASHES[place / COLOURS.len() % DASHES.len()]
}
