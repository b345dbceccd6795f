//! The SQL page: pages of a result, its chart and its files, errors at their place, and the limit of memory.

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::server::Server;
use crate::server::demonstration;

/// Numbers from 0, in order.
const NUMBERS: &str = "SELECT+value,+value+%25+7+AS+rest,+value+*+2+AS+twice+FROM+range(450)+ORDER+BY+1";

#[test]
fn numbers_of_an_answer_have_every_digit() {
    let (place, server) = &*demonstration();
    let sql = "SELECT 1337.0/11 AS a, CAST('12345678901234567890.123456789' AS DECIMAL(38,9)) AS b, 18446744073709551615 AS c";
    let asked = place.ask(&["--home", "annals-demo", "query", "--json", sql]);
    let page = server.get(&format!("/sql.json?q={}", sql.replace(' ', "+"))).body;
    for number in ["121.54545454545455", "12345678901234567890.123456789", "18446744073709551615"] {
        assert!(asked.contains(number) && page.contains(number), "{number}: {asked} {page}");
    }
}

#[test]
fn a_result_has_pages_and_files_of_all_its_rows() {
    let (place, server) = &*demonstration();
    let page = server.page(&format!("/sql?q={NUMBERS}&page=2"));
    assert!(page.contains("Rows 201 to 400, and more"), "{page}");
    assert!(page.contains("← page 1") && page.contains("page 3 →"), "{page}");
    let last = server.json(&format!("/sql.json?q={NUMBERS}&page=3"));
    assert_eq!((last["rows"].as_array().unwrap().len(), &last["more"]), (50, &serde_json::json!(false)));
    assert_eq!(last["rows"][0]["value"], 400);
    assert_eq!(server.json(&format!("/sql.json?q={NUMBERS}"))["rows"].as_array().unwrap().len(), 450);
    assert_eq!(server.get(&format!("/sql?q={NUMBERS}&page=501")).status, 200, "the query stays in its field");
    assert_eq!(server.get(&format!("/sql.json?q={NUMBERS}&page=501")).status, 400);
    for (ending, magic) in [("arrow", "ARROW1"), ("parquet", "PAR1")] {
        let file = server.get(&format!("/sql.{ending}?q={NUMBERS}"));
        assert!(file.body.starts_with(magic) && file.body.contains("annals query"), "{ending}");
        assert!(file.head.contains(&format!("filename=\"result.{ending}\"")), "{}", file.head);
    }
    let written = ["--home", "annals-demo", "query", "SELECT 1 AS one", "-o", "one.arrow"];
    place.ask(&written);
    assert!(std::fs::read(place.path("one.arrow")).unwrap().ends_with(b"ARROW1"));
}

#[test]
fn any_result_can_be_drawn_and_its_chart_has_an_address() {
    let (_, server) = &*demonstration();
    for kind in ["lines", "steps", "dots", "bars"] {
        let chosen = format!("q={NUMBERS}&x=value&y=twice&series=rest&kind={kind}");
        let svg = server.get(&format!("/sql.svg?{chosen}"));
        assert!(svg.status == 200 && svg.head.contains("image/svg+xml"), "{kind}: {}", svg.body);
        assert!(svg.body.contains("<svg") && svg.body.contains("twice by value"), "{kind}: {}", svg.body);
        let page = server.page(&format!("/sql?{chosen}"));
        assert!(
            page.contains("<img src=\"/sql.svg?") && page.contains("details class=\"chart\" open"),
            "{page}"
        );
    }
    for (chosen, status, words) in [
        ("x=value", 400, "needs the columns `x` and `y`"),
        ("x=value&y=nothing", 400, "a column `nothing`"),
        ("x=value&y=twice&kind=pie", 400, "expected a kind of chart"),
    ] {
        let refused = server.get(&format!("/sql.svg?q={NUMBERS}&{chosen}"));
        assert!(refused.status == status && refused.body.contains(words), "{chosen}: {}", refused.body);
    }
    let long = server.get("/sql.svg?q=SELECT+value+FROM+range(30000)&x=value&y=value");
    assert!(long.status == 400 && long.body.contains("too many for a chart"), "{}", long.body);
    let page = server.page(&format!("/sql?q={NUMBERS}&x=value&y=nothing"));
    assert!(page.contains("a column `nothing`") && page.contains("Rows 1 to 200"), "{page}");
}

#[test]
fn an_error_has_its_place_and_the_schema_has_the_words_of_completion() {
    let (_, server) = &*demonstration();
    let page = server.page("/sql?q=SELECT+gold,%0A++silvr+FROM+games");
    assert!(page.contains("(line 2, column 3)") && page.contains("did you mean `silver`"), "{page}");
    assert!(page.contains("SELECT gold,\n  silvr FROM games</textarea>"), "{page}");
    assert!(page.contains("data-table=\"games\"") && page.contains("<code>gold_rating</code>"), "{page}");
    assert!(page.contains("board_text") && page.contains("src=\"/assets/sql.js\""), "{page}");
}

#[test]
fn a_query_beyond_the_memory_of_the_server_is_503() {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "annals-demo");
    let server = Server::start(&place, "annals-demo", &["--memory", "1MiB"]);
    let response = server.get(
        "/sql.csv?q=SELECT+count(*)+FROM+range(3000000)+AS+a+JOIN+range(3000000)+AS+b+ON+a.value+=+b.value",
    );
    assert_eq!(response.status, 503, "{}", response.body);
    assert!(response.body.contains("memory"), "{}", response.body);
    assert_eq!(server.get("/sql.csv?q=SELECT+1+AS+one").body, "one\n1\n");
}

#[test]
fn a_row_without_a_category_is_drawn_and_what_is_not_drawn_is_counted() {
    let (_, server) = &*demonstration();
    let drawn = |sql: &str| server.page(&format!("/sql.svg?q={sql}&x=kind&y=n&kind=bars"));
    let words = drawn("SELECT+*+FROM+(VALUES+('goal',+2),+(NULL,+1))+AS+v+(kind,+n)");
    assert!(words.contains("not known") && !words.contains("not drawn"), "{words}");
    let numbers = drawn("SELECT+*+FROM+(VALUES+(1,+2),+(NULL,+1))+AS+v+(kind,+n)");
    assert!(numbers.contains("2 rows, 1 not drawn"), "{numbers}");
}

#[test]
fn a_game_of_the_log_has_its_name_in_lists() {
    let played = &DEMONSTRATION.0;
    let ask = |words: &[&str]| played.ask_json(&[&["--home", "annals-demo"], words].concat());
    let games = ask(&["game", "list", "--json", "--reverse"]);
    let games = games.as_array().unwrap();
    assert!(games.iter().any(|game| game["stream"] == "game/cup.r12.1"), "{games:?}");
    let (_, server) = &*demonstration();
    let page = server.page("/games");
    assert!(page.contains("<a href=\"/game/cup.r12.1\">cup.r12.1</a>"), "{page}");
}
