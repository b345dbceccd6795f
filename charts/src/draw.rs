use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::*;

use crate::axis::{Frame, Plot, across};
use crate::chart::{Chart, HEAD, put_points};
use crate::error::ChartError;
use crate::file::{Drawn, Figures};
use crate::legend::{legend, legend_height, legend_width};
use crate::pen::{Pen, size_of};
use crate::picture::{Paint, Painted, Picture, picture};
use crate::plot::Painter;
use crate::stacked::{Lower, Stacked};

/// Width and height of a sheet, and the extra height of a lower chart.
const WIDTH: u32 = 1000;
const HEIGHT: u32 = 600;
const LOWER: i32 = 170;
/// The height of the upper chart on a sheet of `HEIGHT`.
const UPPER: i32 = 480;

/// # Errors
/// `NoPoints` without a drawable point, `Drawing` if drawing fails.
pub fn draw(chart: &Chart, kind: Picture) -> Result<Vec<u8>, ChartError> {
    picture(&Sheet::new(chart, None)?, kind)
}

/// # Errors
/// As [`draw`]; the lower chart may have no points.
pub fn draw_stacked(stacked: &Stacked, kind: Picture) -> Result<Vec<u8>, ChartError> {
    picture(&Sheet::new(&stacked.chart, Some(&stacked.lower))?, kind)
}

impl Drawn for Chart {
    fn title(&self) -> &str {
        &self.title
    }

    fn draw(&self, kind: Picture) -> Result<Vec<u8>, ChartError> {
        draw(self, kind)
    }

    fn data(&self) -> Result<String, ChartError> {
        Chart::data(self)
    }
}

impl Drawn for Stacked {
    fn title(&self) -> &str {
        &self.chart.title
    }

    fn draw(&self, kind: Picture) -> Result<Vec<u8>, ChartError> {
        draw_stacked(self, kind)
    }

    fn data(&self) -> Result<String, ChartError> {
        let mut figures = Figures::new(&HEAD)?;
        self.chart.put(&mut figures)?;
        put_points(&mut figures, "below", &self.lower.series, (self.chart.x.scale, self.lower.y.scale))?;
        figures.text()
    }
}

struct Sheet<'c> {
    chart: &'c Chart,
    plots: Vec<Plot<'c>>,
    /// Of the points in all plots.
    xs: (f64, f64),
}

impl<'c> Sheet<'c> {
    fn new(chart: &'c Chart, lower: Option<&'c Lower>) -> Result<Sheet<'c>, ChartError> {
        let Chart { x, y, series, marks, beside, .. } = chart;
        let upper = Plot { x, y, series, marks, beside: *beside, first: 0, low: false };
        if across(series.iter()).is_none() {
            return Err(ChartError::NoPoints { title: chart.title.clone() });
        }
        let below = |lower: &'c Lower| Plot {
            x,
            y: &lower.y,
            series: &lower.series,
            marks: &[],
            beside: false,
            first: lower.first,
            low: true,
        };
        let plots: Vec<Plot<'_>> = [upper].into_iter().chain(lower.map(below)).collect();
        let extents = plots.iter().filter_map(|plot| across(plot.series.iter()));
        let xs =
            extents.fold((f64::INFINITY, f64::NEG_INFINITY), |all, one| (all.0.min(one.0), all.1.max(one.1)));
        Ok(Sheet { chart, plots, xs })
    }
}

impl Paint for Sheet<'_> {
    fn size(&self) -> (u32, u32) {
        let lower = if self.plots.len() > 1 { LOWER.unsigned_abs() } else { 0 };
        // Up to 22 names are in the legend of a sheet of this height.
        let more = (legend_height(self.chart.series.len()) - UPPER).max(0).unsigned_abs();
        (WIDTH, HEIGHT + lower + more)
    }

    fn said(&self) -> [&str; 3] {
        [&self.chart.title, &self.chart.subtitle, &self.chart.source]
    }

    fn paint<B: DrawingBackend>(&self, body: &DrawingArea<B, Shift>, pen: Pen) -> Painted<B> {
        let (width, height) = size_of(body);
        let beside = width - legend_width(self.plots.iter().flat_map(|plot| plot.series), pen);
        let areas = match self.plots.len() {
            1 => vec![body.clone()],
            // Numbers and name of the axis are below the lower chart.
            _ => {
                let (upper, lower) = body.split_vertically(height - pen.px(LOWER + 30));
                vec![upper, lower]
            }
        };
        let last = self.plots.len() - 1;
        for (n, (plot, area)) in self.plots.iter().zip(&areas).enumerate() {
            let (lines, names) = area.split_horizontally(beside);
            Painter::new(*plot, Frame::of(plot, self.xs), pen).paint(&lines, n == last)?;
            legend(&names, plot.series, plot.first, pen)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::chart::tests::sample;
    use crate::chart::{Point, Scale, Series, Shape};

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
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let png::OutputInfo { width, height, .. } = reader.next_frame(&mut pixels).unwrap();
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
    fn rings_and_lines_of_reference_take_no_colour_and_stand_in_the_legend() {
        let mut chart = sample();
        let points = vec![Point::new(2.0, -1.25), Point::new(3.0, f64::INFINITY)];
        chart.series[1] = Series { name: "blunders".to_owned(), shape: Shape::Rings, points };
        let line = vec![Point::new(1.0, 0.0), Point::new(3.0, 1.0)];
        chart.series.push(Series { name: "as said".to_owned(), shape: Shape::Reference, points: line });
        let svg = svg(&chart);
        let rings = svg.lines().filter(|line| line.contains("<circle") && line.contains("r=\"7\"")).count();
        assert_eq!(rings, 2, "one in the chart, since the other has no height, and one in the legend: {svg}");
        assert!(!svg.contains("#D55E00") && !svg.contains("#009E73"), "{svg}");
        assert!(texts(&svg).contains(&"as said".to_owned()));
        assert!(chart.data().unwrap().contains("point,blunders,,3,,,,\n"));
    }

    #[test]
    fn no_band_lies_over_a_line() {
        let mut chart = sample();
        chart.y.range = None;
        for series in &mut chart.series {
            series.points.iter_mut().for_each(|point| point.within = Some((point.y - 1.0, point.y + 1.0)));
        }
        let svg = svg(&chart);
        let last_band = svg.rfind("<polygon").unwrap();
        let first_line = svg.find("<polyline fill=\"none\" opacity=\"1\" stroke=\"#0072B2\"").unwrap();
        assert!(last_band < first_line, "{svg}");
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
        assert!(texts[0].starts_with("title title") && texts[1].ends_with('…'), "{texts:#?}");
    }
}
