//! The columns that a recipe needs, by name and kind.

use super::error::RecipeError;
use crate::table::{Column, Kind, ValueTable};

pub(super) fn column<'t>(
    table: &'t ValueTable,
    named: &str,
    role: &'static str,
) -> Result<&'t Column, RecipeError> {
    table.column(named).ok_or_else(|| RecipeError::MissingColumn {
        column: named.to_owned(),
        role,
        have: table.names(),
    })
}

/// Must have numbers.
pub(super) fn numbers<'t>(
    table: &'t ValueTable,
    named: &str,
    role: &'static str,
) -> Result<&'t Column, RecipeError> {
    let found = column(table, named, role)?;
    match found.kind() {
        Kind::Numbers => Ok(found),
        Kind::Times | Kind::Words => Err(wrong(named, role, "numbers", found.kind())),
    }
}

pub(super) fn optional<'t>(
    table: &'t ValueTable,
    named: &Option<String>,
    role: &'static str,
) -> Result<Option<&'t Column>, RecipeError> {
    named.as_deref().map(|named| column(table, named, role)).transpose()
}

pub(super) fn wrong(named: &str, role: &'static str, needed: &'static str, found: Kind) -> RecipeError {
    RecipeError::WrongKind { column: named.to_owned(), role, needed, found }
}

/// A row's name, or that it has none.
pub(super) fn name(column: Option<&Column>, row: usize) -> String {
    match column {
        None => String::new(),
        Some(column) => column.word(row).unwrap_or_else(|| "not known".to_owned()),
    }
}

/// A name's index among earlier ones; new ones are added.
pub(super) fn place(names: &mut Vec<String>, name: String) -> usize {
    let known = names.iter().position(|known| *known == name);
    known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}
