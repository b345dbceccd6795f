//! Studies: questions as forms with parameters, each with its chart, its figures and its SQL.

use annals_analytics::charts::of_dataset;
use annals_analytics::studies::{Figures, Given, Study, find, registry};
use annals_charts::{ChartError, Drawn as _, Picture};
use annals_report::{Document, Part, escaped};
use maud::{PreEscaped, html};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{document, moment, sql};
use crate::Failure;
use crate::address::Address;
use crate::app::Context;
use crate::picture;
use crate::reply::{Page, Reply};
use crate::request::Shape;

/// Rows of a page.
const SHOWN: usize = 100;

pub fn list(_: &Context<'_>) -> Result<Reply, Failure> {
    let studies = registry().map_err(broken)?;
    let json: Vec<_> = studies.iter().map(annals_analytics::studies::ListedStudy::from).collect();
    let body = html! {
        h1 { "Studies" }
        dl.studies { @for study in &studies {
            dt { a href=(Address::of(&["study", &study.name])) { (study.front.title) } }
            dd { (study.front.question) }
        } }
    };
    Page::new("Studies", body, &json).map(Reply::from)
}

fn broken(error: annals_analytics::studies::StudyError) -> Failure {
    let hints = error.hints();
    Failure { hints, ..Failure::bad(error) }
}

pub fn page(context: &Context<'_>, name: &str) -> Result<Reply, Failure> {
    let study = find(name).map_err(|error| Failure { status: 404, ..broken(error) })?;
    let request = context.request;
    let given = request.parameters.iter().filter(|(name, value)| name != "tz" && !value.is_empty());
    let given = study.given(&given.cloned().collect::<Vec<_>>()).map_err(broken)?;
    let session = context.app.open_session()?;
    context.cancel.hold(session.canceller());
    let figures = study.figures(&session, &given).map_err(broken)?;
    let command = study.command(&given);
    let source = of_dataset(&session, &command);
    if request.shape == Shape::Svg && study.has_chart() && figures.rows() > 0 {
        let chart = study.draw(&figures, source).map_err(broken)?;
        return picture::reply(&chart, &picture::of_queries(&session, command)?);
    }
    let chart = match study.has_chart() && figures.rows() > 0 {
        true => drawn(&study, &figures, source)?,
        false => Chart::None,
    };
    shown(context, &study, &given, &figures, &chart)
}

enum Chart {
    None,
    /// As SVG.
    Drawn(Vec<u8>),
    /// Why there is nothing to draw.
    Empty(String),
}

fn drawn(study: &Study, figures: &Figures, source: String) -> Result<Chart, Failure> {
    match study.draw(figures, source).map_err(broken)?.draw(Picture::Svg) {
        Ok(svg) => Ok(Chart::Drawn(svg)),
        Err(empty @ ChartError::NoPoints { .. }) => Ok(Chart::Empty(empty.to_string())),
        Err(other) => Err(other.into()),
    }
}

#[derive(Serialize)]
struct Answer<'a, P> {
    study: &'a str,
    parameters: P,
    rows: &'a RawValue,
    all: usize,
}

fn shown(
    context: &Context<'_>,
    study: &Study,
    given: &Given,
    figures: &Figures,
    chart: &Chart,
) -> Result<Reply, Failure> {
    let request = context.request;
    let zone = moment::zone(context)?;
    let rows = sql::of_figures(figures, SHOWN)?;
    let json = Answer { study: &study.name, parameters: given.said(), rows: &rows.json, all: figures.rows() };
    let words = match figures.rows() {
        rows if rows > SHOWN => format!("Figures: the first {SHOWN} of {rows} rows"),
        rows => format!("Figures: {}", annals_report::counted(rows as u64, "row")),
    };
    let parts = Document::new("").lines("", study.front.notes.clone()).part(Part::Details {
        title: words,
        open: !matches!(chart, Chart::Drawn(_)),
        part: Box::new(Part::Table(rows.table)),
    });
    let body = html! {
        p { a href=(Address::of(&["studies"])) { "← studies" } }
        h1 { (study.front.title) }
        p { (study.front.question) }
        @if !study.front.parameters.is_empty() {
            form.since method="get" {
                @for parameter in &study.front.parameters {
                    @if parameter.one_of.is_empty() { label { (parameter.name) " " input type="text" name=(parameter.name) maxlength="100"
                        title=(parameter.meaning) value=(request.get(&parameter.name).unwrap_or_default())
                        placeholder=[parameter.default.as_ref().map(ToString::to_string)]; } " " } @else {
                        label { (parameter.name) " " select name=(parameter.name) title=(parameter.meaning) {
                            @let default = parameter.default.as_ref().map(ToString::to_string);
                            @let chosen = request.get(&parameter.name).map(str::to_owned).or(default);
                            @for value in &parameter.one_of {
                                option value=(value) selected[chosen.as_ref() == Some(value)] { (value) }
                            }
                        } } " "
                    }
                }
                button type="submit" { "Run" }
            }
        }
        @match chart {
            Chart::Drawn(svg) => figure.chart { (PreEscaped(String::from_utf8_lossy(svg))) },
            Chart::Empty(why) => p.note { "No chart: " (escaped(why)) "." },
            Chart::None => {},
        }
        (document(context, &parts, &zone))
        details { summary { "SQL" } pre { (study.sql(given).map_err(broken)?) } }
        p { a href=(Address::of(&["sql"]).with("q", &study.sql(given).map_err(broken)?)) { "Open in the SQL page" } }
    };
    Page::new(study.front.title.clone(), body, &json).map(Reply::from)
}
