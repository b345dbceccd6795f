//! Figures of other people's implementations, kept as numbers: made by `peers.py` beside this file on the made games of
//! `made(6, 60, 9)`, with `whole-history-rating` 3.7.1 (`pure 300 2 300`; `whr` 2.2.0 gives the same ratings to nine digits) and
//! `choix` 0.4.1.

use annals_ratings::{DAY, GameSelection, rate};

use super::made::made;

/// Player, day, rating and standard error of each player's first and last day, w² 300 Elo² a day, two virtual draws.
const WHOLE_HISTORY: [(usize, i64, f64, f64); 12] = [
    (0, 15, 104.2555, 139.8552),
    (0, 266, 114.6337, 137.2989),
    (1, 2, 121.2213, 132.1631),
    (1, 281, 110.1744, 157.3356),
    (2, 9, -43.7462, 137.5011),
    (2, 277, 40.7710, 142.2018),
    (3, 9, -26.9720, 122.1226),
    (3, 277, -90.1021, 139.3841),
    (4, 2, 39.6376, 131.4953),
    (4, 281, -130.0887, 146.3818),
    (5, 36, -208.7534, 148.6436),
    (5, 269, -32.2679, 148.1312),
];

/// Maximum likelihood of Bradley–Terry, the mean 0, in the order of the players.
const BRADLEY_TERRY: [f64; 6] = [142.6315, 141.3295, 27.3785, -39.7281, -89.2301, -182.3813];

#[test]
fn whole_history_ratings_stand_as_another_implementation_gives_them() {
    let pool = made(6, 60, 9);
    let system = "whr w2=300 prior=2 anchor=0".parse().unwrap();
    let ratings = rate(&pool, &GameSelection::default(), &system).unwrap();
    for (player, day, rating, error) in WHOLE_HISTORY {
        let rated = ratings.players.iter().find(|rated| rated.player == player).unwrap();
        let point = rated.course.iter().find(|point| point.at == Some(day * DAY)).unwrap();
        assert!((point.rating - rating).abs() < 2e-4, "{player} {day}: {} {rating}", point.rating);
        let ours = point.error.unwrap();
        assert!((ours - error).abs() < 2e-4, "{player} {day}: {ours} {error}");
    }
}

#[test]
fn bradley_terry_stands_as_another_implementation_gives_it() {
    let pool = made(6, 60, 9);
    let ratings =
        rate(&pool, &GameSelection::default(), &"bradley-terry prior=0 anchor=0".parse().unwrap()).unwrap();
    for (player, rating) in BRADLEY_TERRY.into_iter().enumerate() {
        let found = ratings.players.iter().find(|rated| rated.player == player).unwrap().rating;
        assert!((found - rating).abs() < 2e-4, "{player}: {found} {rating}");
    }
}
