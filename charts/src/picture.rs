use std::path::Path;
use std::sync::OnceLock;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{FontStyle, register_font};

use crate::error::ChartError;
use crate::pen::{Pen, count, size_of};
use crate::text::{FAINT, FAMILY, fitting, width, wrapped};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    Svg,
    /// Two pixels per unit.
    Png,
}

impl Picture {
    /// By the file's ending.
    ///
    /// # Errors
    /// `NotAPicture` for another ending.
    pub fn of(path: &Path) -> Result<Picture, ChartError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "svg" => Ok(Picture::Svg),
            "png" => Ok(Picture::Png),
            _ => Err(ChartError::NotAPicture { path: path.to_owned() }),
        }
    }
}

/// At every side, in units.
pub(crate) const MARGIN: i32 = 16;
/// Heights for title and subtitle, and for the source's first line.
const HEAD: i32 = 62;
const FOOT: i32 = 28;
/// Height of further source lines, and their maximum.
const LINE: i32 = 15;
const LINES: usize = 3;

pub(crate) type Painted<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

pub(crate) trait Paint {
    /// In units.
    fn size(&self) -> (u32, u32);

    /// Title, subtitle and source.
    fn said(&self) -> [&str; 3];

    /// Draws between title and source.
    fn paint<B: DrawingBackend>(&self, body: &DrawingArea<B, Shift>, pen: Pen) -> Painted<B>;
}

/// # Errors
/// `Drawing` if drawing fails.
pub(crate) fn picture(what: &impl Paint, kind: Picture) -> Result<Vec<u8>, ChartError> {
    match kind {
        Picture::Svg => {
            let (foot, size) = prepared(what)?;
            let mut text = String::new();
            let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
            sheet(what, &foot, &root, Pen::new(1)).map_err(in_words)?;
            drop(root);
            Ok(text.into_bytes())
        }
        Picture::Png => {
            let ([width, height], pixels) = pixels(what)?;
            png(&pixels, width, height).map_err(|e| ChartError::Drawing(e.to_string()))
        }
    }
}

/// What is between title and source, as SVG of a size in units.
///
/// # Errors
/// `Drawing` if drawing fails.
pub(crate) fn inset(what: &impl Paint, size: (u32, u32)) -> Result<String, ChartError> {
    register_fonts()?;
    let mut text = String::new();
    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
    what.paint(&root, Pen::new(1)).and_then(|()| root.present()).map_err(in_words)?;
    drop(root);
    Ok(text)
}

fn register_fonts() -> Result<(), ChartError> {
    static FONTS: OnceLock<bool> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        let sans = [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())];
        sans.into_iter().all(|(style, bytes)| register_font(FAMILY.as_str(), style, bytes).is_ok())
    });
    if !fonts {
        return Err(ChartError::Drawing("the font cannot be read".to_owned()));
    }
    Ok(())
}

/// The foot and the resulting size; registers the fonts.
fn prepared(what: &impl Paint) -> Result<(Foot, (u32, u32)), ChartError> {
    register_fonts()?;
    let foot = foot(what);
    let (width, height) = what.size();
    let size = (width, height + foot.more().unsigned_abs());
    Ok((foot, size))
}

/// Size in pixels, and RGB pixels.
///
/// # Errors
/// `Drawing` if drawing fails.
pub(crate) fn pixels(what: &impl Paint) -> Result<([u32; 2], Vec<u8>), ChartError> {
    let (foot, size) = prepared(what)?;
    // Drawn twice as large and reduced for smooth edges.
    let (width, height) = (2 * size.0, 2 * size.1);
    let mut pixels = vec![0; 4 * 3 * width as usize * height as usize];
    let root = BitMapBackend::with_buffer(&mut pixels, (2 * width, 2 * height)).into_drawing_area();
    sheet(what, &foot, &root, Pen::new(4)).map_err(in_words)?;
    drop(root);
    Ok(([width, height], halved(&pixels, width as usize)))
}

/// From RGB pixels.
fn png(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    // Uniform lines and areas compress best unfiltered.
    encoder.set_deflate_compression(png::DeflateCompression::Level(6));
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}

/// Averages 2×2 pixels; `width` per line.
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

/// The source, wrapped: it has a command, which must not be truncated.
struct Foot(Vec<String>);

impl Foot {
    /// The extra height for it.
    fn more(&self) -> i32 {
        LINE * (count(self.0.len()) - 1).max(0)
    }
}

fn foot(what: &impl Paint) -> Foot {
    let style = Pen::new(1).words(SOURCE, &FAINT, (HPos::Left, VPos::Top));
    let (sheet, _) = what.size();
    // Letter widths differ slightly between picture kinds.
    let room = i32::try_from(sheet).unwrap_or(i32::MAX) - 2 * MARGIN - 8;
    let [_, _, source] = what.said();
    let mut lines = wrapped(source, |line| width(line, &style) <= room);
    if lines.len() > LINES {
        let rest = lines.split_off(LINES - 1);
        lines.push(rest.join(" "));
    }
    Foot(lines)
}

/// Of the source.
const SOURCE: i32 = 12;

fn sheet<B: DrawingBackend>(
    what: &impl Paint,
    foot: &Foot,
    root: &DrawingArea<B, Shift>,
    pen: Pen,
) -> Painted<B> {
    root.fill(&WHITE)?;
    let (width, height) = size_of(root);
    let room = width - pen.px(2 * MARGIN);
    let held = (HPos::Left, VPos::Top);
    let line = |text: &str, style: &TextStyle<'_>, y: i32| {
        root.draw_text(&fitting(text, style, room), style, (pen.px(MARGIN), y))
    };
    let [title, subtitle, _] = what.said();
    line(title, &pen.bold(22, held), pen.px(10))?;
    line(subtitle, &pen.words(15, &FAINT, held), pen.px(39))?;
    let source = pen.words(SOURCE, &FAINT, held);
    let top = height - pen.px(FOOT - 8 + foot.more());
    for (n, words) in foot.0.iter().enumerate() {
        line(words, &source, top + pen.px(LINE * count(n)))?;
    }
    what.paint(&root.margin(pen.px(HEAD), pen.px(FOOT + foot.more()), 0, 0), pen)?;
    root.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_source_stands_in_several_lines_for_which_the_sheet_grows() {
        use crate::chart::tests::sample;
        use crate::draw::draw;

        let mut chart = sample();
        chart.source =
            format!("Source: dataset 0123. annals chart {}the end", "--player somebody ".repeat(14));
        let svg = String::from_utf8(draw(&chart, Picture::Svg).unwrap()).unwrap();
        assert!(svg.starts_with("<svg width=\"1000\" height=\"615\""), "{svg}");
        let said = |begins: &str| svg.lines().any(|line| line.trim().starts_with(begins));
        assert!(
            said("Source: dataset 0123.") && svg.lines().any(|line| line.trim().ends_with("the end")),
            "{svg}"
        );
        chart.source = "word ".repeat(2_000);
        let svg = String::from_utf8(draw(&chart, Picture::Svg).unwrap()).unwrap();
        assert!(
            svg.contains("height=\"630\"") && svg.lines().any(|line| line.trim().ends_with('…')),
            "{svg}"
        );
    }

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
