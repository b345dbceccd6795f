//! Recipes of coloured fields.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::caption::Caption;
use super::columns::{column, name, numbers, optional, place};
use super::error::RecipeError;
use crate::panels::{Colours, Panel, Panels};
use crate::table::ValueTable;

const SIDE: usize = 8;

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardRecipe {
    pub(super) subtitle: Option<String>,
    /// A column with squares, a1 to h8.
    square: String,
    pub(super) cells: Cells,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldsRecipe {
    pub(super) subtitle: Option<String>,
    /// A column that names rows.
    row: String,
    /// A column that names columns.
    column: String,
    pub(super) cells: Cells,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cells {
    /// A column of numbers.
    value: String,
    /// With the unit.
    measured: String,
    /// A column that splits rows into panels.
    panel: Option<String>,
    /// A column of text in the fields.
    words: Option<String>,
    #[serde(default)]
    colours: Colours,
    /// Panels per row, 1 to 12.
    #[serde(default = "one")]
    beside: usize,
}

const fn one() -> usize {
    1
}

enum Place<'r> {
    Square(&'r str),
    Names { row: &'r str, column: &'r str },
}

impl BoardRecipe {
    pub(super) fn make(&self, table: &ValueTable, said: Caption) -> Result<Panels, RecipeError> {
        self.cells.make(&Place::Square(&self.square), table, said)
    }
}

impl FieldsRecipe {
    pub(super) fn make(&self, table: &ValueTable, said: Caption) -> Result<Panels, RecipeError> {
        self.cells.make(&Place::Names { row: &self.row, column: &self.column }, table, said)
    }
}

impl Cells {
    pub(super) fn check(&self) -> Result<(), String> {
        if (1..=12).contains(&self.beside) {
            return Ok(());
        }
        Err(format!("{} is no number of panels next to each other, from 1 to 12", self.beside))
    }

    fn make(&self, place_by: &Place<'_>, table: &ValueTable, said: Caption) -> Result<Panels, RecipeError> {
        let values = numbers(table, &self.value, "the values")?;
        let panel = optional(table, &self.panel, "the panels")?;
        let words = optional(table, &self.words, "the words in the fields")?;
        let (mut rows, mut columns) = match place_by {
            Place::Square(_) => board_names(),
            Place::Names { .. } => (Vec::new(), Vec::new()),
        };
        let mut panels = Vec::new();
        // Per row of the answer: panel, row and column.
        let mut places = Vec::with_capacity(table.rows());
        let mut seen = BTreeSet::new();
        for row in 0..table.rows() {
            let field = match place_by {
                Place::Square(named) => {
                    let found = name(Some(column(table, named, "the squares")?), row);
                    square(&found).ok_or_else(|| RecipeError::NotASquare {
                        column: (*named).to_owned(),
                        found,
                        row: row + 1,
                    })?
                }
                Place::Names { row: down, column: along } => {
                    let down = name(Some(column(table, down, "the rows")?), row);
                    let along = name(Some(column(table, along, "the columns")?), row);
                    (place(&mut rows, down), place(&mut columns, along))
                }
            };
            let panel = place(&mut panels, name(panel, row));
            if !seen.insert((panel, field)) {
                let field = format!("{} {} {}", panels[panel], rows[field.0], columns[field.1]);
                return Err(RecipeError::Twice { field: field.trim().to_owned(), row: row + 1 });
            }
            places.push((panel, field));
        }
        // Players by players: both in the same order.
        if rows.len() == columns.len() && rows.iter().all(|name| columns.contains(name)) {
            let order: Vec<usize> =
                columns.iter().filter_map(|name| rows.iter().position(|row| row == name)).collect();
            for (_, (_, along)) in &mut places {
                *along = order[*along];
            }
            columns.clone_from(&rows);
        }
        let empty = Panel {
            name: String::new(),
            values: vec![vec![None; columns.len()]; rows.len()],
            words: if words.is_some() {
                vec![vec![String::new(); columns.len()]; rows.len()]
            } else {
                Vec::new()
            },
            rows,
            columns,
        };
        let mut panels: Vec<Panel> = panels.into_iter().map(|name| Panel { name, ..empty.clone() }).collect();
        for (row, (panel, (down, along))) in places.into_iter().enumerate() {
            panels[panel].values[down][along] = values.number(row);
            if let Some(words) = words {
                panels[panel].words[down][along] = words.word(row).unwrap_or_default();
            }
        }
        Ok(Panels {
            title: said.title,
            subtitle: said.subtitle,
            panels,
            beside: self.beside,
            colours: self.colours,
            measured: self.measured.clone(),
            source: said.source,
        })
    }
}

/// Ranks from the top, files from the left.
fn board_names() -> (Vec<String>, Vec<String>) {
    let ranks = (1..=SIDE).rev().map(|rank| rank.to_string());
    let files = ('a'..='h').map(|file| file.to_string());
    (ranks.collect(), files.collect())
}

/// Row and column.
fn square(name: &str) -> Option<(usize, usize)> {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = name.as_bytes() else { return None };
    Some((SIDE - 1 - usize::from(rank - b'1'), usize::from(file - b'a')))
}
