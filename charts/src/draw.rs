//! How a chart becomes a picture.
//!
//! The legend stands on the right beside the data and never over it. Lines are told apart by colours that the colour-blind tell
//! apart too (those of Okabe and Ito), and where there are more lines than colours, by dashes as well.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::axis::{Frame, Ticked, between_bars};
use crate::chart::{Chart, Edge, Point, Series, Shape};
use crate::error::ChartError;
use crate::picture::{MARGIN, Paint, Painted, Picture, picture};
use crate::words::{FAINT, WORDS, fitting, shown, width, words};

/// The height of a line of the legend, and the length of the sample of a line.
const LEGEND_LINE: i32 = 20;
const SAMPLE: i32 = 26;
/// The widest legend.
const LEGEND_MOST: i32 = 240;

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

/// How much of the room between two places a bar takes.
const BAR: f64 = 0.8;

/// Draws a chart.
///
/// # Errors
/// `NoPoints` where no point can be drawn, `Drawing` where drawing itself fails.
pub fn draw(chart: &Chart, kind: Picture) -> Result<Vec<u8>, ChartError> {
    let frame = Frame::of(chart)?;
    let scale = if kind == Picture::Png { 2 } else { 1 };
    picture(&Painter { chart, frame, scale }, kind)
}

/// Where the points of a chart are drawn.
type Context<'a, B> = ChartContext<'a, B, Cartesian2d<Ticked, Ticked>>;

/// Draws one chart; lengths are in units of `scale` pixels.
struct Painter<'c> {
    chart: &'c Chart,
    frame: Frame,
    scale: i32,
}

impl Paint for Painter<'_> {
    fn size(&self) -> (u32, u32) {
        (1000, 600)
    }

    fn said(&self) -> [&str; 3] {
        [&self.chart.title, &self.chart.subtitle, &self.chart.source]
    }

    fn paint<B: DrawingBackend>(&self, body: &DrawingArea<B, Shift>, _scale: i32) -> Painted<B> {
        let (width, _) = body.dim_in_pixel();
        let legend = self.legend_width();
        let (lines, beside) = body.split_horizontally(i32::try_from(width).unwrap_or(0) - legend);
        self.plot(&lines)?;
        self.legend(&beside, legend)
    }
}

impl Painter<'_> {
    fn px(&self, length: i32) -> i32 {
        length * self.scale
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
        let label = words(self.px(14), &WORDS, Pos::default());
        context
            .configure_mesh()
            .bold_line_style(GRID.stroke_width(self.scale.unsigned_abs()))
            .light_line_style(TRANSPARENT)
            .axis_style(FAINT.stroke_width(self.scale.unsigned_abs()))
            .label_style(label.clone())
            .axis_desc_style(words(self.px(16), &WORDS, Pos::default()))
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
            match series.shape {
                Shape::Line | Shape::Steps => {
                    self.band(&mut context, place, series, bound)?;
                    self.stroke(&mut context, place, series, bound)?;
                }
                Shape::Dots => self.whiskers(&mut context, place, series, bound, 0.0)?,
                Shape::Bars => self.bars(&mut context, place, series, bound)?,
            }
            let dots = match series.shape {
                Shape::Line | Shape::Steps => series.points.len() <= DOTS_UP_TO,
                Shape::Dots => true,
                Shape::Bars => false,
            };
            if dots {
                self.dots(&mut context, place, series, bound)?;
            }
        }
        for mark in self.chart.marks.iter().filter(|mark| x.contains(&mark.x)) {
            let (height, anchor) = match mark.edge {
                Edge::Top => (y.end, VPos::Top),
                Edge::Bottom => (y.start, VPos::Bottom),
            };
            let style = words(self.px(14), &WORDS, Pos::new(HPos::Center, anchor));
            context.draw_series([Text::new(shown(&mark.sign), (mark.x, height), style)])?;
        }
        Ok(())
    }

    fn stroke<B: DrawingBackend>(
        &self,
        context: &mut Context<'_, B>,
        place: usize,
        series: &Series,
        bound: (f64, f64),
    ) -> Painted<B> {
        let lower = self.lower(place);
        let path: Vec<(f64, f64)> = path(series, bound).into_iter().map(|(x, y)| (x, y - lower)).collect();
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
        Ok(())
    }

    /// Where the true values are thought to lie, as an area behind the line.
    fn band<B: DrawingBackend>(
        &self,
        context: &mut Context<'_, B>,
        place: usize,
        series: &Series,
        (least, most): (f64, f64),
    ) -> Painted<B> {
        let edge = |upper: bool| {
            let ends = |point: &Point| {
                let (from, to) = point.within?;
                let y = if upper { to } else { from };
                (point.x.is_finite() && y.is_finite()).then(|| (point.x, y.clamp(least, most)))
            };
            let points: Vec<(f64, f64)> = series.points.iter().filter_map(ends).collect();
            match series.shape {
                Shape::Steps => steps(&points),
                _ => points,
            }
        };
        let mut outline = edge(false);
        if outline.len() < 2 {
            return Ok(());
        }
        outline.extend(edge(true).into_iter().rev());
        context.draw_series([Polygon::new(outline, colour(place).mix(0.18).filled())])?;
        Ok(())
    }

    /// Where the true values are thought to lie, as a stroke through each point, `beside` it by so much.
    fn whiskers<B: DrawingBackend>(
        &self,
        context: &mut Context<'_, B>,
        place: usize,
        series: &Series,
        (least, most): (f64, f64),
        beside: f64,
    ) -> Painted<B> {
        let stroke = if series.shape == Shape::Bars { WORDS } else { colour(place) };
        let style = stroke.stroke_width(self.scale.unsigned_abs());
        let whisker = |point: &Point| {
            let (from, to) = point.within?;
            let ends = [from, to].map(|y| (point.x + beside, y.clamp(least, most)));
            point.x.is_finite().then(|| PathElement::new(ends.to_vec(), style))
        };
        context.draw_series(series.points.iter().filter_map(whisker))?;
        Ok(())
    }

    fn dots<B: DrawingBackend>(
        &self,
        context: &mut Context<'_, B>,
        place: usize,
        series: &Series,
        (least, most): (f64, f64),
    ) -> Painted<B> {
        let lower = self.lower(place);
        let dots = series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
        let dot = colour(place).filled();
        context.draw_series(dots.map(|point| {
            let at = (point.x, point.y.clamp(least, most) - lower);
            Circle::new(at, self.px(2) + self.scale, dot)
        }))?;
        Ok(())
    }

    fn bars<B: DrawingBackend>(
        &self,
        context: &mut Context<'_, B>,
        place: usize,
        series: &Series,
        (least, most): (f64, f64),
    ) -> Painted<B> {
        let barred = |series: &&Series| series.shape == Shape::Bars;
        let all = self.chart.series.iter().filter(barred).count().max(1) as f64;
        let before = self.chart.series[..place].iter().filter(barred).count() as f64;
        let room = BAR * between_bars(self.chart);
        let left = |x: f64| x - room / 2.0 + before * room / all;
        let points = || series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
        context.draw_series(points().map(|point| {
            let corners = [0.0, point.y].map(|y| y.clamp(least, most));
            let ends = [(left(point.x), corners[0]), (left(point.x) + room / all, corners[1])];
            Rectangle::new(ends, colour(place).filled())
        }))?;
        self.whiskers(context, place, series, (least, most), (before + 0.5) * room / all - room / 2.0)
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
        let style = words(self.px(15), &WORDS, Pos::default());
        let widest = self.chart.series.iter().map(|series| width(&shown(&series.name), &style)).max();
        let around = self.px(SAMPLE + 8 + MARGIN);
        (widest.unwrap_or(0) + around).min(self.px(LEGEND_MOST))
    }

    fn legend<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, width: i32) -> Painted<B> {
        let style = words(self.px(15), &WORDS, Pos::new(HPos::Left, VPos::Center));
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
                _ if series.shape == Shape::Dots => {
                    let dot = colour(place).filled();
                    area.draw(&Circle::new((self.px(SAMPLE / 2), y), self.px(3), dot))?;
                }
                _ if series.shape == Shape::Bars => {
                    let (half, fill) = (self.px(5), colour(place).filled());
                    area.draw(&Rectangle::new([(0, y - half), (self.px(SAMPLE), y + half)], fill))?;
                }
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
    let drawn = series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
    let points: Vec<(f64, f64)> = drawn.map(|point| (point.x, point.y.clamp(least, most))).collect();
    if series.shape == Shape::Steps { steps(&points) } else { points }
}

/// A line whose values hold until the next.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut path: Vec<(f64, f64)> = Vec::with_capacity(2 * points.len());
    for &(x, y) in points {
        if let Some(&(_, before)) = path.last() {
            path.push((x, before));
        }
        path.push((x, y));
    }
    path
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::chart::Scale;
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
    fn bars_dots_and_bands_are_drawn_in_their_places_and_named_in_the_legend() {
        let mut chart = sample();
        chart.y.range = None;
        chart.series[0].points[1].within = Some((-2.0, 0.5));
        chart.series[0].points[0].within = Some((-1.0, 1.0));
        let band = svg(&chart);
        assert_eq!(band.matches("<polygon").count(), 1, "{band}");
        chart.series[0].shape = Shape::Bars;
        chart.series[1].shape = Shape::Dots;
        chart.series[1].points[0].within = Some((0.0, 9.0));
        chart.x.words = vec![(1.0, "one".to_owned()), (2.0, "two".to_owned()), (99.0, "far".to_owned())];
        let bars = svg(&chart);
        assert!(bars.matches("<rect").count() >= 4 && bars.matches("<circle").count() >= 3, "{bars}");
        let texts = texts(&bars);
        assert!(texts.contains(&"one".to_owned()) && !texts.contains(&"far".to_owned()), "{texts:?}");
        assert!(draw(&chart, Picture::Png).is_ok());
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
