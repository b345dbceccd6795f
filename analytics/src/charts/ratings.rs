//! The ratings of players over time.

use super::{Axis, Chart, Point, Scale, Series, Shape};
use crate::Error;
use crate::dates::day;
use crate::ratings::{RatedPlayer, Ratings};
use crate::suggest::similar;

/// Players shown where none are named.
pub const SHOWN: usize = 7;

/// The rating of each named player after each game; of the highest rated where nobody is named.
///
/// # Errors
/// `Unknown` where a named player has no rating, `Nothing` where no game has a time.
pub fn ratings(ratings: &Ratings, names: &[String], source: String) -> Result<Chart, Error> {
    let mut shown: Vec<&RatedPlayer> = Vec::new();
    for name in names {
        let player = find(ratings, name)?;
        if !shown.contains(&player) {
            shown.push(player);
        }
    }
    if names.is_empty() {
        shown = ratings.players.iter().take(SHOWN).collect();
    }
    let series: Vec<Series> = shown.iter().map(|player| line(player)).collect();
    if series.iter().all(|series| series.points.is_empty()) {
        return Err(Error::Nothing {
            what: "no game of these players has a time, so there is no course to draw".to_owned(),
            hints: vec!["`annals rate` gives the ratings all the same".to_owned()],
        });
    }
    let who = match (names.is_empty(), ratings.players.len()) {
        (true, all) if all > SHOWN => format!("The {SHOWN} highest rated of {all} players"),
        (true, _) => "All players".to_owned(),
        (false, all) => format!("{} of {all} players", shown.len()),
    };
    Ok(Chart {
        title: "Ratings over time".to_owned(),
        subtitle: format!("{who}, rated by {} games; {}", ratings.games, ratings.system),
        x: Axis::new("end of the game (UTC)", Scale::Time),
        y: Axis::new("rating after the game (points)", Scale::Number),
        series,
        beside: false,
        marks: Vec::new(),
        source,
    })
}

fn line(player: &RatedPlayer) -> Series {
    let points = player.course.iter().filter_map(|game| {
        let at = game.at?;
        let (label, note) = (game.game_id.to_string(), day(at));
        Some(Point { label, note, ..Point::new(at as f64, game.rating) })
    });
    Series { name: player.player.clone(), shape: Shape::Steps, points: points.collect() }
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

    #[test]
    fn each_player_is_a_line_of_ratings_after_games() {
        let all = rated(&[("Anna", &[1460, 1499]), ("bela", &[1340, 1301])]);
        let chart = ratings(&all, &[], "here".to_owned()).unwrap();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_debug_snapshot!("chart_of_ratings", chart);
        });
    }

    #[test]
    fn named_players_are_shown_in_the_order_of_their_names_given() {
        let all = rated(&[("Anna", &[1460]), ("bela", &[1340]), ("cara", &[])]);
        let names = ["BELA", "anna", "bela"].map(str::to_owned);
        let chart = ratings(&all, &names, String::new()).unwrap();
        assert_eq!(chart.series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["bela", "Anna"]);
        assert!(chart.subtitle.starts_with("2 of 3 players"), "{}", chart.subtitle);
        let error = ratings(&all, &["Ana".to_owned()], String::new()).unwrap_err();
        assert_eq!(error.hints(), ["did you mean `Anna`?"]);
        assert!(
            ratings(&all, &["cara".to_owned()], String::new()).unwrap_err().to_string().contains("no game")
        );
    }
}
