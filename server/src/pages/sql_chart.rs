//! The chart of a result: its columns, series and kind are in the address, and the picture has an address of its own.

use annals_analytics::Session;
use annals_analytics::charts::{Shape, of_dataset};
use annals_analytics::studies::Figures;
use annals_charts::Drawn as _;
use annals_charts::recipe::{Caption, Drawing, MOST_ROWS, Recipe, RecipeError};
use maud::{Markup, html};

use super::sql::{command, first};
use crate::Failure;
use crate::picture;
use crate::reply::Reply;
use crate::request::PageRequest;
use crate::shell::hints;

/// The kinds of chart, by their names in the address.
const KINDS: [(&str, Shape); 4] =
    [("lines", Shape::Line), ("steps", Shape::Steps), ("dots", Shape::Dots), ("bars", Shape::Bars)];

/// The columns of a chart and its kind, as an address names them.
pub struct Chosen<'r> {
    x: &'r str,
    y: &'r str,
    series: Option<&'r str>,
    kind: Shape,
}

impl<'r> Chosen<'r> {
    /// None without both columns.
    pub fn of(request: &'r PageRequest) -> Result<Option<Chosen<'r>>, Failure> {
        let (Some(x), Some(y)) = (request.get("x"), request.get("y")) else { return Ok(None) };
        let word = request.get("kind").unwrap_or("lines");
        let Some((_, kind)) = KINDS.iter().find(|(known, _)| *known == word) else {
            let known: Vec<&str> = KINDS.iter().map(|(known, _)| *known).collect();
            return Err(Failure::bad(format!(
                "expected a kind of chart ({}), found `{}`",
                known.join(", "),
                annals_report::one_line(word)
            )));
        };
        Ok(Some(Chosen { x, y, series: request.get("series"), kind: *kind }))
    }

    pub fn make(&self, figures: &Figures, source: String) -> Result<Drawing, Failure> {
        let title = format!("{} by {}", self.y, self.x);
        let subtitle = annals_report::counted(figures.rows() as u64, "row");
        let recipe = Recipe::of_columns(self.kind, self.x, self.y, self.series);
        let values = figures.values()?;
        let mut drawing = recipe.make(&values, Caption { title, subtitle, source }).map_err(refused)?;
        if let Drawing::Chart(chart) = &mut drawing {
            let drawn = chart.series.iter().map(|series| series.points.len()).sum();
            let left_out = figures.rows().saturating_sub(drawn);
            if left_out > 0 {
                chart.subtitle.push_str(&format!(", {left_out} not drawn: NULL has no place on this axis"));
            }
        }
        Ok(drawing)
    }
}

fn refused(error: RecipeError) -> Failure {
    let hint = match error {
        RecipeError::TooMany { .. } => "group the rows in the query, or add a LIMIT",
        RecipeError::WrongKind { .. } => "choose another column, or cast this one in the query",
        RecipeError::MissingColumn { .. } => "choose columns of the result",
        _ => "change the query so that it has rows",
    };
    Failure::bad(error).hint(hint)
}

/// The picture of the whole result.
pub fn drawn(session: &Session, request: &PageRequest, sql: &str) -> Result<Reply, Failure> {
    let chosen = Chosen::of(request)?.ok_or_else(|| {
        Failure::bad("a chart needs the columns `x` and `y`").hint("add `&x=COLUMN&y=COLUMN`")
    })?;
    let (figures, more) = first(session, sql, MOST_ROWS)?;
    if more {
        return Err(refused(RecipeError::TooMany { most: MOST_ROWS }));
    }
    let command = command(sql);
    let chart = chosen.make(&figures, of_dataset(session, &command))?;
    picture::reply(&chart, &picture::of_queries(session, command)?)
}

/// The form for a chart, and the chart if columns are chosen. `shown` are the rows of the page.
pub fn form(request: &PageRequest, sql: &str, shown: &Figures) -> Markup {
    let columns = shown.columns();
    let choice = |name: &str, label: &str, none: bool| {
        html! {
            label { (label) " " select name=(name) {
                @if none { option value="" { "—" } }
                @for column in &columns {
                    option value=(column) selected[request.get(name) == Some(column)] { (annals_report::escaped(column)) }
                }
            } } " "
        }
    };
    let drawn =
        Chosen::of(request).transpose().map(|chosen| chosen.and_then(|it| it.make(shown, String::new())));
    html! {
        details.chart open[drawn.is_some()] {
            summary { "Chart of this result" }
            form.since method="get" action="/sql" {
                input type="hidden" name="q" value=(sql);
                (choice("x", "Across", false)) (choice("y", "Up", false)) (choice("series", "A series for each", true))
                label { "Kind " select name="kind" {
                    @for (kind, _) in KINDS { option value=(kind) selected[request.get("kind") == Some(kind)] { (kind) } }
                } } " "
                button type="submit" { "Draw" }
            }
            @match drawn {
                None => {},
                Some(Err(failure)) => {
                    p role="alert" { (annals_report::escaped(&failure.error)) }
                    (hints(&failure))
                },
                Some(Ok(drawing)) => {
                    @let address = request.address().with("page", "").ending("svg");
                    figure.chart {
                        img src=(address) width="900" height="540"
                            alt={ "Chart: " (annals_report::escaped(drawing.title())) ". The table has the figures." };
                    }
                    p { a href=(address) { "The chart as SVG" } }
                },
            }
        }
    }
}
