//! Statements that are planned first and run later, perhaps with values for `$1`, `$name` or `?`: for clients of a server.

use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::ScalarValue;
use datafusion::error::DataFusionError;
use datafusion::sql::parser::Statement as Parsed;
use datafusion::sql::sqlparser::ast::{Expr, Value, visit_expressions_mut};

use crate::session::{Reading, logical};
use crate::{Answer, Error, Question, Session, queries};

/// The columns of a result, and the parameters of its statement in the order of their values.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub columns: SchemaRef,
    /// A parameter whose type does not follow from the statement has the type `Null`.
    pub parameters: SchemaRef,
}

/// The values of a statement's parameters for one run.
#[derive(Debug, Clone, Default)]
pub struct Values(Vec<ScalarValue>);

impl Values {
    /// Those of each row of a batch, one column for each parameter.
    ///
    /// # Errors
    /// If a type cannot be the value of a parameter.
    pub fn of(rows: &RecordBatch) -> Result<Vec<Values>, Error> {
        let value = |row| rows.columns().iter().map(move |column| ScalarValue::try_from_array(column, row));
        let values = (0..rows.num_rows()).map(|row| value(row).collect::<Result<_, _>>().map(Values));
        Ok(values.collect::<Result<_, DataFusionError>>()?)
    }
}

/// The one statement of a text, whose `?` are `$1`, `$2` and so on.
///
/// # Errors
/// As [`queries`], and if the text is not one statement.
pub fn statement(text: &str) -> Result<Question, Error> {
    let mut asked = queries(text)?;
    let (Some(mut question), true) = (asked.pop(), asked.is_empty()) else {
        let message = format!("one statement is expected, found {}", queries(text)?.len());
        return Err(Error::Sql { message, hints: Vec::new() });
    };
    let mut number = 0;
    let names = on_placeholders(&mut question.parsed, |placeholder| {
        if placeholder == "?" {
            number += 1;
            *placeholder = format!("${number}");
        }
    });
    if number > 0 && number < names {
        return Err(Error::Sql {
            message: "a statement has `?` or numbered parameters, not both".to_owned(),
            hints: vec!["write `$1`, `$2` for all".to_owned()],
        });
    }
    Ok(question)
}

/// Changes each placeholder of a statement; gives how many it has.
fn on_placeholders(statement: &mut Parsed, mut change: impl FnMut(&mut String)) -> usize {
    let mut count = 0;
    let ast = match statement {
        Parsed::Statement(ast) => ast,
        Parsed::Explain(explain) => return on_placeholders(&mut explain.statement, change),
        _ => return 0,
    };
    let _ = visit_expressions_mut(ast, |expr| {
        if let Expr::Value(value) = expr
            && let Value::Placeholder(placeholder) = &mut value.value
        {
            count += 1;
            change(placeholder);
        }
        ControlFlow::<()>::Continue(())
    });
    count
}

/// The parameters of a statement without `$`: numbers from 1 to the largest, then names in their order.
fn parameters(question: &Question) -> Vec<String> {
    let (mut largest, mut names) = (0, Vec::new());
    on_placeholders(&mut question.parsed.clone(), |placeholder| {
        let name = placeholder.trim_start_matches('$').to_owned();
        match name.parse::<usize>() {
            Ok(number) => largest = largest.max(number.min(MOST_PARAMETERS)),
            Err(_) => names.push(name),
        }
    });
    names.sort_unstable();
    names.dedup();
    (1..=largest).map(|number| number.to_string()).chain(names).collect()
}

/// The parameters of a statement; a number beyond is one that has no value.
const MOST_PARAMETERS: usize = 1_000;

/// Whether a table of the dataset is a view.
#[must_use]
pub fn is_view(table: &str) -> bool {
    crate::dataset::VIEWS.iter().any(|view| view.name == table)
}

impl Session {
    /// Plans a statement without running it. Without the values of its parameters, a column may get another type when it
    /// runs.
    ///
    /// # Errors
    /// As [`ask`](Session::ask), and if there is another number of values than of parameters.
    pub fn prepare(&self, question: &Question, values: Option<&Values>) -> Result<Prepared, Error> {
        let names = parameters(question);
        let given = values.map_or(Ok(Vec::new()), |values| named(&names, values))?;
        let memory = self.memory.begin();
        let planning = async {
            let logical = logical(&self.scans, question, &given).await?;
            let types = logical.get_parameter_types()?;
            let columns = if types.is_empty() {
                let frame = self.scans.execute_logical_plan(logical).await?;
                frame.create_physical_plan().await?.schema()
            } else {
                Arc::clone(logical.schema().inner())
            };
            Ok((types, columns))
        };
        let planned = self.runtime.block_on(memory.bounded(planning))?;
        let (types, columns) = planned.map_err(|error| question.explain(error, &self.names()))?;
        let field = |name: &String| {
            let name = format!("${name}");
            let sort = types.get(&name).cloned().flatten().unwrap_or(DataType::Null);
            Field::new(name, sort, true)
        };
        Ok(Prepared {
            columns,
            parameters: Arc::new(Schema::new(names.iter().map(field).collect::<Vec<_>>())),
        })
    }

    /// As [`ask`](Session::ask), with values for the statement's parameters.
    ///
    /// # Errors
    /// As [`ask`](Session::ask), and if there is another number of values than of parameters.
    pub fn ask_with(&self, question: &Question, values: &Values) -> Result<Answer<'_>, Error> {
        let names = parameters(question);
        self.ask_by(question, &named(&names, values)?, Reading::Scan)
    }
}

fn named<'n>(names: &'n [String], Values(values): &Values) -> Result<Vec<(&'n str, ScalarValue)>, Error> {
    if names.len() != values.len() {
        return Err(Error::Sql {
            message: format!("expected {} values for parameters, found {}", names.len(), values.len()),
            hints: Vec::new(),
        });
    }
    Ok(names.iter().map(String::as_str).zip(values.iter().cloned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_marks_are_numbered_and_parameters_are_in_order() {
        let names = |text: &str| parameters(&statement(text).unwrap());
        assert_eq!(names("SELECT '?' FROM t WHERE a = ? AND b IN (?, ?) LIMIT ?"), ["1", "2", "3", "4"]);
        assert_eq!(names("SELECT $3, $name, $b, $3"), ["1", "2", "3", "b", "name"]);
        assert_eq!(names("EXPLAIN SELECT ?"), ["1"]);
        assert!(names("SELECT 1").is_empty());
        let mixed = statement("SELECT ?, $1").unwrap_err();
        assert!(mixed.to_string().contains("not both"), "{mixed}");
        for text in ["", "SELECT 1; SELECT 2"] {
            let error = statement(text).unwrap_err();
            assert!(error.to_string().starts_with("one statement is expected, found"), "{error}");
        }
    }
}
