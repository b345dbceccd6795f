//! Draws one pair of axes: bands, then lines, bars and dots, then marks.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use crate::axis::{Bars, Frame, Plot, Ticked};
use crate::chart::{Edge, Mark, Point, Series, Shape};
use crate::colours::{colour, dashes};
use crate::marks::rows;
use crate::pen::{Pen, size_of};
use crate::picture::{MARGIN, Painted};
use crate::text::{FAINT, GRID, WORDS, fitting, shown, width as width_of};

/// Dots are drawn up to this number of points.
const DOTS_UP_TO: usize = 60;

/// The part of the distance that bars fill.
const BAR: f64 = 0.8;

/// Opacity of a band's edges.
const EDGE: f64 = 0.4;

/// For an axis's numbers and name.
const BELOW: i32 = 48;
/// Between the axis and a turned name, and the longest one.
const TICK: i32 = 8;
const LONGEST: i32 = 160;
const LEFT: i32 = 66;
/// Of marks.
const ROW: i32 = 16;

/// A series and its place among those drawn.
type Placed<'s> = (usize, &'s Series);

type Context<'a, B> = ChartContext<'a, B, Cartesian2d<Ticked, Ticked>>;

/// Draws one plot.
pub(crate) struct Painter<'c> {
    plot: Plot<'c>,
    frame: Frame,
    pen: Pen,
    /// The drawn range of values.
    bound: (f64, f64),
    /// The series whose lines coincide on a stretch that begins or ends at a point.
    coinciding: BTreeMap<[u64; 2], BTreeSet<usize>>,
}

impl<'c> Painter<'c> {
    pub(crate) fn new(plot: Plot<'c>, frame: Frame, pen: Pen) -> Painter<'c> {
        let bound = plot.y.range.unwrap_or((frame.y.range.start, frame.y.range.end));
        let coinciding = if plot.beside { coinciding(plot.series) } else { BTreeMap::new() };
        Painter { plot, frame, pen, bound, coinciding }
    }

    /// `named`: with numbers and name of the x axis.
    pub(crate) fn paint<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, named: bool) -> Painted<B> {
        let (pen, plot) = (self.pen, &self.plot);
        let turned = if named { self.turned(area) } else { None };
        let below = turned.map_or(pen.px(BELOW), |longest| pen.px(BELOW - TICK) + longest);
        let mut context = ChartBuilder::on(area)
            .margin_left(pen.px(MARGIN - 6))
            .margin_right(pen.px(MARGIN))
            .margin_top(pen.px(6))
            .x_label_area_size(if named { below } else { 0 })
            .y_label_area_size(pen.px(LEFT))
            .build_cartesian_2d(self.frame.x.clone(), self.frame.y.clone())?;
        let held = (HPos::Left, VPos::Top);
        let mut mesh = context.configure_mesh();
        mesh.bold_line_style(pen.stroke(GRID, 1))
            .light_line_style(TRANSPARENT)
            .axis_style(pen.stroke(FAINT, 1))
            .label_style(pen.words(14, &WORDS, held))
            .axis_desc_style(pen.words(16, &WORDS, held))
            .y_desc(shown(&plot.y.name));
        if named {
            mesh.x_desc(shown(&plot.x.name));
        }
        let blank = |_: &f64| String::new();
        if turned.is_some() {
            mesh.x_label_formatter(&blank);
        }
        mesh.draw()?;
        if turned.is_some() {
            self.turned_names(area, &context)?;
        }
        self.rules(&mut context)?;
        let drawn = || plot.series.iter().enumerate();
        // A band over another series' line would hide it.
        for drawn in drawn().filter(|(_, series)| is_line(series.shape)) {
            self.band(&mut context, drawn)?;
        }
        for drawn in drawn() {
            let (place, series) = drawn;
            match series.shape {
                Shape::Line | Shape::Steps => {
                    self.stroke(&mut context, drawn)?;
                    // A single interval is not a band.
                    if intervals(series) == 1 {
                        self.whiskers(&mut context, drawn, 0.0)?;
                    }
                }
                Shape::Dots => self.whiskers(&mut context, drawn, self.aside(place))?,
                Shape::Bars => self.bars(&mut context, drawn)?,
                Shape::Rings => self.rings(&mut context, series)?,
                Shape::Reference => self.reference(&mut context, series)?,
            }
            let dots = match series.shape {
                Shape::Line | Shape::Steps => series.points.len() <= DOTS_UP_TO,
                Shape::Dots => true,
                Shape::Bars | Shape::Rings | Shape::Reference => false,
            };
            if dots {
                self.dots(&mut context, drawn)?;
            }
        }
        self.marks(&mut context)
    }

    /// The length of the longest name of the x axis, if the names do not fit side by side.
    fn turned<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Option<i32> {
        let words = &self.plot.x.words;
        let [(first, _), (second, _), ..] = words.as_slice() else { return None };
        let style = self.pen.words(14, &WORDS, (HPos::Right, VPos::Center));
        let longest = words.iter().map(|(_, word)| width_of(&shown(word), &style)).max()?;
        let range = &self.frame.x.range;
        let across = size_of(area).0 - self.pen.px(LEFT + 2 * MARGIN);
        let place = f64::from(across) * (second - first) / (range.end - range.start);
        (f64::from(longest + self.pen.px(8)) > place).then(|| longest.min(self.pen.px(LONGEST)))
    }

    /// The names of the x axis from below to above, each ending at its place.
    fn turned_names<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        context: &Context<'_, B>,
    ) -> Painted<B> {
        let style = self.pen.words(14, &WORDS, (HPos::Right, VPos::Center));
        let (left, top) = area.get_base_pixel();
        let Range { start, end } = self.frame.y.range.clone();
        for (at, word) in self.plot.x.words.iter().filter(|(at, _)| self.frame.x.range.contains(at)) {
            let ys = [start, end].map(|y| context.backend_coord(&(*at, y)));
            let place = (ys[0].0 - left, ys[0].1.max(ys[1].1) - top + self.pen.px(TICK));
            let word = fitting(word, &style, self.pen.px(LONGEST));
            area.draw_text(&word, &style.transform(FontTransform::Rotate270), place)?;
        }
        Ok(())
    }

    /// Through the values set on the axes.
    fn rules<B: DrawingBackend>(&self, context: &mut Context<'_, B>) -> Painted<B> {
        let (x, y) = (&self.frame.x.range, &self.frame.y.range);
        let style = self.pen.stroke(FAINT, 1);
        if let Some(rule) = self.plot.y.rule.filter(|rule| y.contains(rule)) {
            context.draw_series([PathElement::new(vec![(x.start, rule), (x.end, rule)], style)])?;
        }
        if let Some(rule) = self.plot.x.rule.filter(|rule| x.contains(rule)) {
            context.draw_series([PathElement::new(vec![(rule, y.start), (rule, y.end)], style)])?;
        }
        Ok(())
    }

    fn stroke<B: DrawingBackend>(&self, context: &mut Context<'_, B>, drawn: Placed<'_>) -> Painted<B> {
        let (place, series) = drawn;
        let path = self.path(series).into_iter().map(|at| self.lowered(place, at));
        let path: Vec<(f64, f64)> = path.collect();
        let colour = colour(self.plot.first + place);
        let style = self.pen.stroke(colour, 2);
        match dashes(self.plot.first + place) {
            // The library's slanted pixel lines are too thin, so each segment is drawn as an area, and a dot joins
            // them.
            (0, _) if self.pen.is_fine() => {
                let area = context.plotting_area().strip_coord_spec();
                let (left, top) = area.get_base_pixel();
                let pixel = |at: &(f64, f64)| {
                    let (x, y) = context.backend_coord(at);
                    (x - left, y - top)
                };
                let path: Vec<(i32, i32)> = path.iter().map(pixel).collect();
                for ends in path.windows(2) {
                    area.draw(&Polygon::new(stretch(ends[0], ends[1], self.pen.px(2)), colour.filled()))?;
                }
                for at in path {
                    area.draw(&Circle::new(at, self.pen.px(1), colour.filled()))?;
                }
            }
            (0, _) => {
                context.draw_series([PathElement::new(path, style)])?;
            }
            (ink, space) => self.broken(context, path, (ink, space), style)?,
        }
        Ok(())
    }

    fn broken<B: DrawingBackend>(
        &self,
        context: &mut Context<'_, B>,
        path: Vec<(f64, f64)>,
        (ink, space): (i32, i32),
        style: ShapeStyle,
    ) -> Painted<B> {
        context.draw_series(DashedLineSeries::new(path, self.pen.px(ink), self.pen.px(space), style))?;
        Ok(())
    }

    fn reference<B: DrawingBackend>(&self, context: &mut Context<'_, B>, series: &Series) -> Painted<B> {
        self.broken(context, self.path(series), REFERENCE, self.pen.stroke(FAINT, 1))
    }

    /// The confidence band, behind the lines.
    fn band<B: DrawingBackend>(&self, context: &mut Context<'_, B>, drawn: Placed<'_>) -> Painted<B> {
        let (place, series) = drawn;
        let edge = |upper: bool| {
            let ends = |point: &Point| {
                let (from, to) = point.within?;
                let y = if upper { to } else { from };
                (point.x.is_finite() && y.is_finite()).then(|| (point.x, self.kept(y)))
            };
            let points: Vec<(f64, f64)> = series.points.iter().filter_map(ends).collect();
            match series.shape {
                Shape::Steps => steps(&points),
                _ => points,
            }
        };
        let (below, above) = (edge(false), edge(true));
        if below.len() < 2 {
            return Ok(());
        }
        let colour = colour(self.plot.first + place);
        let outline = below.iter().chain(above.iter().rev()).copied().collect::<Vec<_>>();
        context.draw_series([Polygon::new(outline, colour.mix(self.shade()).filled())])?;
        // Edges show whose band it is.
        let style = colour.mix(EDGE).stroke_width(self.pen.px(1).unsigned_abs());
        context.draw_series([below, above].map(|edge| PathElement::new(edge, style)))?;
        Ok(())
    }

    /// Lighter the more bands overlap.
    fn shade(&self) -> f64 {
        let banded = |series: &&Series| is_line(series.shape) && intervals(series) > 1;
        match self.plot.series.iter().filter(banded).count() {
            0..=2 => 0.18,
            3..=4 => 0.13,
            _ => 0.09,
        }
    }

    /// Intervals as error bars through points, shifted by `beside` to the right.
    fn whiskers<B: DrawingBackend>(
        &self,
        context: &mut Context<'_, B>,
        (place, series): Placed<'_>,
        beside: f64,
    ) -> Painted<B> {
        let ink = if series.shape == Shape::Bars { WORDS } else { colour(self.plot.first + place) };
        let style = self.pen.stroke(ink, 1);
        let whisker = |point: &Point| {
            let (from, to) = point.within?;
            let ends = [from, to].map(|y| (point.x + beside, self.kept(y)));
            point.x.is_finite().then(|| PathElement::new(ends.to_vec(), style))
        };
        context.draw_series(series.points.iter().filter_map(whisker))?;
        Ok(())
    }

    fn dots<B: DrawingBackend>(&self, context: &mut Context<'_, B>, drawn: Placed<'_>) -> Painted<B> {
        let (place, series) = drawn;
        let moved = |(x, y): (f64, f64)| match series.shape {
            Shape::Dots => (x + self.aside(place), y),
            _ => self.lowered(place, (x, y)),
        };
        let dot = colour(self.plot.first + place).filled();
        let dot = |at: (f64, f64)| Circle::new(moved(at), self.pen.px(3), dot);
        context.draw_series(self.finite(series).map(dot))?;
        Ok(())
    }

    fn rings<B: DrawingBackend>(&self, context: &mut Context<'_, B>, series: &Series) -> Painted<B> {
        let style = self.pen.stroke(WORDS, RING_STROKE);
        context.draw_series(self.finite(series).map(|at| Circle::new(at, self.pen.px(RING), style)))?;
        Ok(())
    }

    fn bars<B: DrawingBackend>(&self, context: &mut Context<'_, B>, drawn: Placed<'_>) -> Painted<B> {
        let (place, series) = drawn;
        let Some(Bars { apart, beside }) = Bars::of(self.plot.series.iter()) else { return Ok(()) };
        let barred = |series: &&Series| series.shape == Shape::Bars;
        let before = self.plot.series.iter().take(place).filter(barred).count() % beside;
        let room = BAR * apart;
        let width = room / beside as f64;
        let left = before as f64 * width - room / 2.0;
        let fill = colour(self.plot.first + place).filled();
        let points = series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
        context.draw_series(points.map(|point| {
            let [foot, top] = [0.0, point.y].map(|y| self.kept(y));
            Rectangle::new([(point.x + left, foot), (point.x + left + width, top)], fill)
        }))?;
        self.whiskers(context, drawn, left + width / 2.0)
    }

    /// Overlapping labels use several rows; outer ones stay in the frame.
    fn marks<B: DrawingBackend>(&self, context: &mut Context<'_, B>) -> Painted<B> {
        let (x, y) = (&self.frame.x.range, &self.frame.y.range);
        let area = context.plotting_area().strip_coord_spec();
        let ((left, _), pen) = (area.get_base_pixel(), self.pen);
        let (width, height) = size_of(&area);
        for (edge, held) in [(Edge::Top, VPos::Top), (Edge::Bottom, VPos::Bottom)] {
            let style = pen.words(14, &WORDS, (HPos::Center, held));
            let wide = |sign: &str| width_of(sign, &style) + pen.px(4);
            let here = self.plot.marks.iter().filter(|mark| mark.edge == edge && x.contains(&mark.x));
            let sign = |mark: &Mark| {
                let (at, sign) = (context.backend_coord(&(mark.x, y.start)).0 - left, shown(&mark.sign));
                // Labels avoid the vertical rule.
                let beside = if self.plot.x.rule == Some(mark.x) { wide(&sign) / 2 + pen.px(2) } else { 0 };
                (at - beside, sign)
            };
            let signs: Vec<(i32, String)> = here.map(sign).collect();
            for (at, row, sign) in rows(&signs, width, wide) {
                let inwards = pen.px(2 + ROW * row);
                let down = if edge == Edge::Top { inwards } else { height - inwards };
                area.draw_text(&sign, &style, (at, down))?;
            }
        }
        Ok(())
    }

    /// A point of a line, shifted where other lines coincide with it there. Every other point keeps its value.
    fn lowered(&self, place: usize, (x, y): (f64, f64)) -> (f64, f64) {
        let Some(lines) = self.coinciding.get(&[x, y].map(f64::to_bits)) else { return (x, y) };
        if !lines.contains(&place) {
            return (x, y);
        }
        let before = lines.range(..place).count() as f64;
        let range = &self.frame.y.range;
        let share = (0.007f64).min(0.06 / lines.len() as f64);
        (x, y - (before - (lines.len() - 1) as f64 / 2.0) * share * (range.end - range.start))
    }

    /// The shift to the right of coinciding dots.
    fn aside(&self, place: usize) -> f64 {
        let dotted = |series: &&Series| series.shape == Shape::Dots;
        let all = self.plot.series.iter().filter(dotted).count();
        if !self.plot.beside || all < 2 {
            return 0.0;
        }
        let before = self.plot.series.iter().take(place).filter(dotted).count();
        let x = &self.frame.x.range;
        (before as f64 - (all - 1) as f64 / 2.0) * 0.006 * (x.end - x.start)
    }

    /// Limited to the edges.
    fn kept(&self, y: f64) -> f64 {
        y.clamp(self.bound.0, self.bound.1)
    }

    /// Finite points.
    fn finite(&self, series: &Series) -> impl Iterator<Item = (f64, f64)> {
        let finite = series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
        finite.map(|point| (point.x, self.kept(point.y)))
    }

    fn path(&self, series: &Series) -> Vec<(f64, f64)> {
        let points: Vec<(f64, f64)> = self.finite(series).collect();
        if series.shape == Shape::Steps { steps(&points) } else { points }
    }
}

/// The lines that have a stretch in common, by the points at its ends.
fn coinciding(series: &[Series]) -> BTreeMap<[u64; 2], BTreeSet<usize>> {
    let mut stretches: BTreeMap<[[u64; 2]; 2], Vec<usize>> = BTreeMap::new();
    for (place, series) in series.iter().enumerate().filter(|(_, series)| is_line(series.shape)) {
        for ends in series.points.windows(2) {
            let ends = [&ends[0], &ends[1]].map(|point| [point.x, point.y].map(f64::to_bits));
            stretches.entry(ends).or_default().push(place);
        }
    }
    let mut points: BTreeMap<[u64; 2], BTreeSet<usize>> = BTreeMap::new();
    for (ends, places) in stretches.into_iter().filter(|(_, places)| places.len() > 1) {
        for end in ends {
            points.entry(end).or_default().extend(&places);
        }
    }
    points
}

/// A ring's size and line width.
pub(crate) const RING: i32 = 7;
pub(crate) const RING_STROKE: i32 = 2;
/// Dashes of a reference line.
pub(crate) const REFERENCE: (i32, i32) = (5, 4);

/// Points with intervals.
fn intervals(series: &Series) -> usize {
    series.points.iter().filter(|point| point.within.is_some()).count()
}

const fn is_line(shape: Shape) -> bool {
    matches!(shape, Shape::Line | Shape::Steps)
}

/// The corners of a line with a width.
fn stretch((x0, y0): (i32, i32), (x1, y1): (i32, i32), width: i32) -> Vec<(i32, i32)> {
    let (dx, dy) = (f64::from(x1 - x0), f64::from(y1 - y0));
    let half = f64::from(width) / 2.0 / dx.hypot(dy).max(1.0);
    let (across, down) = ((-dy * half).round() as i32, (dx * half).round() as i32);
    vec![
        (x0 + across, y0 + down),
        (x1 + across, y1 + down),
        (x1 - across, y1 - down),
        (x0 - across, y0 - down),
    ]
}

/// Values are constant to the next point.
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
    use super::*;

    #[test]
    fn a_slanting_line_is_as_wide_as_a_level_one() {
        assert_eq!(stretch((0, 0), (10, 0), 8), [(0, 4), (10, 4), (10, -4), (0, -4)]);
        assert_eq!(stretch((0, 0), (10, 10), 8), [(-3, 3), (7, 13), (13, 7), (3, -3)]);
        assert_eq!(stretch((5, 5), (5, 5), 8), [(5, 5); 4]);
    }
}
