//! Recipes: a few serde fields that map an answer's columns to a picture, independent of the query.

mod caption;
mod columns;
mod error;
mod of_chart;
mod of_panels;
#[cfg(test)]
mod tests;

pub use caption::Caption;
pub use error::RecipeError;
use serde::Deserialize;

use crate::chart::{Chart, Shape};
use crate::error::ChartError;
use crate::file::Drawn;
use crate::panels::Panels;
use crate::picture::Picture;
use crate::table::ValueTable;
use crate::{draw, draw_panels};
use of_chart::ChartRecipe;
use of_panels::{BoardRecipe, FieldsRecipe};

pub const MOST_ROWS: usize = 20_000;

/// By kind of picture.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recipe {
    /// Joined points.
    Lines(ChartRecipe),
    /// Constant to the next point.
    Steps(ChartRecipe),
    /// Points only.
    Dots(ChartRecipe),
    /// From zero.
    Bars(ChartRecipe),
    /// Eight by eight.
    Board(BoardRecipe),
    /// Any rows and columns.
    Fields(FieldsRecipe),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Drawing {
    Chart(Chart),
    Panels(Panels),
}

impl Recipe {
    /// A chart of columns as they are, named by themselves; `series` splits the rows of `y`. Lines for a shape that is not drawn
    /// from columns.
    #[must_use]
    pub fn of_columns(shape: Shape, x: &str, y: &str, series: Option<&str>) -> Recipe {
        let chart = ChartRecipe::of_columns(x, y, series);
        match shape {
            Shape::Steps => Recipe::Steps(chart),
            Shape::Dots => Recipe::Dots(chart),
            Shape::Bars => Recipe::Bars(chart),
            Shape::Line | Shape::Rings | Shape::Reference => Recipe::Lines(chart),
        }
    }

    /// `lines`, `steps`, `dots`, `bars`, `board` or `fields`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Recipe::Lines(_) => "lines",
            Recipe::Steps(_) => "steps",
            Recipe::Dots(_) => "dots",
            Recipe::Bars(_) => "bars",
            Recipe::Board(_) => "board",
            Recipe::Fields(_) => "fields",
        }
    }

    /// If it is not the question.
    #[must_use]
    pub fn subtitle(&self) -> Option<&str> {
        match self {
            Recipe::Lines(chart) | Recipe::Steps(chart) | Recipe::Dots(chart) | Recipe::Bars(chart) => {
                chart.subtitle.as_deref()
            }
            Recipe::Board(board) => board.subtitle.as_deref(),
            Recipe::Fields(fields) => fields.subtitle.as_deref(),
        }
    }

    /// Checks beyond the field types.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Recipe::Lines(chart) | Recipe::Steps(chart) | Recipe::Dots(chart) | Recipe::Bars(chart) => {
                chart.check()
            }
            Recipe::Board(board) => board.cells.check(),
            Recipe::Fields(fields) => fields.cells.check(),
        }
    }

    /// # Errors
    /// If the answer has no rows or too many, or a column is missing or of the wrong kind.
    pub fn make(&self, table: &ValueTable, mut said: Caption) -> Result<Drawing, RecipeError> {
        if let Some(subtitle) = self.subtitle() {
            subtitle.clone_into(&mut said.subtitle);
        }
        let rows = table.rows();
        if rows > MOST_ROWS {
            return Err(RecipeError::TooMany { most: MOST_ROWS });
        }
        // Missing columns are reported before missing rows: they are errors of the query.
        let made = match self {
            Recipe::Lines(recipe) => recipe.make(Shape::Line, table, said).map(Drawing::Chart),
            Recipe::Steps(recipe) => recipe.make(Shape::Steps, table, said).map(Drawing::Chart),
            Recipe::Dots(recipe) => recipe.make(Shape::Dots, table, said).map(Drawing::Chart),
            Recipe::Bars(recipe) => recipe.make(Shape::Bars, table, said).map(Drawing::Chart),
            Recipe::Board(recipe) => recipe.make(table, said).map(Drawing::Panels),
            Recipe::Fields(recipe) => recipe.make(table, said).map(Drawing::Panels),
        };
        match made {
            Err(error @ RecipeError::MissingColumn { .. }) => Err(error),
            _ if rows == 0 => Err(RecipeError::Empty),
            made => made,
        }
    }
}

impl Drawn for Drawing {
    fn title(&self) -> &str {
        match self {
            Drawing::Chart(chart) => &chart.title,
            Drawing::Panels(panels) => &panels.title,
        }
    }

    fn draw(&self, kind: Picture) -> Result<Vec<u8>, ChartError> {
        match self {
            Drawing::Chart(chart) => draw(chart, kind),
            Drawing::Panels(panels) => draw_panels(panels, kind),
        }
    }

    fn data(&self) -> Result<String, ChartError> {
        match self {
            Drawing::Chart(chart) => chart.data(),
            Drawing::Panels(panels) => panels.data(),
        }
    }
}
