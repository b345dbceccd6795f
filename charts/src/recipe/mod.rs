//! Recipes: a few lines that say which column of an answer goes where, and the picture that becomes of it. So a chart can be
//! written beside the query whose answer it shows, and tried without either.

mod columns;
mod error;
mod lines;
mod of_chart;
mod of_panels;
#[cfg(test)]
mod tests;

pub use error::{Misread, RecipeError};
pub use lines::RecipeLine;

use crate::chart::Chart;
use crate::error::ChartError;
use crate::file::Drawn;
use crate::panels::Panels;
use crate::picture::Picture;
use crate::table::ValueTable;
use crate::{draw, draw_panels};
use of_chart::{ChartRecipe, SHAPES};
use of_panels::PanelsRecipe;

/// The most rows of an answer that are drawn.
pub const MOST_ROWS: usize = 20_000;

/// A recipe.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    subtitle: Option<String>,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Chart(ChartRecipe),
    Panels(PanelsRecipe),
}

/// What a picture says beside its figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// What it shows.
    pub title: String,
    /// What one has to know to read it, where the recipe has nothing better.
    pub subtitle: String,
    /// Where the figures come from.
    pub source: String,
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Drawing {
    /// A chart with two axes.
    Chart(Chart),
    /// Fields of colour.
    Panels(Panels),
}

/// Every key that a recipe of some kind may have.
#[must_use]
pub fn keys() -> Vec<&'static str> {
    let all = of_chart::KEYS.iter().chain(&of_panels::BOARD_KEYS).chain(&of_panels::FIELDS_KEYS);
    let mut keys: Vec<&str> = all.copied().collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

impl Recipe {
    /// Reads a recipe: the line that says the kind, and the lines that belong to it.
    ///
    /// # Errors
    /// The first line that does not say what it should.
    pub fn read(kind: &RecipeLine, lines: &[RecipeLine]) -> Result<Recipe, Misread> {
        let subtitle = lines.iter().find(|line| line.key == "subtitle").map(|line| line.value.clone());
        let kind = match kind.value.as_str() {
            "board" => Kind::Panels(PanelsRecipe::read_board(kind, lines)?),
            "fields" => Kind::Panels(PanelsRecipe::read_fields(kind, lines)?),
            word => match SHAPES.iter().find(|(known, _)| *known == word) {
                Some((_, shape)) => Kind::Chart(ChartRecipe::read(kind, *shape, lines)?),
                None => {
                    let why = format!(
                        "`{word}` is no kind of chart: lines, steps, dots, bars, board and fields are"
                    );
                    return Err(Misread::new(kind.number, why));
                }
            },
        };
        Ok(Recipe { subtitle, kind })
    }

    /// The picture of an answer.
    ///
    /// # Errors
    /// Where the answer has no rows or too many, or lacks a column, or a column holds something else than is needed.
    pub fn make(&self, table: &ValueTable, mut said: Caption) -> Result<Drawing, RecipeError> {
        if let Some(subtitle) = &self.subtitle {
            said.subtitle.clone_from(subtitle);
        }
        let rows = table.rows();
        if rows > MOST_ROWS {
            return Err(RecipeError::TooMany { most: MOST_ROWS });
        }
        // Columns that are not there are told before rows that are not there: they are the query's fault.
        let made = match &self.kind {
            Kind::Chart(recipe) => recipe.make(table, said).map(Drawing::Chart),
            Kind::Panels(recipe) => recipe.make(table, said).map(Drawing::Panels),
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
