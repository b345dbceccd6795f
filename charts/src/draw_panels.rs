//! Draws tables of numbers as coloured fields with names and a scale.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use crate::error::ChartError;
use crate::file::Drawn;
use crate::panels::{Colours, Panel, Panels};
use crate::pen::{Pen, count};
use crate::picture::{MARGIN, Paint, Painted, Picture, picture};
use crate::text::{FAINT, GRID, WORDS, fitting, shown, width, wrapped};
use crate::ticks::plain;

/// Of a sheet, and of its scale.
const WIDTH: i32 = 1000;
const SCALE: i32 = 110;
/// For names of rows and columns, and of a panel.
const ROWS: i32 = 34;
const COLUMNS: i32 = 20;
const NAME: i32 = 26;
/// Of fields.
const LARGEST: i32 = 64;
const SMALLEST: i32 = 3;
/// Of a picture, and of what is above its tables.
const TALLEST: i32 = 8_000;
const HEAD: i32 = 90 + 24;
/// Of the scale.
const STEPS: i32 = 100;
/// Of text in fields.
const LARGE: i32 = 14;
const SMALL: i32 = 8;

/// # Errors
/// `NoPoints` without a number, `Drawing` if drawing fails.
pub fn draw_panels(panels: &Panels, kind: Picture) -> Result<Vec<u8>, ChartError> {
    let range = panels.range().ok_or_else(|| ChartError::NoPoints { title: panels.title.clone() })?;
    let painter = Painter::new(panels, range);
    painter.check()?;
    picture(&painter, kind)
}

impl Drawn for Panels {
    fn title(&self) -> &str {
        &self.title
    }

    fn draw(&self, kind: Picture) -> Result<Vec<u8>, ChartError> {
        draw_panels(self, kind)
    }

    fn data(&self) -> Result<String, ChartError> {
        Panels::data(self)
    }
}

struct Painter<'p> {
    panels: &'p Panels,
    range: (f64, f64),
    beside: i32,
    /// The width of the longest row name.
    names: i32,
    field: i32,
}

impl<'p> Painter<'p> {
    fn new(panels: &'p Panels, range: (f64, f64)) -> Painter<'p> {
        let beside = count(panels.beside.clamp(1, panels.panels.len().max(1)));
        let longest = panels.panels.iter().flat_map(|panel| &panel.rows).map(|row| row.chars().count()).max();
        let names = ROWS.max((8 * count(longest.unwrap_or(0)).min(22)) + 12);
        let widest = panels.panels.iter().map(|panel| panel.columns.len()).max().unwrap_or(1).max(1);
        let room = (WIDTH - SCALE - 2 * MARGIN) / beside - names - MARGIN;
        let field = (room / count(widest)).min(LARGEST);
        let mut painter = Painter { panels, range, beside, names, field };
        painter.field = field.min(painter.height_for_rows() / painter.rows().max(1)).max(SMALLEST);
        painter
    }

    /// The height that the tallest picture has for rows.
    fn height_for_rows(&self) -> i32 {
        let lines = count(self.panels.panels.len()).div_euclid(self.beside.max(1)) + 1;
        TALLEST - HEAD - lines * (NAME + COLUMNS + MARGIN)
    }

    /// The rows that are one below the other.
    fn rows(&self) -> i32 {
        self.lines().map(|(line, _)| tallest(line)).sum()
    }

    /// # Errors
    /// `TooMany` if the smallest fields do not fit.
    fn check(&self) -> Result<(), ChartError> {
        let room = (WIDTH - SCALE - 2 * MARGIN) / self.beside - self.names - MARGIN;
        let widest = self.panels.panels.iter().map(|panel| panel.columns.len()).max().unwrap_or(0);
        let rows = usize::try_from(self.rows()).unwrap_or(0);
        for (what, found, room) in [("rows", rows, self.height_for_rows()), ("columns", widest, room)] {
            let most = usize::try_from(room / SMALLEST).unwrap_or(0);
            if found > most {
                return Err(ChartError::TooMany { what, found, most });
            }
        }
        Ok(())
    }

    /// Rows of panels with their heights.
    fn lines(&self) -> impl Iterator<Item = (&[Panel], i32)> {
        let beside = usize::try_from(self.beside).unwrap_or(1);
        self.panels
            .panels
            .chunks(beside)
            .map(|line| (line, NAME + COLUMNS + tallest(line) * self.field + MARGIN))
    }

    fn colour(&self, value: f64) -> RGBColor {
        let (least, most) = self.range;
        let share = if most > least { (value - least) / (most - least) } else { 0.5 };
        match self.panels.colours {
            Colours::LightToDark => blend((247, 251, 255), (8, 48, 107), share),
            Colours::AroundZero if share < 0.5 => blend((179, 88, 6), (255, 255, 255), 2.0 * share),
            Colours::AroundZero => blend((255, 255, 255), (5, 80, 150), 2.0 * share - 1.0),
        }
    }

    fn panel<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        panel: &Panel,
        (left, top): (i32, i32),
        pen: Pen,
    ) -> Painted<B> {
        let (x0, y0) = (left + self.names, top + NAME);
        let (across, down) = (count(panel.columns.len()) * self.field, count(panel.rows.len()) * self.field);
        let title = pen.bold(15, (HPos::Left, VPos::Top));
        area.draw_text(&fitting(&panel.name, &title, pen.px(across.max(60))), &title, pen.at((x0, top)))?;
        let size = (self.field - 2).clamp(SMALL, 13);
        let row_style = pen.words(size, &WORDS, (HPos::Right, VPos::Center));
        // Row names that do not fit are omitted alternately.
        let named = usize::try_from(size / self.field.max(1)).unwrap_or(0) + 1;
        for (r, row) in panel.rows.iter().enumerate() {
            let y = y0 + count(r) * self.field;
            if r % named == 0 {
                let name = fitting(row, &row_style, pen.px(self.names - 8));
                let middle = pen.px(y) + pen.px(self.field) / 2 + pen.sunk(size);
                area.draw_text(&name, &row_style, (pen.px(x0 - 5), middle))?;
            }
            for c in 0..panel.columns.len() {
                self.field(area, panel, (r, c), (x0 + count(c) * self.field, y), pen)?;
            }
        }
        frame(area, (x0, y0), (x0 + across, y0 + down), pen)?;
        // So are column names.
        let column_style = pen.words(size, &WORDS, (HPos::Center, VPos::Top));
        let widest = panel.columns.iter().map(|name| width(&shown(name), &column_style)).max().unwrap_or(1);
        let every = usize::try_from((widest + pen.px(2)) / pen.px(self.field.max(1))).unwrap_or(0) + 1;
        for (c, column) in panel.columns.iter().enumerate().step_by(every) {
            let x = pen.px(x0 + count(c) * self.field) + pen.px(self.field) / 2;
            area.draw_text(&shown(column), &column_style, (x, pen.px(y0 + down + 4)))?;
        }
        Ok(())
    }

    fn field<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        panel: &Panel,
        (row, column): (usize, usize),
        (x, y): (i32, i32),
        pen: Pen,
    ) -> Painted<B> {
        let corners = [pen.at((x, y)), pen.at((x + self.field, y + self.field))];
        let value = panel.value(row, column).filter(|value| value.is_finite());
        let fill = value.map_or(WHITE, |value| self.colour(value));
        if value.is_some() {
            area.draw(&Rectangle::new(corners, fill.filled()))?;
        }
        if !panel.words.is_empty() {
            area.draw(&Rectangle::new(corners, pen.stroke(GRID, 1)))?;
        }
        let word = panel.word(row, column);
        if word.is_empty() {
            return Ok(());
        }
        let ink = if is_dark(fill) { &WHITE } else { &WORDS };
        let (style, height, lines) = self.broken(word, ink, pen);
        let middle = (pen.px(x) + pen.px(self.field) / 2, pen.px(y) + pen.px(self.field) / 2);
        for (n, line) in lines.iter().enumerate() {
            let down = (2 * count(n) + 1 - count(lines.len())) * pen.px(height) / 2;
            area.draw_text(line, &style, (middle.0, middle.1 + down + pen.sunk(height)))?;
        }
        Ok(())
    }

    /// Wrapped text in the largest size that fits.
    fn broken(
        &self,
        words: &str,
        ink: &'static RGBColor,
        pen: Pen,
    ) -> (TextStyle<'static>, i32, Vec<String>) {
        let room = pen.px(self.field - 2);
        let at = |size: i32| {
            let style = pen.words(size, ink, (HPos::Center, VPos::Center));
            let lines = wrapped(words, |line| width(line, &style) <= room);
            (style, size + 2, lines)
        };
        let fits = |(style, height, lines): &(TextStyle<'_>, i32, Vec<String>)| {
            count(lines.len()) * height <= self.field && lines.iter().all(|line| width(line, style) <= room)
        };
        let largest = (self.field / 3).clamp(SMALL, LARGE);
        let found = (SMALL..=largest).rev().map(at).find(fits);
        let (style, height, mut lines) = found.unwrap_or_else(|| at(SMALL));
        lines.truncate(usize::try_from(self.field / height).unwrap_or(1).max(1));
        let lines = lines.iter().map(|line| fitting(line, &style, room)).collect();
        (style, height, lines)
    }

    fn scale<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, height: i32, pen: Pen) -> Painted<B> {
        let (left, right) = (WIDTH - SCALE + 8, WIDTH - SCALE + 30);
        let (top, bottom) = (NAME + 30, (height - 40).clamp(NAME + 90, NAME + 330));
        let (least, most) = self.range;
        let step = f64::from(pen.px(bottom - top)) / f64::from(STEPS);
        for n in 0..STEPS {
            let at = |n: i32| (f64::from(pen.px(bottom)) - f64::from(n) * step).round() as i32;
            let value = least + (most - least) * f64::from(n) / f64::from(STEPS - 1);
            let corners = [(pen.px(left), at(n + 1)), (pen.px(right), at(n))];
            area.draw(&Rectangle::new(corners, self.colour(value).filled()))?;
        }
        frame(area, (left, top), (right, bottom), pen)?;
        let style = pen.words(13, &WORDS, (HPos::Left, VPos::Center));
        for (value, y) in [(most, top), ((least + most) / 2.0, (top + bottom) / 2), (least, bottom)] {
            area.draw_text(&plain(value), &style, pen.at((right + 6, y)))?;
        }
        // The measured quantity is above.
        let above = pen.words(13, &WORDS, (HPos::Left, VPos::Bottom));
        let room = pen.px(SCALE - 12);
        let lines = wrapped(&self.panels.measured, |line| width(line, &above) <= room);
        for (n, line) in lines.iter().rev().enumerate() {
            let y = top - 8 - 15 * count(n);
            area.draw_text(&fitting(line, &above, room), &above, pen.at((left, y)))?;
        }
        Ok(())
    }
}

/// The rows of the tallest of some panels.
fn tallest(line: &[Panel]) -> i32 {
    line.iter().map(|panel| count(panel.rows.len())).max().unwrap_or(0)
}

fn frame<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    from: (i32, i32),
    to: (i32, i32),
    pen: Pen,
) -> Painted<B> {
    area.draw(&Rectangle::new([pen.at(from), pen.at(to)], pen.stroke(FAINT, 1)))
}

impl Paint for Painter<'_> {
    fn size(&self) -> (u32, u32) {
        let tables: i32 = self.lines().map(|(_, height)| height).sum();
        (WIDTH.unsigned_abs(), (HEAD + tables).clamp(320, TALLEST).unsigned_abs())
    }

    fn said(&self) -> [&str; 3] {
        [&self.panels.title, &self.panels.subtitle, &self.panels.source]
    }

    fn paint<B: DrawingBackend>(&self, body: &DrawingArea<B, Shift>, pen: Pen) -> Painted<B> {
        let width = (WIDTH - SCALE - 2 * MARGIN) / self.beside;
        let mut top = 14;
        for (line, height) in self.lines() {
            for (place, panel) in line.iter().enumerate() {
                self.panel(body, panel, (MARGIN + count(place) * width, top), pen)?;
            }
            top += height;
        }
        self.scale(body, top, pen)
    }
}

fn blend(from: (u8, u8, u8), to: (u8, u8, u8), share: f64) -> RGBColor {
    let share = share.clamp(0.0, 1.0);
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// Whether white text is more readable.
fn is_dark(colour: RGBColor) -> bool {
    2 * u32::from(colour.0) + 5 * u32::from(colour.1) + u32::from(colour.2) < 8 * 120
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panels::tests::sample;

    fn svg(panels: &Panels) -> String {
        String::from_utf8(draw_panels(panels, Picture::Svg).unwrap()).unwrap()
    }

    #[test]
    fn every_panel_row_column_and_the_ends_of_the_scale_are_named() {
        let svg = svg(&sample(Colours::AroundZero));
        for word in ["Where they stand", "cats", "dogs", "share (percent)", "dataset 0123", "−2", "2"] {
            assert!(svg.lines().any(|line| line.trim() == word), "{word}: {svg}");
        }
    }

    #[test]
    fn a_field_without_a_number_is_left_white_and_a_number_has_its_colour() {
        let panels = sample(Colours::AroundZero);
        let svg = svg(&panels);
        let fields = svg.matches("<rect").count();
        let scale_and_frames = usize::try_from(STEPS).unwrap() + 1 + 2 + 1;
        assert_eq!(fields - scale_and_frames, 8, "four fields with a number in each panel");
        let painter = Painter::new(&panels, (-2.0, 2.0));
        assert_eq!(painter.colour(0.0), RGBColor(255, 255, 255));
        assert_eq!(painter.colour(2.0), RGBColor(5, 80, 150));
    }

    #[test]
    fn both_kinds_of_picture_come_out_and_tables_without_numbers_are_refused() {
        let panels = sample(Colours::LightToDark);
        assert!(draw_panels(&panels, Picture::Png).unwrap().starts_with(b"\x89PNG"));
        assert_eq!(draw_panels(&panels, Picture::Png).unwrap(), draw_panels(&panels, Picture::Png).unwrap());
        let empty = Panels { panels: Vec::new(), ..panels };
        let error = draw_panels(&empty, Picture::Svg).unwrap_err();
        assert!(error.to_string().contains("nothing to draw"), "{error}");
    }

    #[test]
    fn words_stand_in_lines_within_their_field_also_where_there_is_no_number() {
        let mut panels = sample(Colours::AroundZero);
        panels.panels.truncate(1);
        panels.panels[0].words =
            vec![vec!["1g 0s".to_owned(), "*".to_owned(), "very long words of all kinds".to_owned()]];
        let svg = svg(&panels);
        let said = |word: &str| svg.lines().any(|line| line.trim() == word);
        assert!(said("1g 0s") && said("*") && said("very long") && said("all kinds"), "{svg}");
        assert_eq!(wrapped("a bc d", |line| line.len() <= 4), ["a bc", "d"]);
        assert!(wrapped(" ", |_| true).is_empty());
    }

    #[test]
    fn a_single_field_and_many_columns_are_drawn() {
        let mut panels = sample(Colours::LightToDark);
        panels.panels.truncate(1);
        panels.panels[0].values = vec![vec![Some(3.0); 250]; 2];
        panels.panels[0].columns = (0..250).map(|n| format!("move {n}")).collect();
        assert!(svg(&panels).contains("move 0"));
        panels.panels[0].columns.extend((250..400).map(|n| format!("move {n}")));
        let error = draw_panels(&panels, Picture::Svg).unwrap_err();
        assert!(error.to_string().starts_with("400 columns do not fit into a picture"), "{error}");
        panels.panels[0].columns.truncate(1);
        assert!(svg(&panels).contains("move 0"));
    }
}
