//! Series are distinguished by colours for all kinds of colour vision (Okabe and Ito), and then by dashes.

use plotters::style::RGBColor;

/// Without the yellow, which is too faint on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// Dash and gap in units; the first is solid.
const DASHES: [(i32, i32); 5] = [(0, 0), (8, 4), (3, 3), (14, 6), (2, 7)];

/// The number of series with different looks.
pub(crate) const LOOKS: usize = COLOURS.len() * DASHES.len();

pub(crate) fn colour(place: usize) -> RGBColor {
    COLOURS[place % COLOURS.len()]
}

pub(crate) fn dashes(place: usize) -> (i32, i32) {
    DASHES[place / COLOURS.len() % DASHES.len()]
}
