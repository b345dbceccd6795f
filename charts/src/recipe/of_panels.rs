//! Recipes of fields of colour: the squares of a board, or rows and columns of any names.

use std::collections::BTreeSet;

use super::Caption;
use super::columns::{column, name, numbers, optional, place};
use super::error::{Misread, RecipeError};
use super::lines::{Lines, Named, RecipeLine, named, with_axis};
use crate::panels::{Colours, Panel, Panels};
use crate::table::ValueTable;

/// The lines that a recipe of a board may have.
pub(super) const BOARD_KEYS: [&str; 7] =
    ["subtitle", "square", "value", "panel", "words", "colours", "beside"];
/// The lines that a recipe of rows and columns may have.
pub(super) const FIELDS_KEYS: [&str; 8] =
    ["subtitle", "row", "column", "value", "panel", "words", "colours", "beside"];

/// Files and ranks of a board.
const SIDE: usize = 8;

/// A recipe of fields of colour.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PanelsRecipe {
    fields: Fields,
    value: Named,
    measured: String,
    panel: Option<Named>,
    words: Option<Named>,
    colours: Colours,
    beside: usize,
}

/// What names a field.
#[derive(Debug, Clone, PartialEq)]
enum Fields {
    Squares(Named),
    Names { row: Named, column: Named },
}

impl PanelsRecipe {
    /// Reads the lines below `chart: board`.
    pub(super) fn read_board(kind: &RecipeLine, lines: &[RecipeLine]) -> Result<PanelsRecipe, Misread> {
        let lines = Lines::new(kind, lines, &BOARD_KEYS, &[])?;
        let square = lines.need("square", "square: square")?;
        PanelsRecipe::read(&lines, Fields::Squares(named(square, &square.value)?))
    }

    /// Reads the lines below `chart: fields`.
    pub(super) fn read_fields(kind: &RecipeLine, lines: &[RecipeLine]) -> Result<PanelsRecipe, Misread> {
        let lines = Lines::new(kind, lines, &FIELDS_KEYS, &[])?;
        let row = lines.need("row", "row: player")?;
        let column = lines.need("column", "column: opponent")?;
        let fields = Fields::Names { row: named(row, &row.value)?, column: named(column, &column.value)? };
        PanelsRecipe::read(&lines, fields)
    }

    fn read(lines: &Lines<'_>, fields: Fields) -> Result<PanelsRecipe, Misread> {
        let line = lines.need("value", "value: percent | share of the games (percent)")?;
        let (value, measured) = with_axis(line)?;
        let value = named(line, value)?;
        let colours = match lines.get("colours") {
            None => Colours::LightToDark,
            Some(line) => match line.value.as_str() {
                "light to dark" => Colours::LightToDark,
                "around zero" => Colours::AroundZero,
                other => {
                    let why = format!("`{other}` are no colours: `light to dark` and `around zero` are");
                    return Err(Misread::new(line.number, why));
                }
            },
        };
        let beside = match lines.get("beside") {
            None => 1,
            Some(line) => {
                line.value.parse().ok().filter(|beside| (1..=12).contains(beside)).ok_or_else(|| {
                    let why =
                        format!("`{}` is no number of panels beside each other, from 1 to 12", line.value);
                    Misread::new(line.number, why)
                })?
            }
        };
        let (panel, words) = (lines.column("panel")?, lines.column("words")?);
        Ok(PanelsRecipe { fields, value, measured, panel, words, colours, beside })
    }

    /// The fields of an answer.
    pub(super) fn make(&self, table: &ValueTable, said: Caption) -> Result<Panels, RecipeError> {
        let values = numbers(table, &self.value, "the values")?;
        let panel = optional(table, self.panel.as_ref(), "the panels")?;
        let words = optional(table, self.words.as_ref(), "the words in the fields")?;
        let (mut rows, mut columns) = match &self.fields {
            Fields::Squares(_) => board_names(),
            Fields::Names { .. } => (Vec::new(), Vec::new()),
        };
        let mut panels = Vec::new();
        // Of each row of the answer: panel, row and column of its field.
        let mut places = Vec::with_capacity(table.rows());
        let mut seen = BTreeSet::new();
        for row in 0..table.rows() {
            let field = match &self.fields {
                Fields::Squares(named) => {
                    let found = name(Some(column(table, named, "the squares")?), row);
                    square(&found).ok_or_else(|| RecipeError::NotASquare {
                        column: named.column.clone(),
                        found,
                        row: row + 1,
                    })?
                }
                Fields::Names { row: down, column: along } => {
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
        // Players against players: both ways in the same order.
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

/// The row and the column of a square.
fn square(name: &str) -> Option<(usize, usize)> {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = name.as_bytes() else { return None };
    Some((SIDE - 1 - usize::from(rank - b'1'), usize::from(file - b'a')))
}
