//! An analyst in a real browser: a query, an error at its place, a long result, files, and a study with parameters.

use crate::browser::key;
use crate::browsing::Reader;

const QUERY: &str = "document.querySelector('textarea[name=q]')";

#[test]
fn an_analyst_asks_in_sql_and_sees_an_error_at_its_place() {
    let Some(reader) = Reader::start() else { return };
    reader.go("/sql");
    let ask = |sql: &str| {
        reader.tab_to(QUERY);
        reader.script(&format!("{QUERY}.value = ''"), &[]);
        reader.keys(sql);
        reader
            .tab_to("[...document.querySelectorAll('main form button')].find(b => b.textContent === 'Run')");
        reader.keys(key::ENTER);
    };
    let sql = "SELECT termination, count(*) AS games FROM games GROUP BY 1 ORDER BY 2 DESC";
    ask(sql);
    reader.wait("document.querySelector('main tbody')");
    let cells = "[...document.querySelectorAll('main tbody tr')].map(tr => [...tr.children].map(td => td.textContent.replaceAll(',', '')).join()).join('\\n')";
    let csv = reader.ask(&["query", "--format", "csv", sql]);
    assert_eq!(reader.text(cells), csv.lines().skip(1).collect::<Vec<_>>().join("\n"));
    // The address is a permanent link, and the file has the same rows.
    let link = reader.text("location.href");
    let file = reader.text(
        "[...document.querySelectorAll('main a')].find(a => a.textContent === 'CSV').getAttribute('href')",
    );
    assert_eq!(reader.served.1.page(&file), csv);
    reader.open(&link);
    assert_eq!(reader.text(cells), csv.lines().skip(1).collect::<Vec<_>>().join("\n"));

    ask("SELECT nothing FROM games");
    reader.wait("document.querySelector('main [role=alert]')");
    let error = reader.text("document.querySelector('main [role=alert]').innerText");
    assert!(error.contains("nothing") && error.contains("line 1, column 8"), "{error}");
    assert_eq!(reader.text(&format!("{QUERY}.value")), "SELECT nothing FROM games", "the query is kept");

    ask("SELECT value FROM range(1000)");
    reader.wait("document.querySelector('main tbody td') && document.querySelector('main tbody td').textContent === '0'");
    let rows =
        reader.script("return document.querySelectorAll('main tbody tr').length", &[]).as_u64().unwrap();
    assert!((50..1000).contains(&rows), "{rows}");
    // Back to the query before.
    reader.script("history.back()", &[]);
    reader.wait("document.querySelector('main [role=alert]')");
}

#[test]
fn an_analyst_runs_a_study_with_parameters() {
    let Some(reader) = Reader::start() else { return };
    reader.go("/studies");
    reader.click_words("The greatest comebacks");
    reader.wait("location.pathname === '/study/comebacks'");
    let field = "document.querySelector('input[name=most]')";
    reader.tab_to(field);
    reader.keys(&format!("3{}", key::ENTER));
    reader.wait("location.search.includes('most=3')");
    reader.wait(&format!("{field}.value === '3'"));
    let json = reader.served.1.json(&reader.text("location.pathname + '.json' + location.search"));
    let rows = reader.script("return document.querySelectorAll('main tbody tr').length", &[]);
    assert_eq!((rows.as_u64(), json["all"].as_u64()), (Some(3), Some(3)));
    let csv = reader.ask(&["study", "run", "comebacks", "--param", "most=3", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 4);
    reader.click_words("← studies");
    reader.wait("location.pathname === '/studies'");
    reader.click_words("How games ended, year by year");
    reader.wait("document.querySelector('figure.chart svg')");
}

#[test]
fn names_of_the_schema_are_completed_by_the_keyboard() {
    let Some(reader) = Reader::start() else { return };
    reader.go("/sql");
    reader.tab_to(QUERY);
    reader.script(&format!("{QUERY}.value = ''"), &[]);
    let options = "[...document.querySelectorAll('#words [role=option]')].map(option => option.textContent)";
    let value = || reader.text(&format!("{QUERY}.value"));
    // The first word that the arrow reaches, and the one after it.
    reader.keys("SELECT count(*) FROM gam");
    reader.wait(&format!("{options}.includes('games')"));
    let place = reader.script(&format!("return {options}.indexOf('games')"), &[]).as_u64().unwrap();
    reader.keys(&key::DOWN.repeat(usize::try_from(place).unwrap() + 1));
    let chosen = "document.querySelector('#words [aria-selected=true]')";
    assert_eq!(reader.text(&format!("{chosen}.textContent")), "games");
    let active = reader.text(&format!("{QUERY}.getAttribute('aria-activedescendant')"));
    assert_eq!(reader.text(&format!("{chosen}.id")), active);
    reader.keys(key::ENTER);
    assert_eq!(value(), "SELECT count(*) FROM games");
    assert_eq!(reader.text("String(document.querySelector('#words').hidden)"), "true");
    // A column of an alias, in the middle of the text; Escape closes the list and changes nothing.
    reader.keys(" AS g WHERE g.termina");
    reader.wait(&format!("{options}.join() === 'termination'"));
    reader.keys(key::ESCAPE);
    reader.wait("document.querySelector('#words').hidden");
    assert_eq!(value(), "SELECT count(*) FROM games AS g WHERE g.termina");
    reader.keys(&format!("t{}{}", key::DOWN, key::ENTER));
    assert_eq!(value(), "SELECT count(*) FROM games AS g WHERE g.termination");
    reader.keys(" = 'goa");
    assert_eq!(reader.text("String(document.querySelector('#words').hidden)"), "true", "within a text");
    reader.keys("l'");
    // Ctrl and Enter run it.
    reader.keys(&format!("{}{}", key::CONTROL, key::ENTER));
    reader.wait("document.querySelector('main tbody td')");
    let sql = value();
    let csv = reader.ask(&["query", "--format", "csv", &sql]);
    let cell = reader.text("document.querySelector('main tbody td').textContent");
    assert_eq!(cell.replace(',', ""), csv.lines().nth(1).unwrap());
}
