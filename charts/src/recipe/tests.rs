//! Recipes on small tables: what becomes of them, and what cannot.

use super::*;
use crate::chart::{Scale, Shape};
use crate::panels::Colours;
use crate::table::{Column, ValueTable};

/// A recipe out of its lines, the first being `chart:`; the file has three lines before it.
fn read(text: &str) -> Result<Recipe, Misread> {
    let line = |(at, line): (usize, &str)| {
        let (key, value) = line.trim().split_once(':').unwrap();
        RecipeLine { number: at + 4, key: key.to_owned(), value: value.trim().to_owned() }
    };
    let lines: Vec<RecipeLine> = text.trim().lines().enumerate().map(line).collect();
    Recipe::read(&lines[0], &lines[1..])
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
    let recipe = "
        chart: lines
        x: year | year
        y: games | games (a year)
        series: ending
        label: ending
        band: low to high
        rule: y 3
        range: y 0 10
        subtitle: By their ending";
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
    let recipe = "
        chart: dots
        x: year | year
        y: games as all games, low | games
        band: none, low to high
        shape: low steps
        scale: y whole";
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
    let by_ending = chart("chart: bars\nx: ending | ending\ny: games | games", &table());
    assert_eq!(by_ending.x.words, [(0.0, "goal".to_owned()), (1.0, "time".to_owned())]);
    let recipe = "chart: bars\nx: year | year\ny: games | games\nscale: x words";
    let by_year = chart(recipe, &table());
    assert_eq!(by_year.x.words, [(0.0, "2003".to_owned()), (1.0, "2002".to_owned())]);
    assert_eq!(by_year.series[0].points.iter().map(|point| point.x).collect::<Vec<_>>(), [0.0, 1.0, 1.0]);
    let years: Vec<f64> = (0..300).map(|n| 1_800.0 + f64::from(n)).collect();
    let long = ValueTable::new(vec![numbers("year", &years), numbers("games", &years)]);
    let ticks = chart(recipe, &long).x.words;
    assert!(ticks.len() < 20 && ticks[0] == (0.0, "1800".to_owned()), "{ticks:?}");
    assert_eq!(ticks[1].0 as i64 + 1_800, ticks[1].1.parse::<i64>().unwrap(), "each stands where it belongs");
}

#[test]
fn times_stand_on_a_time_axis_and_numbers_with_decimals_on_one_of_numbers() {
    let times = Column::times("at", [Some(1e15), None]);
    let table = ValueTable::new(vec![times, numbers("games", &[1.5, 2.0])]);
    let by_time = chart("chart: lines\nx: at | time (UTC)\ny: games | games", &table);
    assert_eq!((by_time.x.scale, by_time.series[0].points.len()), (Scale::Time, 1));
    let by_number = chart("chart: lines\nx: games | games\ny: games | games", &table);
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
    let recipe = "
        chart: board
        square: square
        value: share | share (percent)
        panel: piece
        words: said
        beside: 2";
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
    let recipe = "
        chart: fields
        row: said
        column: piece
        value: share | share (percent)
        colours: around zero";
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
    let fields = panels("chart: fields\nrow: player\ncolumn: opponent\nvalue: won | games won", &table);
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
    let missing = refused("chart: lines\nx: year | year\ny: share | share (percent)", &table());
    assert_eq!(
        missing.to_string(),
        "the chart needs a column `share` for y, and the answer has none of that name; it has `year`, `ending`, `games`, \
         `low`, `high`"
    );
    assert_eq!(
        missing.hints(),
        [
            "name a column of the query so (`... AS share`), or name one that it has in line 6 of the front matter"
        ]
    );
    let kind = refused("chart: lines\nx: year | year\ny: ending | games", &table());
    assert_eq!(kind.to_string(), "the chart needs numbers for y, and the column `ending` holds words");
    assert!(kind.hints()[0].contains("line 6"), "{:?}", kind.hints());
    let whole = refused("chart: lines\nx: ending | year\ny: games | games\nscale: x whole", &table());
    assert!(whole.to_string().contains("numbers for x"), "{whole}");
    for key in ["series: who", "label: who", "band: who to high"] {
        let error = refused(&format!("chart: lines\nx: year | year\ny: games | games\n{key}"), &table());
        assert!(
            matches!(&error, RecipeError::MissingColumn { column, line: 7, .. } if column == "who"),
            "{error}"
        );
    }
    let square = refused("chart: board\nsquare: ending\nvalue: games | games", &table());
    assert!(square.to_string().contains("`goal` in row 1"), "{square}");
    let twice = refused("chart: fields\nrow: ending\ncolumn: ending\nvalue: games | games", &table());
    assert!(twice.to_string().contains("row 2") && twice.to_string().contains("goal goal"), "{twice}");
    let empty = ValueTable::new(vec![numbers("year", &[]), numbers("games", &[])]);
    let recipe = "chart: lines\nx: year | year\ny: games | games";
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
fn a_line_that_cannot_be_read_is_named() {
    let xy = "chart: lines\nx: year | year\ny: games | games\n";
    for (text, line, words) in [
        ("chart: pie", 4, "no kind of chart: lines, steps"),
        ("chart: lines\ny: games | games", 4, "needs a line `x:`"),
        ("chart: lines\nx: year\ny: games | games", 5, "behind a `|`"),
        ("chart: lines\nx: year | year\ny: games, | games", 6, "no name of a column"),
        ("chart: lines\nx: a b | year\ny: games | games", 5, "`a b`"),
        ("chart: board\nsquare: square", 4, "needs a line `value:`"),
        ("chart: board\nsquare: square\nvalue: v | v\nx: year | y", 7, "a chart of board has no `x:`"),
        ("chart: board\nsquare: square\nvalue: v | v\ncolours: red", 7, "`red`"),
        ("chart: board\nsquare: square\nvalue: v | v\nbeside: 0", 7, "from 1 to 12"),
        ("chart: fields\nrow: a\nvalue: v | v", 4, "needs a line `column:`"),
        (&format!("{xy}x: games | games"), 7, "line 5 already"),
        (&format!("{xy}square: e4"), 7, "has no `square:`"),
        (&format!("{xy}band: low"), 7, "low to high"),
        (&format!("{xy}band: low to high, none"), 7, "2 bands and 1"),
        (&format!("{xy}shape: games pie"), 7, "steps, dots, bars"),
        (&format!("{xy}shape: others bars"), 7, "no column of `y:`"),
        (&format!("{xy}range: y 0"), 7, "begins and ends"),
        (&format!("{xy}range: y 9 1"), 7, "goes up"),
        (&format!("{xy}range: z 0 1"), 7, "begins with the axis"),
        (&format!("{xy}rule: y high"), 7, "`high` behind `rule:` is no number"),
        (&format!("{xy}rule: y NaN"), 7, "no number"),
        (&format!("{xy}rule: y 1\nrule: y 2"), 8, "already"),
        (&format!("{xy}scale: y words"), 7, "x axis alone"),
        (&format!("{xy}scale: x log"), 7, "`log` is no scale"),
        ("chart: lines\nx: year | year\ny: games, low | games\nseries: ending", 7, "without it several"),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}

#[test]
fn what_was_made_can_be_drawn() {
    let drawing =
        read("chart: lines\nx: year | year\ny: games | games").unwrap().make(&table(), said()).unwrap();
    assert_eq!(drawing.title(), "Games");
    assert!(drawing.draw(Picture::Svg).unwrap().starts_with(b"<svg"));
    assert!(drawing.draw(Picture::Png).unwrap().starts_with(b"\x89PNG"));
    assert!(drawing.data().unwrap().starts_with("kind,"));
    assert!(keys().contains(&"square") && keys().contains(&"band"));
}
