//! Recipes: a few fields, read by serde, that say which column of an answer goes where, and the picture that becomes of it. So a chart can be
//! written beside the query whose answer it shows, and tried without either.

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

/// The most rows of an answer that are drawn.
pub const MOST_ROWS: usize = 20_000;

/// A recipe, by the kind of its picture.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recipe {
    /// Points of a series joined by lines.
    Lines(ChartRecipe),
    /// A value holds until the next.
    Steps(ChartRecipe),
    /// Points alone.
    Dots(ChartRecipe),
    /// Bars from zero.
    Bars(ChartRecipe),
    /// The squares of a board of eight by eight.
    Board(BoardRecipe),
    /// Rows and columns of any names.
    Fields(FieldsRecipe),
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Drawing {
    /// A chart with two axes.
    Chart(Chart),
    /// Fields of colour.
    Panels(Panels),
}

impl Recipe {
    /// The word for its kind: `lines`, `steps`, `dots`, `bars`, `board` or `fields`.
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

    /// The line below the title, where it is not the question.
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

    /// Checks what the types of the fields leave open.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Recipe::Lines(chart) | Recipe::Steps(chart) | Recipe::Dots(chart) | Recipe::Bars(chart) => {
                chart.check()
            }
            Recipe::Board(board) => board.cells.check(),
            Recipe::Fields(fields) => fields.cells.check(),
        }
    }

    /// The picture of an answer.
    ///
    /// # Errors
    /// Where the answer has no rows or too many, or lacks a column, or a column holds something else than is needed.
    pub fn make(&self, table: &ValueTable, mut said: Caption) -> Result<Drawing, RecipeError> {
        if let Some(subtitle) = self.subtitle() {
            subtitle.clone_into(&mut said.subtitle);
        }
        let rows = table.rows();
        if rows > MOST_ROWS {
            return Err(RecipeError::TooMany { most: MOST_ROWS });
        }
        // Columns that are not there are told before rows that are not there: they are the query's fault.
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
