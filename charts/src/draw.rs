//! The one place where a chart becomes a picture, as SVG or PNG.
//!
//! Title and subtitle stand above, the legend on the right beside the data and never over it, the source at the foot. Lines
//! are told apart by colours that the colour-blind tell apart too (those of Okabe and Ito), and where there are more lines than
//! colours, by dashes as well.

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use crate::chart::{Axis, Chart, Edge, Scale, Series, Shape};
use crate::error::ChartError;
use crate::png::png;
use crate::ticks::{Tick, ticks};

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

/// Width and height, in units of length.
const SIZE: (u32, u32) = (1000, 600);
/// What is left free at every side.
const MARGIN: i32 = 16;
/// How much of the height is for title and subtitle, and for the source.
const HEAD: i32 = 62;
const FOOT: i32 = 28;
/// The height of a line of the legend, and the length of the sample of a line.
const LEGEND_LINE: i32 = 20;
const SAMPLE: i32 = 26;
/// The widest legend.
const LEGEND_MOST: i32 = 240;

const FAMILY: FontFamily<'static> = FontFamily::SansSerif;
const WORDS: RGBColor = RGBColor(34, 34, 34);
const FAINT: RGBColor = RGBColor(100, 100, 100);
const GRID: RGBColor = RGBColor(225, 225, 225);

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

/// How a line is broken: so much ink, so much space. The first is not broken.
const DASHES: [(i32, i32); 4] = [(0, 0), (8, 4), (3, 3), (14, 6)];

/// Points are drawn as dots where there are no more of them in a line.
const DOTS_UP_TO: usize = 60;

/// Draws a chart.
///
/// # Errors
/// `NoPoints` where no point can be drawn, `Drawing` where drawing itself fails.
pub fn draw(chart: &Chart, picture: Picture) -> Result<Vec<u8>, ChartError> {
    static FONTS: OnceLock<bool> = OnceLock::new();
    let fonts = FONTS.get_or_init(|| {
        let sans = [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())];
        sans.into_iter().all(|(style, bytes)| register_font(FAMILY.as_str(), style, bytes).is_ok())
    });
    if !fonts {
        return Err(ChartError::Drawing("the font cannot be read".to_owned()));
    }
    let frame = Frame::of(chart)?;
    match picture {
        Picture::Svg => {
            let mut text = String::new();
            let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
            Painter { chart, frame, scale: 1 }.paint(&root).map_err(in_words)?;
            drop(root);
            Ok(text.into_bytes())
        }
        Picture::Png => {
            let (width, height) = (2 * SIZE.0, 2 * SIZE.1);
            let mut pixels = vec![0; 3 * width as usize * height as usize];
            let root = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
            Painter { chart, frame, scale: 2 }.paint(&root).map_err(in_words)?;
            drop(root);
            png(&pixels, width, height).map_err(|e| ChartError::Drawing(e.to_string()))
        }
    }
}

fn in_words<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> ChartError {
    ChartError::Drawing(error.to_string())
}

/// From where to where an axis goes, with its ticks.
#[derive(Debug, Clone)]
struct Ticked {
    range: Range<f64>,
    ticks: Vec<Tick>,
}

impl Ticked {
    fn new(range: Range<f64>, scale: Scale) -> Ticked {
        let ticks = ticks(range.start, range.end, scale);
        Ticked { range, ticks }
    }
}

impl Ranged for Ticked {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        from + (share * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Lines go through the ticks and nowhere else.
        let ticks = if hint.weight().allow_light_points() { &[][..] } else { &self.ticks };
        ticks.iter().map(|tick| tick.at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Ticked {
    fn format_ext(&self, at: &f64) -> String {
        self.ticks.iter().find(|tick| tick.at == *at).map_or_else(String::new, |tick| tick.word.clone())
    }
}

/// Both axes.
struct Frame {
    x: Ticked,
    y: Ticked,
}

impl Frame {
    fn of(chart: &Chart) -> Result<Frame, ChartError> {
        let points = || chart.series.iter().flat_map(|series| &series.points);
        let xs = extent(points().map(|point| point.x))
            .ok_or_else(|| ChartError::NoPoints { title: chart.title.clone() })?;
        let ys = extent(points().map(|point| point.y)).unwrap_or((0.0, 1.0));
        let x = with_room(&chart.x, xs, 0.02);
        // Marks stand at the edges, where no line should come.
        let y = with_room(&chart.y, ys, if chart.marks.is_empty() { 0.05 } else { 0.12 });
        Ok(Frame { x: Ticked::new(x, chart.x.scale), y: Ticked::new(y, chart.y.scale) })
    }
}

/// The smallest and the largest number.
fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|value| value.is_finite()).fold(None, |extent, value| {
        let (least, most) = extent.unwrap_or((value, value));
        Some((value.min(least), value.max(most)))
    })
}

/// The range of an axis with some room at both ends; never empty.
fn with_room(axis: &Axis, values: (f64, f64), share: f64) -> Range<f64> {
    let (from, to) = axis.range.unwrap_or(values);
    let least = match axis.scale {
        Scale::Time => 3_600e6,
        Scale::Number | Scale::Whole => 1.0,
    };
    let missing = (least - (to - from)).max(0.0) / 2.0;
    let room = (to - from).max(least) * share;
    from - missing - room..to + missing + room
}

/// Draws one chart; lengths are in units of `scale` pixels.
struct Painter<'c> {
    chart: &'c Chart,
    frame: Frame,
    scale: i32,
}

type Painted<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

impl Painter<'_> {
    fn px(&self, length: i32) -> i32 {
        length * self.scale
    }

    fn words(&self, size: i32, colour: &'static RGBColor, pos: Pos) -> TextStyle<'static> {
        TextStyle::from((FAMILY, self.px(size))).color(colour).pos(pos)
    }

    fn paint<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>) -> Painted<B> {
        root.fill(&WHITE)?;
        let (width, height) = root.dim_in_pixel();
        let (width, height) = (i32::try_from(width).unwrap_or(0), i32::try_from(height).unwrap_or(0));
        let room = width - 2 * self.px(MARGIN);
        let left = Pos::new(HPos::Left, VPos::Top);
        let title = TextStyle::from((FAMILY, self.px(22), FontStyle::Bold)).color(&WORDS).pos(left);
        let line = |text: &str, style: &TextStyle<'_>, y: i32| {
            root.draw_text(&fitting(text, style, room), style, (self.px(MARGIN), y))
        };
        line(&self.chart.title, &title, self.px(10))?;
        line(&self.chart.subtitle, &self.words(15, &FAINT, left), self.px(39))?;
        line(&self.chart.source, &self.words(12, &FAINT, left), height - self.px(FOOT - 8))?;
        let legend = self.legend_width();
        let body = root.margin(self.px(HEAD), self.px(FOOT), 0, 0);
        let (lines, beside) = body.split_horizontally(width - legend);
        self.plot(&lines)?;
        self.legend(&beside, legend)?;
        root.present()
    }

    fn plot<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Painted<B> {
        let (x, y) = (&self.frame.x.range, &self.frame.y.range);
        let mut context = ChartBuilder::on(area)
            .margin_left(self.px(MARGIN - 6))
            .margin_right(self.px(MARGIN))
            .margin_top(self.px(6))
            .x_label_area_size(self.px(48))
            .y_label_area_size(self.px(66))
            .build_cartesian_2d(self.frame.x.clone(), self.frame.y.clone())?;
        let label = self.words(14, &WORDS, Pos::default());
        context
            .configure_mesh()
            .bold_line_style(GRID.stroke_width(self.scale.unsigned_abs()))
            .light_line_style(TRANSPARENT)
            .axis_style(FAINT.stroke_width(self.scale.unsigned_abs()))
            .label_style(label.clone())
            .axis_desc_style(self.words(16, &WORDS, Pos::default()))
            .x_desc(shown(&self.chart.x.name))
            .y_desc(shown(&self.chart.y.name))
            .draw()?;
        if let Some(rule) = self.chart.y.rule.filter(|rule| y.contains(rule)) {
            let style = FAINT.stroke_width(self.scale.unsigned_abs());
            context.draw_series([PathElement::new(vec![(x.start, rule), (x.end, rule)], style)])?;
        }
        if let Some(rule) = self.chart.x.rule.filter(|rule| x.contains(rule)) {
            let style = FAINT.stroke_width(self.scale.unsigned_abs());
            context.draw_series([PathElement::new(vec![(rule, y.start), (rule, y.end)], style)])?;
        }
        let bound = self.chart.y.range.unwrap_or((y.start, y.end));
        for (place, series) in self.chart.series.iter().enumerate() {
            let lower = self.lower(place);
            let path: Vec<(f64, f64)> =
                path(series, bound).into_iter().map(|(x, y)| (x, y - lower)).collect();
            let style = self.line(place);
            match self.dashes(place) {
                // The pixels of a line with corners close together go astray, so there each stretch is drawn alone, and a
                // dot joins them.
                (0, _) if self.scale > 1 => {
                    let stretch = |ends: &[(f64, f64)]| PathElement::new(ends.to_vec(), style);
                    context.draw_series(path.windows(2).map(stretch))?;
                    let joint = |at: &(f64, f64)| Circle::new(*at, self.scale, colour(place).filled());
                    context.draw_series(path.iter().map(joint))?;
                }
                (0, _) => {
                    context.draw_series([PathElement::new(path, style)])?;
                }
                (ink, space) => {
                    context.draw_series(DashedLineSeries::new(path, ink, space, style))?;
                }
            }
            if series.points.len() <= DOTS_UP_TO {
                let dots = series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
                let dot = colour(place).filled();
                context.draw_series(dots.map(|p| {
                    Circle::new((p.x, p.y.clamp(bound.0, bound.1) - lower), self.px(2) + self.scale, dot)
                }))?;
            }
        }
        for mark in self.chart.marks.iter().filter(|mark| x.contains(&mark.x)) {
            let (height, anchor) = match mark.edge {
                Edge::Top => (y.end, VPos::Top),
                Edge::Bottom => (y.start, VPos::Bottom),
            };
            let style = self.words(14, &WORDS, Pos::new(HPos::Center, anchor));
            context.draw_series([Text::new(shown(&mark.sign), (mark.x, height), style)])?;
        }
        Ok(())
    }

    /// By how much a line is drawn lower than its figures, so that those above it are seen.
    fn lower(&self, place: usize) -> f64 {
        let lines = self.chart.series.len();
        if !self.chart.beside || lines < 2 {
            return 0.0;
        }
        let y = &self.frame.y.range;
        let share = (0.007f64).min(0.06 / lines as f64);
        (place as f64 - (lines - 1) as f64 / 2.0) * share * (y.end - y.start)
    }

    fn line(&self, place: usize) -> ShapeStyle {
        colour(place).stroke_width((2 * self.scale).unsigned_abs())
    }

    fn dashes(&self, place: usize) -> (i32, i32) {
        let (ink, space) = DASHES[place / COLOURS.len() % DASHES.len()];
        (self.px(ink), self.px(space))
    }

    /// As wide as its longest name, within a limit.
    fn legend_width(&self) -> i32 {
        let style = self.words(15, &WORDS, Pos::default());
        let widest = self.chart.series.iter().map(|series| width(&shown(&series.name), &style)).max();
        let around = self.px(SAMPLE + 8 + MARGIN);
        (widest.unwrap_or(0) + around).min(self.px(LEGEND_MOST))
    }

    fn legend<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, width: i32) -> Painted<B> {
        let style = self.words(15, &WORDS, Pos::new(HPos::Left, VPos::Center));
        let (_, height) = area.dim_in_pixel();
        let fit = usize::try_from((i32::try_from(height).unwrap_or(0) - self.px(60)) / self.px(LEGEND_LINE))
            .unwrap_or(0);
        let room = width - self.px(SAMPLE + 8 + MARGIN);
        let all = self.chart.series.len();
        // The last line of a legend that is too long says how many more there are.
        let named = if all <= fit { all } else { fit.saturating_sub(1) };
        let mut y = self.px(16);
        for (place, series) in self.chart.series.iter().take(named).enumerate() {
            let ends = [(0, y), (self.px(SAMPLE), y)];
            match self.dashes(place) {
                (0, _) => area.draw(&PathElement::new(ends, self.line(place)))?,
                (ink, space) => area.draw(&DashedPathElement::new(ends, ink, space, self.line(place)))?,
            }
            let name = fitting(&series.name, &style, room);
            area.draw_text(&name, &style, (self.px(SAMPLE + 8), y))?;
            y += self.px(LEGEND_LINE);
        }
        if named < all {
            area.draw_text(&format!("and {} more", all - named), &style, (self.px(SAMPLE + 8), y))?;
        }
        Ok(())
    }
}

fn colour(place: usize) -> RGBColor {
    COLOURS[place % COLOURS.len()]
}

/// The line through the points of a series, cut at the bounds.
fn path(series: &Series, (least, most): (f64, f64)) -> Vec<(f64, f64)> {
    let mut path: Vec<(f64, f64)> = Vec::with_capacity(series.points.len());
    for point in series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite()) {
        if let (Shape::Steps, Some((_, before))) = (series.shape, path.last().copied()) {
            path.push((point.x, before));
        }
        path.push((point.x, point.y.clamp(least, most)));
    }
    path
}

/// Words of the record on one line: what no picture can show, or what turns the direction of writing, is an escape.
fn shown(words: &str) -> String {
    words.chars().fold(String::with_capacity(words.len()), |mut out, sign| {
        let misleads = sign.is_control()
            || matches!(sign, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            || matches!(sign, '\u{fffe}' | '\u{ffff}');
        if misleads {
            out.extend(sign.escape_default());
        } else {
            out.push(sign);
        }
        out
    })
}

/// How wide words are, in pixels.
fn width(words: &str, style: &TextStyle<'_>) -> i32 {
    let size = style.font.box_size(words).map_or(0, |(width, _)| width);
    i32::try_from(size).unwrap_or(i32::MAX)
}

/// As much of the words as there is room for; what is missing is marked.
fn fitting(words: &str, style: &TextStyle<'_>, room: i32) -> String {
    let words = shown(words);
    if width(&words, style) <= room {
        return words;
    }
    let signs: Vec<char> = words.chars().collect();
    let cut = |n: usize| signs.iter().take(n).chain(['…'].iter()).collect::<String>();
    // The widths grow with the signs.
    let places: Vec<usize> = (0..signs.len()).collect();
    let fits = places.partition_point(|n| width(&cut(*n), style) <= room);
    cut(fits.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::tests::sample;
    use crate::png::tests::read;

    /// The texts of an SVG, in order; every tag has to be closed in its turn, and every attribute quoted.
    fn texts(svg: &str) -> Vec<String> {
        let (mut open, mut texts, mut rest) = (Vec::new(), Vec::new(), svg);
        while let Some(begin) = rest.find('<') {
            let words = rest[..begin].trim();
            assert!(!words.contains('>'), "{words}");
            if open.last() == Some(&"text") && !words.is_empty() {
                texts.push(
                    words
                        .replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&quot;", "\"")
                        .replace("&amp;", "&"),
                );
            }
            let end = begin + rest[begin..].find('>').expect("a tag ends");
            let tag = &rest[begin + 1..end];
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            let name = tag.trim_matches('/').split(' ').next().unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(name);
            }
            rest = &rest[end + 1..];
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
        texts
    }

    fn svg(chart: &Chart) -> String {
        String::from_utf8(draw(chart, Picture::Svg).unwrap()).unwrap()
    }

    #[test]
    fn a_picture_says_title_axes_lines_marks_and_source() {
        let svg = svg(&sample());
        let texts = texts(&svg);
        for words in [
            "Worth of <game> & \"more\"",
            "letters are pieces lost",
            "turn",
            "worth (rabbits)",
            "material",
            "other",
            "C",
            "dataset 0123, annals chart",
        ] {
            assert!(texts.iter().any(|text| text == words), "{words}: {texts:#?}");
        }
        assert!(svg.starts_with("<svg width=\"1000\" height=\"600\""));
        assert!(svg.contains("#0072B2") && svg.contains("#D55E00"));
    }

    #[test]
    fn nothing_of_a_line_lies_in_the_legend_or_beyond_the_frame() {
        let svg = svg(&sample());
        let lines: Vec<&str> =
            svg.lines().filter(|line| line.starts_with("<polyline") && line.contains("\"2\"")).collect();
        assert!(lines.len() >= 2, "{svg}");
        let legend =
            svg.lines().skip_while(|line| !line.contains("<text")).find(|line| line.contains(">material"));
        assert!(legend.is_none(), "words stand on a line of their own");
        for line in lines {
            let points = line.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
            let points: Vec<(i32, i32)> = points
                .split_whitespace()
                .map(|point| point.split_once(',').unwrap())
                .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
                .collect();
            let in_plot = points.iter().all(|(x, y)| (76..=900).contains(x) && (62..=530).contains(y));
            let in_legend = points.iter().all(|(x, _)| (860..=1000).contains(x));
            assert!(in_plot || in_legend, "{points:?}");
        }
    }

    #[test]
    fn pixels_are_a_png_of_twice_the_size_with_words_in_it() {
        let bytes = draw(&sample(), Picture::Png).unwrap();
        let (width, height, pixels) = read(&bytes);
        assert_eq!((width, height), (2000, 1200));
        let dark = |lines: Range<usize>| {
            let line = 3 * width as usize;
            pixels[lines.start * line..lines.end * line]
                .chunks(3)
                .filter(|p| p[0] < 120 && p[2] < 120)
                .count()
        };
        assert!(dark(20..70) > 500, "the title");
        assert!(dark(1150..1200) > 200, "the source");
        assert!(pixels.chunks(3).any(|pixel| *pixel == [0, 114, 178]));
    }

    #[test]
    fn the_same_chart_gives_the_same_bytes() {
        for picture in [Picture::Svg, Picture::Png] {
            assert_eq!(draw(&sample(), picture).unwrap(), draw(&sample(), picture).unwrap());
        }
    }

    #[test]
    fn a_chart_without_points_is_refused_and_one_with_a_single_point_is_drawn() {
        let mut chart = sample();
        chart.series[0].points.truncate(1);
        chart.series.truncate(1);
        for scale in [Scale::Number, Scale::Whole, Scale::Time] {
            chart.x.scale = scale;
            assert!(texts(&svg(&chart)).len() > 6);
        }
        chart.series[0].points[0].x = f64::NAN;
        let error = draw(&chart, Picture::Svg).unwrap_err();
        assert!(error.to_string().contains("nothing to draw"), "{error}");
        chart.series.clear();
        assert!(draw(&chart, Picture::Png).is_err());
    }

    #[test]
    fn many_lines_with_long_and_harmful_names_leave_the_chart_whole() {
        let mut chart = sample();
        let line = chart.series[0].clone();
        chart.series = (0..60)
            .map(|n| Series { name: format!("{n}\u{202e}\u{7} {}", "very long ".repeat(20)), ..line.clone() })
            .collect();
        chart.title = "title ".repeat(100);
        let texts = texts(&svg(&chart));
        assert!(texts.iter().any(|text| text.starts_with("and ") && text.ends_with(" more")), "{texts:#?}");
        assert!(texts.iter().any(|text| text.starts_with("0\\u{202e}\\u{7}") && text.ends_with('…')));
        assert!(texts[0].starts_with("title title") && texts[0].ends_with('…'));
    }
}
