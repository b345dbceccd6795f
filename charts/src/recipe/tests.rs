//! Recipes on small tables: what becomes of them, and what cannot.

use super::*;
use crate::chart::{Scale, Shape};
use crate::panels::Colours;
use crate::table::{Column, ValueTable};

fn read(text: &str) -> Result<Recipe, String> {
    #[derive(serde::Deserialize)]
    struct Study {
        chart: Recipe,
    }
    let study: Study = toml::from_str(text).map_err(|error| error.to_string())?;
    study.chart.check().map(|()| study.chart)
}

/// A recipe with one column across and one up.
fn plain(kind: &str, x: &str, y: &str) -> String {
    format!(
        "[chart.{kind}]\nx = \"{x}\"\nx_axis = {{ name = \"{x}\" }}\n\
         y = [{{ column = \"{y}\"}}]\ny_axis = {{ name = \"{y}\" }}\n"
    )
}

/// A recipe of fields by the names of their rows and columns.
fn names(row: &str, column: &str, value: &str) -> String {
    format!(
        "[chart.fields]\nrow = \"{row}\"\ncolumn = \"{column}\"\n\
         cells = {{ value = \"{value}\", measured = \"{value}\" }}"
    )
}

fn said() -> Caption {
    Caption { title: "Games".to_owned(), subtitle: "How many?".to_owned(), source: "here".to_owned() }
}

fn words(name: &str, values: &[&str]) -> Column {
    Column::words(name, values.iter().map(|word| Some((*word).to_owned())))
}

fn numbers(name: &str, values: &[f64]) -> Column {
    Column::numbers(name, values.iter().map(|number| Some(*number)))
}

/// Games by year and ending.
fn table() -> ValueTable {
    ValueTable::new(vec![
        numbers("year", &[2003.0, 2002.0, 2002.0]),
        words("ending", &["goal", "goal", "time"]),
        numbers("games", &[7.0, 5.0, 2.0]),
        Column::numbers("low", [Some(6.0), Some(4.0), None]),
        Column::numbers("high", [Some(8.5), Some(6.0), Some(3.0)]),
    ])
}

fn chart(recipe: &str, table: &ValueTable) -> Chart {
    match read(recipe).unwrap().make(table, said()).unwrap() {
        Drawing::Chart(chart) => chart,
        Drawing::Panels(panels) => panic!("{panels:?}"),
    }
}

fn panels(recipe: &str, table: &ValueTable) -> Panels {
    match read(recipe).unwrap().make(table, said()).unwrap() {
        Drawing::Panels(panels) => panels,
        Drawing::Chart(chart) => panic!("{chart:?}"),
    }
}

#[test]
fn a_column_names_the_series_and_points_go_from_left_to_right() {
    let recipe = r#"
        [chart.lines]
        x = "year"
        x_axis = { name = "year" }
        y = [{ column = "games", band = ["low", "high"] }]
        y_axis = { name = "games (a year)", rule = 3, range = [0, 10] }
        series = "ending"
        label = "ending"
        subtitle = "By their ending""#;
    let chart = chart(recipe, &table());
    let series: Vec<(&str, Vec<(f64, f64)>)> = chart
        .series
        .iter()
        .map(|series| (series.name.as_str(), series.points.iter().map(|point| (point.x, point.y)).collect()))
        .collect();
    assert_eq!(series, [("goal", vec![(2002.0, 5.0), (2003.0, 7.0)]), ("time", vec![(2002.0, 2.0)])]);
    assert_eq!(chart.series[0].points[1].within, Some((6.0, 8.5)));
    assert_eq!(chart.series[1].points[0].within, None, "one edge alone is no band");
    assert_eq!(chart.series[0].points[0].label, "goal");
    assert_eq!((chart.x.scale, chart.x.name.as_str()), (Scale::Whole, "year"));
    assert_eq!((chart.y.rule, chart.y.range, chart.y.scale), (Some(3.0), Some((0.0, 10.0)), Scale::Number));
    assert_eq!((chart.title.as_str(), chart.subtitle.as_str()), ("Games", "By their ending"));
}

#[test]
fn several_columns_are_series_with_names_shapes_and_bands_of_their_own() {
    let recipe = r#"
        [chart.dots]
        x = "year"
        x_axis = { name = "year" }
        y = [{ column = "games", name = "all games" }, { column = "low", band = ["low", "high"], shape = "steps" }]
        y_axis = { name = "games", scale = "whole" }"#;
    let chart = chart(recipe, &table());
    let named: Vec<(&str, Shape)> = chart.series.iter().map(|s| (s.name.as_str(), s.shape)).collect();
    assert_eq!(named, [("all games", Shape::Dots), ("low", Shape::Steps)]);
    assert_eq!(chart.series[0].points.len(), 3);
    assert_eq!(chart.series[1].points.len(), 2, "a missing value is no point");
    assert!(chart.series[0].points.iter().all(|point| point.within.is_none()));
    assert!(chart.series[1].points.iter().all(|point| point.within.is_some()));
    assert_eq!(chart.y.scale, Scale::Whole);
    assert_eq!(chart.subtitle, "How many?");
}

#[test]
fn words_and_numbers_as_words_get_places_in_the_order_in_which_they_come() {
    let by_ending = chart(&plain("bars", "ending", "games"), &table());
    assert_eq!(by_ending.x.words, [(0.0, "goal".to_owned()), (1.0, "time".to_owned())]);
    let recipe = plain("bars", "year", "games").replace("x_axis = {", "x_axis = { scale = \"words\",");
    let by_year = chart(&recipe, &table());
    assert_eq!(by_year.x.words, [(0.0, "2003".to_owned()), (1.0, "2002".to_owned())]);
    assert_eq!(by_year.series[0].points.iter().map(|point| point.x).collect::<Vec<_>>(), [0.0, 1.0, 1.0]);
    let years: Vec<f64> = (0..300).map(|n| 1_800.0 + f64::from(n)).collect();
    let long = ValueTable::new(vec![numbers("year", &years), numbers("games", &years)]);
    let ticks = chart(&recipe, &long).x.words;
    assert!(ticks.len() < 20 && ticks[0] == (0.0, "1800".to_owned()), "{ticks:?}");
    assert_eq!(ticks[1].0 as i64 + 1_800, ticks[1].1.parse::<i64>().unwrap(), "each stands where it belongs");
}

#[test]
fn times_stand_on_a_time_axis_and_numbers_with_decimals_on_one_of_numbers() {
    let times = Column::times("at", [Some(1e15), None]);
    let table = ValueTable::new(vec![times, numbers("games", &[1.5, 2.0])]);
    let by_time = chart(&plain("lines", "at", "games"), &table);
    assert_eq!((by_time.x.scale, by_time.series[0].points.len()), (Scale::Time, 1));
    let by_number = chart(&plain("lines", "games", "games"), &table);
    assert_eq!(by_number.x.scale, Scale::Number);
}

#[test]
fn squares_are_the_fields_of_a_board_and_names_those_of_a_table() {
    let table = ValueTable::new(vec![
        words("piece", &["cat", "cat", "dog"]),
        words("square", &["a1", "h8", "c2"]),
        numbers("share", &[50.0, 25.0, 12.5]),
        words("said", &["half", "quarter", "eighth"]),
    ]);
    let recipe = r#"
        [chart.board]
        square = "square"
        cells = { value = "share", measured = "share (percent)", panel = "piece", words = "said", beside = 2 }"#;
    let board = panels(recipe, &table);
    assert_eq!(board.panels.iter().map(|panel| panel.name.as_str()).collect::<Vec<_>>(), ["cat", "dog"]);
    assert_eq!((&board.panels[0].rows[0], &board.panels[0].columns[7]), (&"8".to_owned(), &"h".to_owned()));
    assert_eq!(board.panels[0].values[7][0], Some(50.0), "a1 is at the bottom on the left");
    assert_eq!((board.panels[0].values[0][7], board.panels[0].words[0][7].as_str()), (Some(25.0), "quarter"));
    assert_eq!(board.panels[1].values.iter().flatten().flatten().count(), 1);
    assert_eq!(
        (board.beside, board.colours, board.measured.as_str()),
        (2, Colours::LightToDark, "share (percent)")
    );
    let recipe = r#"
        [chart.fields]
        row = "said"
        column = "piece"
        cells = { value = "share", measured = "share (percent)", colours = "around_zero" }"#;
    let fields = panels(recipe, &table);
    assert_eq!(fields.panels.len(), 1);
    assert_eq!(fields.panels[0].rows, ["half", "quarter", "eighth"]);
    assert_eq!(fields.panels[0].values[2], [None, Some(12.5)]);
    assert_eq!((fields.panels[0].words.len(), fields.colours), (0, Colours::AroundZero));
}

#[test]
fn players_against_players_stand_in_one_order_both_ways() {
    let table = ValueTable::new(vec![
        words("player", &["a", "a", "b", "c"]),
        words("opponent", &["b", "c", "a", "a"]),
        numbers("won", &[1.0, 2.0, 3.0, 4.0]),
    ]);
    let fields = panels(&names("player", "opponent", "won"), &table);
    assert_eq!(
        (&fields.panels[0].rows, &fields.panels[0].columns),
        (&fields.panels[0].columns, &fields.panels[0].rows)
    );
    assert_eq!(
        fields.panels[0].values,
        [vec![None, Some(1.0), Some(2.0)], vec![Some(3.0), None, None], vec![Some(4.0), None, None]]
    );
}

#[test]
fn an_answer_that_does_not_suit_is_refused_with_the_column_and_what_to_do() {
    let refused = |recipe: &str, table: &ValueTable| read(recipe).unwrap().make(table, said()).unwrap_err();
    let missing = refused(&plain("lines", "year", "share"), &table());
    assert_eq!(
        missing.to_string(),
        "the chart needs a column `share` for y, and the answer has none of that name; it has `year`, `ending`, `games`, \
         `low`, `high`"
    );
    assert_eq!(
        missing.hints(),
        ["name a column of the query so (`... AS share`), or name one that it has in the front matter"]
    );
    let kind = refused(&plain("lines", "year", "ending"), &table());
    assert_eq!(kind.to_string(), "the chart needs numbers for y, and the column `ending` holds words");
    assert!(kind.hints()[0].contains("cast `ending`"), "{:?}", kind.hints());
    let whole = plain("lines", "ending", "games").replace("x_axis = {", "x_axis = { scale = \"whole\",");
    let whole = refused(&whole, &table());
    assert!(whole.to_string().contains("numbers for x"), "{whole}");
    for key in ["series", "label"] {
        let recipe = format!("{}{key} = \"who\"", plain("lines", "year", "games"));
        let error = refused(&recipe, &table());
        assert!(matches!(&error, RecipeError::MissingColumn { column, .. } if column == "who"), "{error}");
    }
    let band = plain("lines", "year", "games").replace("}]", ", band = [\"who\", \"high\"] }]");
    assert!(refused(&band, &table()).to_string().contains("`who` for the band"));
    let square = "[chart.board]\nsquare = \"ending\"\ncells = { value = \"games\", measured = \"games\" }";
    let square = refused(square, &table());
    assert!(square.to_string().contains("`goal` in row 1"), "{square}");
    let twice = refused(&names("ending", "ending", "games"), &table());
    assert!(twice.to_string().contains("row 2") && twice.to_string().contains("goal goal"), "{twice}");
    let empty = ValueTable::new(vec![numbers("year", &[]), numbers("games", &[])]);
    let recipe = &plain("lines", "year", "games");
    assert_eq!(refused(recipe, &empty), RecipeError::Empty);
    let gone = ValueTable::new(vec![numbers("games", &[])]);
    assert!(
        matches!(refused(recipe, &gone), RecipeError::MissingColumn { .. }),
        "told before the empty answer"
    );
    let many = vec![1.0; MOST_ROWS + 1];
    let many = ValueTable::new(vec![numbers("year", &many), numbers("games", &many)]);
    assert!(matches!(refused(recipe, &many), RecipeError::TooMany { most: 20_000 }));
}

#[test]
fn a_recipe_that_cannot_be_read_is_refused_in_words() {
    let xy = |with: &str| format!("{}{with}", plain("lines", "year", "games"));
    let in_x = |with: &str| xy("").replace("x_axis = {", &format!("x_axis = {{ {with},"));
    let in_y = |with: &str| xy("").replace("y_axis = {", &format!("y_axis = {{ {with},"));
    let in_cells = |with: &str| names("a", "b", "v").replace("cells = {", &format!("cells = {{ {with},"));
    for (text, words) in [
        ("[chart.pie]".to_owned(), "unknown variant `pie`, expected one of `lines`, `steps`"),
        (xy("").replace("x = ", "z = "), "unknown field `z`, expected one of `subtitle`, `x`"),
        ("[chart.lines]\nx = \"a\"".to_owned(), "missing field `x_axis`"),
        (xy("square = \"e4\""), "unknown field `square`"),
        (xy("x = \"games\""), "duplicate key"),
        (xy("").replace("}]", ", band = [\"low\"] }]"), "an array of length 2"),
        (xy("").replace("}]", ", shape = \"pie\" }]"), "`lines`, `steps`, `dots`, `bars`"),
        (xy("series = \"a\"").replace("}]", "}, { column = \"low\" }]"), "there are several"),
        (xy("").replace("[{ column = \"games\"}]", "[]"), "needs a column"),
        (in_y("range = [0]"), "an array of length 2"),
        (in_y("range = [9, 1]"), "a range goes up"),
        (in_y("range = [0, inf]"), "no place on an axis"),
        (in_y("rule = \"high\""), "invalid type: string"),
        (in_y("rule = nan"), "no place on an axis"),
        (in_y("scale = \"words\""), "x axis alone"),
        (in_x("scale = \"log\""), "unknown variant `log`, expected one of `words`"),
        (in_cells("colours = \"red\""), "unknown variant `red`"),
        (in_cells("beside = 0"), "from 1 to 12"),
        (names("a", "b", "v").replace("column", "colunm"), "unknown field `colunm`"),
    ] {
        let error = read(&text).unwrap_err();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn what_was_made_can_be_drawn() {
    let drawing = read(&plain("lines", "year", "games")).unwrap().make(&table(), said()).unwrap();
    assert_eq!(drawing.title(), "Games");
    assert!(drawing.draw(Picture::Svg).unwrap().starts_with(b"<svg"));
    assert!(drawing.draw(Picture::Png).unwrap().starts_with(b"\x89PNG"));
    assert!(drawing.data().unwrap().starts_with("kind,"));
}

#[test]
fn each_of_a_dozen_bars_has_its_name_turned_if_it_does_not_fit() {
    let names: Vec<String> = (0..12).map(|n| format!("bot_with_a_long_name_{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let games: Vec<f64> = (0..12).map(f64::from).collect();
    let table = ValueTable::new(vec![words("ending", &names), numbers("games", &games)]);
    let svg = crate::draw(&chart(&plain("bars", "ending", "games"), &table), crate::Picture::Svg).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    let turned = |name: &&&str| {
        svg.split("<text").any(|text| text.contains("rotate(270") && text.contains(&format!("{name}\n<")))
    };
    assert_eq!(names.iter().filter(turned).count(), 12, "{svg}");
    let short = ValueTable::new(vec![words("ending", &["a", "b"]), numbers("games", &[1.0, 2.0])]);
    let svg = crate::draw(&chart(&plain("bars", "ending", "games"), &short), crate::Picture::Svg).unwrap();
    assert_eq!(String::from_utf8(svg).unwrap().matches("rotate(270").count(), 1, "the name of the y axis");
}
