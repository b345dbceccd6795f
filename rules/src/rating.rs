//! The gameroom's rating formula: rating and K after a rated game, and the weekly rise of K.

/// K is the weight of the next game; 0 marks a fixed rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rating {
    pub rating: i32,
    /// 0 to 120.
    pub k: u32,
}

/// A player's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameScore {
    Win,
    Draw,
    Loss,
}

impl GameScore {
    /// 1, 1/2 or 0.
    #[must_use]
    pub const fn points(self) -> f64 {
        match self {
            GameScore::Win => 1.0,
            GameScore::Draw => 0.5,
            GameScore::Loss => 0.0,
        }
    }

    #[must_use]
    pub const fn other(self) -> GameScore {
        match self {
            GameScore::Win => GameScore::Loss,
            GameScore::Draw => GameScore::Draw,
            GameScore::Loss => GameScore::Win,
        }
    }
}

/// 1/(1 + 10^((opponent − own)/400)).
#[must_use]
pub fn expected_score(own: i32, opponent: i32) -> f64 {
    let difference = f64::from(opponent) - f64::from(own);
    1.0 / (1.0 + 10f64.powf(difference / 400.0))
}

impl Rating {
    /// Of a new player.
    pub const NEW: Rating = Rating { rating: 1400, k: 120 };

    pub const MAX_K: u32 = 120;

    #[must_use]
    pub const fn is_fixed(self) -> bool {
        self.k == 0
    }

    /// Rating and K after a rated game: `int(own + K·(score − expected) + 0.5)` and `int(0.98·K + 0.6)`. K falls
    /// no further than 30, and K 0 leaves both as they are.
    ///
    /// ```
    /// use annals_rules::rating::{GameScore, Rating};
    ///
    /// let winner = Rating::NEW.after(Rating::NEW, GameScore::Win);
    /// assert_eq!(winner, Rating { rating: 1460, k: 118 });
    /// ```
    #[must_use]
    pub fn after(self, opponent: Rating, score: GameScore) -> Rating {
        if self.is_fixed() {
            return self;
        }
        let change = f64::from(self.k) * (score.points() - expected_score(self.rating, opponent.rating));
        // `as` truncates towards zero and saturates, as the server's int() does in range.
        let rating = (f64::from(self.rating) + change + 0.5) as i32;
        let k = u64::from(self.k) * 98 + 60;
        Rating { rating, k: u32::try_from(k / 100).unwrap_or(u32::MAX) }
    }

    /// Each rise adds 1 to a K between 0 and 120, exclusive.
    #[must_use]
    pub fn after_weekly_rises(self, rises: u32) -> Rating {
        if self.is_fixed() || self.k >= Rating::MAX_K {
            return self;
        }
        Rating { rating: self.rating, k: self.k.saturating_add(rises).min(Rating::MAX_K) }
    }
}

/// In microseconds.
const WEEK: i64 = 7 * 86_400 * 1_000_000;

/// Sunday 07:00 in the week of the epoch, which began on a Thursday.
const SUNDAY_SEVEN: i64 = (3 * 24 + 7) * 3_600 * 1_000_000;

/// The weekly rises of K between two times (microseconds since the Unix epoch): Sundays at 07:00 UTC. None in the wrong
/// order. In February 2026 every time between 06:46 and 07:11 UTC explains the record equally well.
#[must_use]
pub fn weekly_rises(after: i64, until: i64) -> u32 {
    let rises = |at: i64| (i128::from(at) - i128::from(SUNDAY_SEVEN)).div_euclid(i128::from(WEEK));
    u32::try_from(rises(until) - rises(after)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_newcomers_part_as_the_published_start_of_the_series() {
        let (mut up, mut down) = (Rating::NEW, Rating::NEW);
        let mut series = Vec::new();
        for _ in 0..4 {
            let next = (up.after(down, GameScore::Win), down.after(up, GameScore::Loss));
            (up, down) = next;
            series.push((up.rating, up.k, down.rating, down.k));
        }
        assert_eq!(
            series,
            [(1460, 118, 1340, 118), (1499, 116, 1301, 116), (1527, 114, 1273, 114), (1548, 112, 1252, 112)]
        );
    }

    #[test]
    fn who_always_wins_comes_to_rest_at_1755_and_k_at_30() {
        let (mut up, mut down) = (Rating::NEW, Rating::NEW);
        for _ in 0..5000 {
            let next = (up.after(down, GameScore::Win), down.after(up, GameScore::Loss));
            if next == (up, down) {
                break;
            }
            (up, down) = next;
        }
        assert_eq!((up, down), (Rating { rating: 1755, k: 30 }, Rating { rating: 1045, k: 30 }));
    }

    #[test]
    fn a_fixed_rating_moves_by_no_game_and_no_week() {
        let fixed = Rating { rating: 1000, k: 0 };
        assert_eq!(fixed.after(Rating::NEW, GameScore::Win), fixed);
        assert_eq!(fixed.after_weekly_rises(9), fixed);
    }

    #[test]
    fn k_rises_by_the_week_up_to_120() {
        let k = |k: u32, rises: u32| Rating { rating: 1, k }.after_weekly_rises(rises).k;
        assert_eq!((k(30, 1), k(119, 5), k(120, 5), k(1, 0), k(130, 1)), (31, 120, 120, 1, 130));
    }

    #[test]
    fn the_rise_comes_on_sunday_at_seven_exactly() {
        // 2026-02-01 is a Sunday.
        let seven = 1_769_929_200_000_000;
        assert_eq!(weekly_rises(seven - 1, seven), 1);
        assert_eq!(weekly_rises(seven, seven + WEEK - 1), 0);
        assert_eq!(weekly_rises(seven - 1, seven + 2 * WEEK), 3);
        assert_eq!(weekly_rises(seven, seven - WEEK), 0);
        assert_eq!(weekly_rises(i64::MIN, i64::MAX), 30_500_568);
    }

    #[test]
    fn no_new_rating_hangs_on_the_last_bits_of_a_power() {
        // Where the value before cutting is within a billionth of a whole number, another library's pow might give
        // another rating; only differences that are exact in binary (equal ratings) may come that near.
        for difference in -3_000i32..=3_000 {
            for k in 1..=120u32 {
                let change = f64::from(k) * (0.0 - expected_score(0, difference)) + 0.5;
                let distance = (change - change.round()).abs();
                assert!(difference == 0 || distance > 1e-9, "{difference} {k} {change}");
            }
        }
    }
}
