//! Names of result columns: an expression without a name gets its own text, as `count(1)`, where the engine would print
//! its types (`count(Int64(1))`).

use datafusion::sql::parser::Statement as Parsed;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, Query, SelectItem, SetExpr, Statement as Ast, TableFactor, TableWithJoins,
};

/// The statement with a name for each expression that has none.
pub(crate) fn named(statement: &Parsed) -> Parsed {
    let mut statement = statement.clone();
    if let Parsed::Statement(ast) = &mut statement
        && let Ast::Query(query) = ast.as_mut()
    {
        name_query(query);
    }
    statement
}

fn name_query(query: &mut Query) {
    for table in query.with.iter_mut().flat_map(|with| &mut with.cte_tables) {
        name_query(&mut table.query);
    }
    name_body(&mut query.body);
}

/// The first part of a set operation names the columns of all.
fn name_body(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => {
            select.projection.iter_mut().for_each(name_item);
            select.from.iter_mut().for_each(name_tables);
        }
        SetExpr::Query(query) => name_query(query),
        SetExpr::SetOperation { left, .. } => name_body(left),
        _ => {}
    }
}

fn name_tables(tables: &mut TableWithJoins) {
    let joined = tables.joins.iter_mut().map(|join| &mut join.relation);
    for table in std::iter::once(&mut tables.relation).chain(joined) {
        if let TableFactor::Derived { subquery, .. } = table {
            name_query(subquery);
        }
    }
}

fn name_item(item: &mut SelectItem) {
    let SelectItem::UnnamedExpr(expr) = item else { return };
    if matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
        return;
    }
    let alias = Ident::with_quote('"', expr.to_string());
    *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
}
