//! The ratings of players over time, with the intervals of the systems that have errors; for a system with one strength for all
//! time, the players next to each other.

use std::ops::RangeInclusive;

use annals_ratings::INTERVAL;

use super::{Axis, Chart, Point, Scale, Series, Shape};
use crate::dates::day;
use crate::ratings::{RatedGame, RatedPlayer, Ratings, System};
use crate::{Error, Remedy};
use annals_report::similar;

/// The default number of players shown.
pub const SHOWN: usize = 7;

/// The rating of each named player after each game, by default of the highest rated. `system` is the one by which
/// they were computed, `period` the first and the last instant that is drawn, in microseconds since 1970, UTC.
///
/// # Errors
/// `Unknown` if a named player has no rating, `Nothing` if no game has a time.
pub fn ratings(
    ratings: &Ratings,
    system: &System,
    names: &[String],
    period: RangeInclusive<i64>,
    source: String,
) -> Result<Chart, Error> {
    let whole = i64::MIN..=i64::MAX;
    let mut shown: Vec<&RatedPlayer> = Vec::new();
    for name in names {
        let player = find(ratings, name)?;
        if !shown.contains(&player) {
            shown.push(player);
        }
    }
    if names.is_empty() {
        let is_in = |player: &&RatedPlayer| {
            period == whole || player.course.iter().filter_map(|game| game.at).any(|at| period.contains(&at))
        };
        shown = ratings.players.iter().filter(is_in).take(SHOWN).collect();
    }
    let form = Form::of(system);
    let mut series: Vec<Series> = match form {
        Form::Steps | Form::Line => shown.iter().map(|player| line(player, form)).collect(),
        Form::Beside => shown.iter().zip(1u32..).map(|(player, place)| dot(player, place)).collect(),
    };
    if form == Form::Beside && period != whole {
        return Err(Error::Nothing {
            what: format!("{} has one rating of a player for all time, and no period", system.word()),
            next: vec![Remedy::Words("`--as-of DATE` rates by the games up to then".to_owned())],
        });
    }
    let has_times = shown.is_empty() || series.iter().any(|series| !series.points.is_empty());
    series.iter_mut().for_each(|series| series.points.retain(|point| period.contains(&(point.x as i64))));
    if has_times && series.iter().all(|series| series.points.is_empty()) {
        return Err(Error::Nothing {
            what: "none of these players ended a game in this period".to_owned(),
            next: vec![Remedy::OtherTime],
        });
    }
    if period != whole {
        series.retain(|series| !series.points.is_empty());
    }
    if series.iter().all(|series| series.points.is_empty()) {
        return Err(Error::Nothing {
            what: "no game of these players has a time, so there is no course to draw".to_owned(),
            next: vec![Remedy::ListRatings],
        });
    }
    let who = match (names.is_empty(), ratings.players.len()) {
        (true, _) if period != whole => format!("Players with games in this period, at most {SHOWN}"),
        (true, all) if all > SHOWN => format!("The {SHOWN} highest rated of {all} players"),
        (true, _) => "All players".to_owned(),
        (false, all) => format!("{} of {all} players", shown.len()),
    };
    let bands = series.iter().flat_map(|series| &series.points).any(|point| point.within.is_some());
    let intervals = match (bands, form) {
        (false, _) => "no intervals: the system has no errors",
        (true, Form::Beside) => "strokes: where the rating lies in 95 of 100 cases",
        (true, _) => "bands: where the rating lies in 95 of 100 cases",
    };
    let games = if ratings.games == 1 { "1 game".to_owned() } else { format!("{} games", ratings.games) };
    let (title, x, y) = match form {
        Form::Beside => (
            "Ratings of players over all their games",
            Axis::new("player, in the order of the legend", Scale::Whole),
            "rating (points)",
        ),
        Form::Line | Form::Steps => (
            "Ratings over time",
            Axis::new("end of the game (UTC)", Scale::Time),
            match form {
                Form::Line => "rating on the day, from all games (points)",
                _ => "rating after the game (points)",
            },
        ),
    };
    Ok(Chart {
        title: format!("{title}: {}", system.word()),
        subtitle: format!("{who}, rated by {games}; {intervals}"),
        x,
        y: Axis::new(y, Scale::Number),
        series,
        beside: false,
        marks: Vec::new(),
        source,
    })
}

/// How the ratings of a system are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A rating holds until the next game, or period.
    Steps,
    /// Between two games the strength changes at random, and the best estimate is on the straight line.
    Line,
    /// One strength for all time.
    Beside,
}

impl Form {
    fn of(system: &System) -> Form {
        match system {
            System::Whr(_) => Form::Line,
            System::BradleyTerry(_) => Form::Beside,
            _ => Form::Steps,
        }
    }
}

fn line(player: &RatedPlayer, form: Form) -> Series {
    let points = player.course.iter().filter_map(|game| {
        let at = game.at?;
        let (label, note) = (game.game_id.to_string(), day(at));
        Some(Point { label, note, within: interval(game), ..Point::new(at as f64, game.rating) })
    });
    let shape = if form == Form::Line { Shape::Line } else { Shape::Steps };
    Series { name: player.player.clone(), shape, points: points.collect() }
}

fn interval(game: &RatedGame) -> Option<(f64, f64)> {
    let half = INTERVAL * game.error?;
    Some((game.rating - half, game.rating + half))
}

fn dot(player: &RatedPlayer, place: u32) -> Series {
    let note = if player.games == 1 { "1 game".to_owned() } else { format!("{} games", player.games) };
    let within = player.low.zip(player.high);
    let label = player.player.clone();
    let point = Point { label, note, within, ..Point::new(place.into(), player.rating) };
    Series { name: player.player.clone(), shape: Shape::Dots, points: vec![point] }
}

fn find<'r>(ratings: &'r Ratings, name: &str) -> Result<&'r RatedPlayer, Error> {
    let wanted = name.to_lowercase();
    let exact = ratings.players.iter().find(|player| player.player == name);
    let folded = || ratings.players.iter().find(|player| player.player.to_lowercase() == wanted);
    exact.or_else(folded).ok_or_else(|| Error::Unknown {
        what: "rated player",
        name: name.to_owned(),
        similar: similar(name, ratings.players.iter().map(|player| player.player.as_str())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALWAYS: RangeInclusive<i64> = i64::MIN..=i64::MAX;
    use crate::ratings::{Comparison, LeftOut, RatedGame};

    fn rated(players: &[(&str, &[i32])]) -> Ratings {
        let player = |(rank, (name, course)): (u32, &(&str, &[i32]))| {
            let game = |(n, rating): (u64, &i32)| {
                let at = Some(1_769_929_200_000_000 + n as i64 * 86_400_000_000);
                RatedGame { game_id: n, at, rating: f64::from(*rating), error: None }
            };
            RatedPlayer {
                rank,
                player: (*name).to_owned(),
                player_id: None,
                rating: course.last().copied().unwrap_or(1400).into(),
                uncertainty: Some(30.0),
                low: None,
                high: None,
                games: course.len() as u64,
                wins: 0,
                losses: 0,
                draws: 0,
                first_game: None,
                last_game: None,
                group: 0,
                course: (1u64..).zip(course.iter()).map(game).collect(),
            }
        };
        Ratings {
            system: "gameroom start=new".to_owned(),
            games: 3,
            left_out: LeftOut::default(),
            record: Comparison::default(),
            advantage: None,
            fit: None,
            notes: Vec::new(),
            players: (1u32..).zip(players).map(player).collect(),
            without_games: Vec::new(),
        }
    }

    fn gameroom() -> System {
        "gameroom".parse().unwrap()
    }

    #[test]
    fn the_errors_of_a_system_are_bands_around_the_line() {
        let mut all = rated(&[("Anna", &[1460, 1499])]);
        for game in &mut all.players[0].course {
            game.error = Some(50.0);
        }
        let whr = ratings(&all, &"whr".parse().unwrap(), &[], ALWAYS, String::new()).unwrap();
        let (low, high) = whr.series[0].points[0].within.unwrap();
        assert!((low - 1362.0018).abs() < 1e-4 && (high - 1557.9982).abs() < 1e-4, "{low} {high}");
        assert_eq!(whr.series[0].shape, Shape::Line);
        assert!(whr.subtitle.contains("bands: where the rating lies in 95 of 100 cases"), "{}", whr.subtitle);
        let glicko = ratings(&all, &"glicko2".parse().unwrap(), &[], ALWAYS, String::new()).unwrap();
        assert_eq!(
            (glicko.series[0].shape, glicko.title.as_str()),
            (Shape::Steps, "Ratings over time: glicko2")
        );
    }

    #[test]
    fn players_of_one_strength_for_all_time_stand_beside_each_other() {
        let mut all = rated(&[("Anna", &[1460]), ("bela", &[1340])]);
        (all.players[0].low, all.players[0].high) = (Some(1300.0), Some(1600.0));
        let chart = ratings(&all, &"bradley-terry".parse().unwrap(), &[], ALWAYS, String::new()).unwrap();
        let points: Vec<&Point> = chart.series.iter().flat_map(|series| &series.points).collect();
        assert_eq!(
            points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>(),
            [(1.0, 1460.0), (2.0, 1340.0)]
        );
        assert_eq!(points[0].within, Some((1300.0, 1600.0)));
        assert!(chart.subtitle.contains("strokes"), "{}", chart.subtitle);
    }

    #[test]
    fn each_player_is_a_line_of_ratings_after_games() {
        let all = rated(&[("Anna", &[1460, 1499]), ("bela", &[1340, 1301])]);
        let chart = ratings(&all, &gameroom(), &[], ALWAYS, "here".to_owned()).unwrap();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_debug_snapshot!("chart_of_ratings", chart);
        });
    }

    #[test]
    fn named_players_are_shown_in_the_order_of_their_names_given() {
        let all = rated(&[("Anna", &[1460]), ("bela", &[1340]), ("cara", &[])]);
        let names = ["BELA", "anna", "bela"].map(str::to_owned);
        let chart = ratings(&all, &gameroom(), &names, ALWAYS, String::new()).unwrap();
        assert_eq!(chart.series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["bela", "Anna"]);
        assert!(chart.subtitle.starts_with("2 of 3 players"), "{}", chart.subtitle);
        let error = ratings(&all, &gameroom(), &["Ana".to_owned()], ALWAYS, String::new()).unwrap_err();
        assert_eq!(error.hints(), ["did you mean `Anna`?"]);
        assert!(
            ratings(&all, &gameroom(), &["cara".to_owned()], ALWAYS, String::new())
                .unwrap_err()
                .to_string()
                .contains("no game")
        );
    }
}
