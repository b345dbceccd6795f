//! A sheet that becomes SVG or PNG: how large it is, the title above and the source at the foot, and the fonts.

use std::path::Path;
use std::sync::OnceLock;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{FontStyle, register_font};

use crate::error::ChartError;
use crate::pen::{Pen, size_of};
use crate::png::png;
use crate::words::{FAINT, FAMILY, fitting};

/// A kind of picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// Lines and words, sharp at any size.
    Svg,
    /// Pixels, two for each unit of length.
    Png,
}

impl Picture {
    /// The kind that the ending of a file's name says.
    ///
    /// # Errors
    /// `NotAPicture` for any other ending.
    pub fn of(path: &Path) -> Result<Picture, ChartError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "svg" => Ok(Picture::Svg),
            "png" => Ok(Picture::Png),
            _ => Err(ChartError::NotAPicture { path: path.to_owned() }),
        }
    }
}

/// What is left free at every side, in units of length.
pub(crate) const MARGIN: i32 = 16;
/// How much of the height is for title and subtitle, and for the source.
const HEAD: i32 = 62;
const FOOT: i32 = 28;

pub(crate) type Painted<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// What can be drawn on a sheet.
pub(crate) trait Paint {
    /// Width and height, in units of length.
    fn size(&self) -> (u32, u32);

    /// Title, subtitle and source.
    fn said(&self) -> [&str; 3];

    /// Draws what lies between the title and the source.
    fn paint<B: DrawingBackend>(&self, body: &DrawingArea<B, Shift>, pen: Pen) -> Painted<B>;
}

/// Draws a sheet.
///
/// # Errors
/// `Drawing` where drawing fails.
pub(crate) fn picture(what: &impl Paint, kind: Picture) -> Result<Vec<u8>, ChartError> {
    static FONTS: OnceLock<bool> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        let sans = [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())];
        sans.into_iter().all(|(style, bytes)| register_font(FAMILY.as_str(), style, bytes).is_ok())
    });
    if !fonts {
        return Err(ChartError::Drawing("the font cannot be read".to_owned()));
    }
    let size = what.size();
    match kind {
        Picture::Svg => {
            let mut text = String::new();
            let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
            sheet(what, &root, Pen::new(1)).map_err(in_words)?;
            drop(root);
            Ok(text.into_bytes())
        }
        Picture::Png => {
            // Drawn twice as large and made smaller, lines and letters have smooth edges.
            let (width, height) = (2 * size.0, 2 * size.1);
            let mut pixels = vec![0; 4 * 3 * width as usize * height as usize];
            let root = BitMapBackend::with_buffer(&mut pixels, (2 * width, 2 * height)).into_drawing_area();
            sheet(what, &root, Pen::new(4)).map_err(in_words)?;
            drop(root);
            let pixels = halved(&pixels, width as usize);
            png(&pixels, width, height).map_err(|e| ChartError::Drawing(e.to_string()))
        }
    }
}

/// Pixels of half the width and height, of `width` in a line: each is the mean of four.
fn halved(pixels: &[u8], width: usize) -> Vec<u8> {
    let mut half = Vec::with_capacity(pixels.len() / 4);
    for two_lines in pixels.chunks_exact(2 * 6 * width) {
        let (upper, lower) = two_lines.split_at(6 * width);
        for (above, below) in upper.chunks_exact(6).zip(lower.chunks_exact(6)) {
            for channel in 0..3 {
                let sum = [above[channel], above[channel + 3], below[channel], below[channel + 3]];
                let sum: u16 = sum.into_iter().map(u16::from).sum();
                half.push(u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX));
            }
        }
    }
    half
}

fn in_words<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> ChartError {
    ChartError::Drawing(error.to_string())
}

fn sheet<B: DrawingBackend>(what: &impl Paint, root: &DrawingArea<B, Shift>, pen: Pen) -> Painted<B> {
    root.fill(&WHITE)?;
    let (width, height) = size_of(root);
    let room = width - pen.px(2 * MARGIN);
    let held = (HPos::Left, VPos::Top);
    let line = |text: &str, style: &TextStyle<'_>, y: i32| {
        root.draw_text(&fitting(text, style, room), style, (pen.px(MARGIN), y))
    };
    let [title, subtitle, source] = what.said();
    line(title, &pen.bold(22, held), pen.px(10))?;
    line(subtitle, &pen.words(15, &FAINT, held), pen.px(39))?;
    line(source, &pen.words(12, &FAINT, held), height - pen.px(FOOT - 8))?;
    what.paint(&root.margin(pen.px(HEAD), pen.px(FOOT), 0, 0), pen)?;
    root.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_pixels_become_their_mean() {
        let pixels = [
            [0, 10, 255],
            [4, 10, 255],
            [1, 2, 3],
            [1, 2, 3],
            [0, 30, 255],
            [4, 30, 254],
            [1, 2, 3],
            [1, 2, 3],
        ];
        assert_eq!(halved(&pixels.concat(), 2), [2, 20, 255, 1, 2, 3]);
    }
}
