use std::path::Path;
use std::sync::OnceLock;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{FontStyle, register_font};

use crate::error::ChartError;
use crate::pen::{Pen, count, size_of};
use crate::text::{FAINT, FAMILY, fitting, lines};

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
/// Heights for the title's first line and the subtitle, and for the source's first line.
const HEAD: i32 = 62;
const FOOT: i32 = 28;
/// Height of further title lines, and the maximum of lines.
const TITLE_LINE: i32 = 27;
const TITLE_LINES: usize = 2;
/// The same for the source.
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
            let (around, size) = prepared(what)?;
            let mut text = String::new();
            let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
            sheet(what, &around, &root, Pen::new(1)).map_err(in_words)?;
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

/// The texts around the drawing and the resulting size; registers the fonts.
fn prepared(what: &impl Paint) -> Result<(Around, (u32, u32)), ChartError> {
    register_fonts()?;
    let around = Around::of(what);
    let (width, height) = what.size();
    let more = around.more_above() + around.more_below();
    let size = (width, height + more.unsigned_abs());
    Ok((around, size))
}

/// Size in pixels, and RGB pixels.
///
/// # Errors
/// `Drawing` if drawing fails.
pub(crate) fn pixels(what: &impl Paint) -> Result<([u32; 2], Vec<u8>), ChartError> {
    let (around, size) = prepared(what)?;
    // Drawn twice as large and reduced for smooth edges.
    let (width, height) = (2 * size.0, 2 * size.1);
    let mut pixels = vec![0; 4 * 3 * width as usize * height as usize];
    let root = BitMapBackend::with_buffer(&mut pixels, (2 * width, 2 * height)).into_drawing_area();
    sheet(what, &around, &root, Pen::new(4)).map_err(in_words)?;
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

/// Title and source, wrapped: the title may have long names, and the source has a command, which must not be truncated.
struct Around {
    title: Vec<String>,
    source: Vec<String>,
}

impl Around {
    fn of(what: &impl Paint) -> Around {
        let (sheet, _) = what.size();
        // Letter widths differ slightly between picture kinds.
        let room = i32::try_from(sheet).unwrap_or(i32::MAX) - 2 * MARGIN - 8;
        let pen = Pen::new(1);
        let held = (HPos::Left, VPos::Top);
        let [title, _, source] = what.said();
        Around {
            title: lines(title, &pen.bold(TITLE, held), room, TITLE_LINES),
            source: lines(source, &pen.words(SOURCE, &FAINT, held), room, LINES),
        }
    }

    /// The extra height for the title.
    fn more_above(&self) -> i32 {
        TITLE_LINE * (count(self.title.len()) - 1).max(0)
    }

    /// The extra height for the source.
    fn more_below(&self) -> i32 {
        LINE * (count(self.source.len()) - 1).max(0)
    }
}

/// Sizes of the letters.
const TITLE: i32 = 22;
const SOURCE: i32 = 12;

fn sheet<B: DrawingBackend>(
    what: &impl Paint,
    around: &Around,
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
    let [_, subtitle, _] = what.said();
    let title = pen.bold(TITLE, held);
    for (n, words) in around.title.iter().enumerate() {
        line(words, &title, pen.px(10 + TITLE_LINE * count(n)))?;
    }
    line(subtitle, &pen.words(15, &FAINT, held), pen.px(39 + around.more_above()))?;
    let source = pen.words(SOURCE, &FAINT, held);
    let top = height - pen.px(FOOT - 8 + around.more_below());
    for (n, words) in around.source.iter().enumerate() {
        line(words, &source, top + pen.px(LINE * count(n)))?;
    }
    let (above, below) = (HEAD + around.more_above(), FOOT + around.more_below());
    what.paint(&root.margin(pen.px(above), pen.px(below), 0, 0), pen)?;
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
    fn a_long_title_has_two_lines_for_which_the_sheet_grows() {
        use crate::chart::tests::sample;
        use crate::draw::draw;

        let svg = |title: &str| {
            let mut chart = sample();
            title.clone_into(&mut chart.title);
            String::from_utf8(draw(&chart, Picture::Svg).unwrap()).unwrap()
        };
        let height = |svg: &str| -> u32 {
            svg.split("height=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().parse().unwrap()
        };
        let (short, long) = (
            svg("A title"),
            svg(&format!("Game wcc-2015.r12.1: {}against the last name", "name ".repeat(20))),
        );
        assert_eq!(height(&long), height(&short) + TITLE_LINE.unsigned_abs());
        assert!(long.lines().any(|line| line.trim().ends_with("last name")), "{long}");
        let longest = svg(&"word ".repeat(200));
        assert_eq!(height(&longest), height(&long));
        assert!(longest.lines().any(|line| line.trim().ends_with('…')), "{longest}");
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
