//! How tables of numbers become a picture: fields of colour, their rows and columns named, and the scale on the right.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::error::ChartError;
use crate::panels::{Colours, Panel, Panels};
use crate::picture::{MARGIN, Paint, Painted, Picture, picture};
use crate::ticks::plain;
use crate::words::{FAINT, WORDS, bold, fitting, words};

/// The width of a sheet, and of the scale on its right.
const WIDTH: i32 = 1000;
const SCALE: i32 = 110;
/// What is left free for the names of rows and columns, and for the name of a panel.
const ROWS: i32 = 34;
const COLUMNS: i32 = 20;
const NAME: i32 = 26;
/// The largest and the smallest field.
const LARGEST: i32 = 64;
const SMALLEST: i32 = 3;
/// Steps of the scale.
const STEPS: i32 = 100;

/// Draws tables of numbers.
///
/// # Errors
/// `NoPoints` where no field has a number, `Drawing` where drawing itself fails.
pub fn draw_panels(panels: &Panels, kind: Picture) -> Result<Vec<u8>, ChartError> {
    let range = panels.range().ok_or_else(|| ChartError::NoPoints { title: panels.title.clone() })?;
    picture(&Painter::new(panels, range), kind)
}

struct Painter<'p> {
    panels: &'p Panels,
    range: (f64, f64),
    beside: i32,
    /// The longest name of a row takes so much.
    names: i32,
    field: i32,
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

impl<'p> Painter<'p> {
    fn new(panels: &'p Panels, range: (f64, f64)) -> Painter<'p> {
        let beside = count(panels.beside.clamp(1, panels.panels.len().max(1)));
        let longest = panels.panels.iter().flat_map(|panel| &panel.rows).map(|row| row.chars().count()).max();
        let names = ROWS.max((8 * count(longest.unwrap_or(0)).min(22)) + 12);
        let widest = panels.panels.iter().map(|panel| panel.columns.len()).max().unwrap_or(1).max(1);
        let room = (WIDTH - SCALE - 2 * MARGIN) / beside - names - MARGIN;
        let field = (room / count(widest)).clamp(SMALLEST, LARGEST);
        Painter { panels, range, beside, names, field }
    }

    /// The panels that stand beside each other, with the height that they take.
    fn lines(&self) -> impl Iterator<Item = (&[Panel], i32)> {
        let beside = usize::try_from(self.beside).unwrap_or(1);
        self.panels.panels.chunks(beside).map(|line| {
            let rows = line.iter().map(|panel| count(panel.rows.len())).max().unwrap_or(0);
            (line, NAME + COLUMNS + rows * self.field + MARGIN)
        })
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
        scale: i32,
    ) -> Painted<B> {
        let px = |length: i32| length * scale;
        let (x0, y0) = (left + self.names, top + NAME);
        let room = count(panel.columns.len()) * self.field;
        let title = bold(px(15), Pos::new(HPos::Left, VPos::Top));
        area.draw_text(&fitting(&panel.name, &title, px(room.max(60))), &title, (px(x0), px(top)))?;
        let small = (self.field - 2).clamp(8, 13);
        let row_style = words(px(small), &WORDS, Pos::new(HPos::Right, VPos::Center));
        let column_style = words(px(small), &WORDS, Pos::new(HPos::Center, VPos::Top));
        for (r, row) in panel.rows.iter().enumerate() {
            let y = y0 + count(r) * self.field;
            let name = fitting(row, &row_style, px(self.names - 8));
            area.draw_text(&name, &row_style, (px(x0 - 5), px(y) + px(self.field) / 2))?;
            for c in 0..panel.columns.len() {
                let value = panel.values.get(r).and_then(|values| values.get(c)).copied().flatten();
                let Some(value) = value.filter(|value| value.is_finite()) else { continue };
                let x = x0 + count(c) * self.field;
                let fill = self.colour(value);
                let corners = [(px(x), px(y)), (px(x + self.field), px(y + self.field))];
                area.draw(&Rectangle::new(corners, fill.filled()))?;
                let word = panel.words.get(r).and_then(|row| row.get(c)).map_or("", String::as_str);
                if !word.is_empty() {
                    let ink = if is_dark(fill) { &WHITE } else { &WORDS };
                    let style =
                        words(px((self.field / 3).clamp(8, 14)), ink, Pos::new(HPos::Center, VPos::Center));
                    let middle = (px(x) + px(self.field) / 2, px(y) + px(self.field) / 2);
                    area.draw_text(&fitting(word, &style, px(self.field - 2)), &style, middle)?;
                }
            }
        }
        let bottom = y0 + count(panel.rows.len()) * self.field;
        let frame = [(px(x0), px(y0)), (px(x0 + room), px(bottom))];
        area.draw(&Rectangle::new(frame, FAINT.stroke_width(scale.unsigned_abs())))?;
        // Names that have no room beside each other are left out, every second and so on.
        let widest = panel.columns.iter().map(|name| count(name.chars().count())).max().unwrap_or(1);
        let every = usize::try_from((8 * widest + 4) / self.field.max(1)).unwrap_or(0) + 1;
        for (c, column) in panel.columns.iter().enumerate().step_by(every) {
            let x = x0 + count(c) * self.field;
            area.draw_text(column, &column_style, (px(x) + px(self.field) / 2, px(bottom + 4)))?;
        }
        Ok(())
    }

    fn scale<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, height: i32, scale: i32) -> Painted<B> {
        let px = |length: i32| length * scale;
        let (left, right) = (WIDTH - SCALE + 8, WIDTH - SCALE + 30);
        let (top, bottom) = (NAME + 30, (height - 40).clamp(NAME + 90, NAME + 330));
        let (least, most) = self.range;
        let step = f64::from(bottom - top) / f64::from(STEPS);
        for n in 0..STEPS {
            let at = |n: i32| (f64::from(scale) * (f64::from(bottom) - f64::from(n) * step)).round() as i32;
            let value = least + (most - least) * f64::from(n) / f64::from(STEPS - 1);
            let corners = [(px(left), at(n + 1)), (px(right), at(n))];
            area.draw(&Rectangle::new(corners, self.colour(value).filled()))?;
        }
        let frame = [(px(left), px(top)), (px(right), px(bottom))];
        area.draw(&Rectangle::new(frame, FAINT.stroke_width(scale.unsigned_abs())))?;
        let style = words(px(13), &WORDS, Pos::new(HPos::Left, VPos::Center));
        for (value, y) in [(most, top), ((least + most) / 2.0, (top + bottom) / 2), (least, bottom)] {
            area.draw_text(&plain(value), &style, (px(right + 6), px(y)))?;
        }
        // The name of what is measured stands above, in as many lines as it needs.
        let above = words(px(13), &WORDS, Pos::new(HPos::Left, VPos::Bottom));
        let mut lines: Vec<String> = vec![String::new()];
        for word in self.panels.measured.split_whitespace() {
            match lines.last_mut() {
                Some(line) if line.is_empty() || line.chars().count() + word.chars().count() < 14 => {
                    if !line.is_empty() {
                        line.push(' ');
                    }
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        for (n, line) in lines.iter().rev().enumerate() {
            let y = top - 8 - 15 * count(n);
            area.draw_text(&fitting(line, &above, px(SCALE - 12)), &above, (px(left), px(y)))?;
        }
        Ok(())
    }
}

impl Paint for Painter<'_> {
    fn size(&self) -> (u32, u32) {
        let tables: i32 = self.lines().map(|(_, height)| height).sum();
        (WIDTH.unsigned_abs(), (90 + 24 + tables).clamp(320, 8_000).unsigned_abs())
    }

    fn said(&self) -> [&str; 3] {
        [&self.panels.title, &self.panels.subtitle, &self.panels.source]
    }

    fn paint<B: DrawingBackend>(&self, body: &DrawingArea<B, Shift>, scale: i32) -> Painted<B> {
        let width = (WIDTH - SCALE - 2 * MARGIN) / self.beside;
        let mut top = 14;
        for (line, height) in self.lines() {
            for (place, panel) in line.iter().enumerate() {
                self.panel(body, panel, (MARGIN + count(place) * width, top), scale)?;
            }
            top += height;
        }
        self.scale(body, top, scale)
    }
}

fn blend(from: (u8, u8, u8), to: (u8, u8, u8), share: f64) -> RGBColor {
    let share = share.clamp(0.0, 1.0);
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// Whether white words are read better on a colour than dark ones.
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
        for word in ["Where they stand", "cats", "dogs", "share", "(percent)", "dataset 0123", "−2", "2"] {
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
    fn a_single_field_and_many_columns_are_drawn() {
        let mut panels = sample(Colours::LightToDark);
        panels.panels.truncate(1);
        panels.panels[0].values = vec![vec![Some(3.0); 400]; 2];
        panels.panels[0].columns = (0..400).map(|n| format!("move {n}")).collect();
        assert!(svg(&panels).contains("move 0"));
        panels.panels[0].columns.truncate(1);
        assert!(svg(&panels).contains("move 0"));
    }
}
