//! A document as one self-contained HTML file: with style and pictures, without scripts, every text escaped, and a
//! policy against scripts and loading.

use jiff::tz::TimeZone;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::document::Part;
use crate::{Cell, Document, Table, escaped};

const STYLE: &str = "\
body{font:11pt/1.45 Georgia,'Times New Roman',serif;color:#1a1a1a;max-width:62em;margin:2.5em auto;padding:0 1.5em}\
h1{font-size:1.9em;line-height:1.2;border-bottom:2px solid #1a1a1a;padding-bottom:.3em;margin:0 0 .8em}\
h2{font-size:1.3em;margin:1.9em 0 .5em;border-bottom:1px solid #bbb;padding-bottom:.15em}\
h3{font-size:1.05em;margin:1.3em 0 .4em}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15em 1.4em;margin:.5em 0}\
dt{color:#555}dd{margin:0;overflow-wrap:anywhere}\
.wide{overflow-x:auto}\
table{border-collapse:collapse;font:9.5pt/1.35 'Helvetica Neue',Arial,sans-serif}\
th,td{padding:.22em .7em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}\
th{border-bottom:1.5px solid #555;white-space:nowrap}\
td.t{white-space:nowrap}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
tr:nth-child(even) td{background:#f7f6f2}\
li,p{margin:.15em 0;overflow-wrap:anywhere}p{margin:.5em 0}.note{font-size:.9em;color:#555}\
figure{margin:1em 0}figure svg{max-width:100%;height:auto;border:1px solid #ddd}figcaption{font-size:.9em;color:#555}\
pre{overflow-x:auto;background:#f7f6f2;padding:.8em;font-size:.85em;line-height:1.3}summary{color:#555}\
footer{margin-top:2.5em;border-top:1px solid #bbb;padding-top:.6em;font-size:.8em;color:#555;overflow-wrap:anywhere}\
nav a{display:inline-block;margin-right:.9em}figure.board svg{border:0;max-width:22em}\
@page{margin:14mm}\
@media print{*{color:#000!important;background:none!important}\
body{max-width:none;margin:0;padding:0;font-size:10pt}p,li{orphans:3;widows:3}\
h1,h2,h3,figure.board,summary{break-after:avoid}tr,figure,dl{break-inside:avoid}figure.board svg{max-width:80mm}\
thead{display:table-header-group}th{white-space:normal}td{overflow-wrap:anywhere}\
.wide,pre{overflow:visible}pre{white-space:pre-wrap;overflow-wrap:anywhere}\
table{font-size:8pt;max-width:100%}th,td{padding:.18em .4em}\
a{text-decoration:none;overflow-wrap:anywhere}a[href]:not([href^='#'])::after{content:' (' attr(href) ')'}\
details::details-content{content-visibility:visible}}";

const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The address to which a cell leads, from the head of its column, its text, and the identity of whom it names.
pub type Link<'l> = dyn Fn(&str, &str, Option<&str>) -> Option<String> + 'l;

impl Document {
    #[must_use]
    pub fn html(&self, zone: &TimeZone) -> String {
        let title = escaped(self.heading());
        let page = html! {
            (DOCTYPE) "\n"
            html lang="en" { "\n"
                head { "\n"
                    meta charset="utf-8"; "\n"
                    meta http-equiv="Content-Security-Policy" content=(POLICY); "\n"
                    meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                    title { (title) } "\n"
                    style { (PreEscaped(STYLE)) } "\n"
                } "\n"
                body { "\n"
                    @if let Some(warning) = &self.warning { p role="alert" { strong { (escaped(warning)) } } "\n" }
                    h1 { (title) } "\n"
                    (self.shown_parts(zone, &|_, _, _| None, Level::Second))
                    @if !self.foot.is_empty() {
                        footer { @for (number, line) in self.foot.iter().enumerate() {
                            @if number > 0 { br; } (escaped(line))
                        } } "\n"
                    }
                } "\n"
            } "\n"
        };
        page.into_string()
    }

    /// The parts as HTML, without page and title, for a page with its own. `link` gives the address to which a cell of a
    /// table leads.
    #[must_use]
    pub fn fragment(&self, zone: &TimeZone, link: &Link<'_>) -> String {
        self.shown_parts(zone, link, Level::Third).into_string()
    }

    /// As [`fragment`](Document::fragment), right below the title of a page: no level of headings is left out.
    #[must_use]
    pub fn below_title(&self, zone: &TimeZone, link: &Link<'_>) -> String {
        self.shown_parts(zone, link, Level::Second).into_string()
    }

    fn shown_parts(&self, zone: &TimeZone, link: &Link<'_>, first: Level) -> Markup {
        let titled = self.parts.iter().position(|part| matches!(part, Part::Title { .. }));
        let level = |place| if titled.is_some_and(|titled| place > titled) { Level::Third } else { first };
        let shown = self.parts.iter().enumerate().filter(|(_, part)| !part.is_empty());
        html! { @for (place, part) in shown {
            @if matches!(part, Part::Contents) { (self.contents()) } @else { (part.html(zone, link, level(place))) } "\n"
        } }
    }

    fn contents(&self) -> Markup {
        let titles = self.parts.iter().filter_map(|part| match part {
            Part::Title { words, id } if !id.is_empty() => Some((words, id)),
            _ => None,
        });
        let mut titles = titles.peekable();
        let boards = self.parts.iter().filter_map(|part| match part {
            Part::Board { label, .. } if !label.is_empty() => Some(label),
            _ => None,
        });
        let mut boards = boards.peekable();
        html! {
            @if titles.peek().is_some() { ul { @for (words, id) in titles { "\n" li { a href={ "#" (id) } { (escaped(words)) } } } } }
            @if boards.peek().is_some() {
                nav aria-label="Boards" { @for label in boards { "\n" a href={ "#turn-" (label) } { (escaped(label)) } } }
            }
        }
    }
}

/// The level of headings within a part.
#[derive(Clone, Copy)]
enum Level {
    Second,
    Third,
}

impl Level {
    fn heading(self, words: &str) -> Markup {
        match self {
            Level::Second => html! { h2 { (escaped(words)) } },
            Level::Third => html! { h3 { (escaped(words)) } },
        }
    }
}

impl Part {
    fn html(&self, zone: &TimeZone, link: &Link<'_>, level: Level) -> Markup {
        html! {
            @match self {
                Part::Title { words, id } if id.is_empty() => h2 { (escaped(words)) },
                Part::Title { words, id } => h2 id=(id) { (escaped(words)) },
                Part::Subtitle(words) => (level.heading(words)),
                Part::Facts(facts) => dl { @for (label, cell) in facts {
                    "\n" dt { (escaped(label)) } dd { (escaped(&cell.shown(zone))) }
                } },
                Part::Table(table) => (table.without_empty_columns().html(zone, link, level)),
                Part::Lines { title, lines } => {
                    @if !title.is_empty() { (level.heading(title)) "\n" }
                    // Several lines under a title are a list; other lines are paragraphs.
                    @if lines.len() > 1 && !title.is_empty() {
                        ul { @for line in lines { "\n" li { (escaped(line.trim())) } } }
                    } @else {
                        @for line in lines { p.note[title.is_empty()] { (escaped(line.trim())) } }
                    }
                },
                Part::Prose(words) => p { (escaped(words)) },
                Part::Drawing(text) => pre { @for line in crate::escape::escaped_lines(text) { (line) "\n" } },
                Part::Board { label, text, svg } if svg.is_empty() => pre id=[id(label)] {
                    @for line in crate::escape::escaped_lines(text) { (line) "\n" }
                },
                Part::Board { label, text, svg } => figure.board id=[id(label)] {
                    div role="img" aria-label=(crate::escape::escaped_lines(text).collect::<Vec<_>>().join("\n")) {
                        (PreEscaped(svg))
                    }
                },
                Part::Figure { svg, caption } => figure { (PreEscaped(svg)) figcaption { (escaped(caption)) } },
                Part::Details { title, open, part } => details open[*open] {
                    summary { (escaped(title)) } (part.html(zone, link, level))
                },
                Part::Contents => {},
                Part::Link { words, path } => p { a href=(escaped(path)) { (escaped(words)) } },
            }
        }
    }
}

/// The identifier of a turn's board.
fn id(label: &str) -> Option<String> {
    (!label.is_empty()).then(|| format!("turn-{label}"))
}

impl Table {
    fn html(&self, zone: &TimeZone, link: &Link<'_>, level: Level) -> Markup {
        let address = |column: usize, cell: &Cell, text: &str| {
            self.head.get(column).and_then(|head| link(head, text, cell.identity()))
        };
        let times = |column: usize| self.column(column).any(|cell| matches!(cell, Cell::Time(_)));
        let class = |column: usize| match (self.is_figures(column), times(column)) {
            (true, _) => Some("n"),
            (false, true) => Some("t"),
            (false, false) => None,
        };
        html! {
            @if !self.title.is_empty() { (level.heading(&self.title)) "\n" }
            div.wide { table { "\n"
                @if !self.head.is_empty() {
                    thead { tr { @for (column, word) in self.head.iter().enumerate() {
                        th class=[class(column)] { (escaped(word)) }
                    } } } "\n"
                }
                tbody { @for row in &self.rows {
                    "\n" tr { @for (column, cell) in row.iter().enumerate() {
                        @let text = cell.shown(zone);
                        td class=[class(column)] {
                            @match address(column, cell, &text) {
                                Some(address) => a href=(escaped(&address)) { (escaped(&text)) },
                                None => (escaped(&text)),
                            }
                        }
                    } }
                } } "\n"
            } }
        }
    }
}
