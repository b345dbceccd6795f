//! Functions on turn labels.

use std::sync::Arc;

use annals_rules::TurnLabel;
use datafusion::arrow::array::{ArrayRef, Int64Builder};
use datafusion::common::Result;
use datafusion::logical_expr::ColumnarValue;

use super::arguments::{Numbers, Texts, refused};
use super::boards::texts;
use super::positions::side;

pub(super) fn label(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let numbers = Numbers::new(&arguments[0])?;
    let sides = Texts::new(&arguments[1], side)?;
    texts(rows, |row| {
        let (Some(number), Some(side)) = (numbers.get(row), sides.get(row)?) else { return Ok(None) };
        let number = u32::try_from(number)
            .ok()
            .filter(|n| *n >= 1)
            .ok_or_else(|| refused("label", &number.to_string(), "is no turn number: they begin with 1"))?;
        Ok(Some(TurnLabel { number, side }.to_string()))
    })
}

pub(super) fn turns_before(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let labels = Texts::new(&arguments[0], read_label)?;
    numbers(rows, |row| Ok(labels.get(row)?.map(TurnLabel::turns_before)))
}

pub(super) fn turns_between(arguments: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
    let from = Texts::new(&arguments[0], read_label)?;
    let to = Texts::new(&arguments[1], read_label)?;
    numbers(rows, |row| {
        let (Some(from), Some(to)) = (from.get(row)?, to.get(row)?) else { return Ok(None) };
        Ok(Some(to.turns_before() - from.turns_before()))
    })
}

fn read_label(text: &str) -> Result<TurnLabel> {
    text.parse().map_err(|_| refused("turn label", text, "is no turn label: 12g, 12s, or 12w, 12b"))
}

fn numbers(rows: usize, mut value: impl FnMut(usize) -> Result<Option<i64>>) -> Result<ArrayRef> {
    let mut out = Int64Builder::with_capacity(rows);
    for row in 0..rows {
        out.append_option(value(row)?);
    }
    Ok(Arc::new(out.finish()))
}
