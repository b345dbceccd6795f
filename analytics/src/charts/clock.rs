//! The clock of a game, turn by turn, as a lower chart: the time used for each turn, or the reserve after it.

use annals_events::Side;

use super::played_game::{PlayedGame, Stood, capital};
use super::{Axis, Lower, Point, Scale, Series, Shape};
use crate::{Error, Remedy};

/// The value of the clock that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The time used for each turn.
    Used,
    /// The mover's reserve after each turn.
    Reserve,
}

impl Clock {
    /// The seconds of a turn.
    const fn of(self, stood: &Stood) -> Option<i64> {
        match self {
            Clock::Used => stood.used,
            Clock::Reserve => stood.reserve,
        }
    }
}

/// The index of orange, the colour of Gold, among the colours; the next one is light.
const GOLD: usize = 4;

/// The clock of a game.
///
/// # Errors
/// `Nothing` if the record has no such figure.
pub fn clock(game: &PlayedGame, clock: Clock) -> Result<Lower, Error> {
    let shape = match clock {
        Clock::Used => Shape::Bars,
        Clock::Reserve => Shape::Steps,
    };
    let of = |side: Side| {
        let point = |stood: &Stood| {
            let seconds = clock.of(stood)?;
            Some(Point { label: stood.label(), ..Point::new(stood.x(), seconds as f64) })
        };
        let turns = game.first.iter().chain(&game.positions);
        let points = turns.filter(|stood| stood.side == side).filter_map(point).collect();
        Series { name: format!("{}'s time", capital(side)), shape, points }
    };
    let series: Vec<Series> =
        Side::BOTH.map(of).into_iter().filter(|series| !series.points.is_empty()).collect();
    if series.is_empty() {
        let said = match clock {
            Clock::Used => "how long a turn took",
            Clock::Reserve => "what was left of the reserves",
        };
        return Err(Error::Nothing {
            what: format!("the record of {} does not say {said}, so there is no clock to draw", game.name),
            next: vec![Remedy::DrawWithoutClock { or_used: clock == Clock::Reserve }],
        });
    }
    let name = match clock {
        Clock::Used => "time used",
        Clock::Reserve => "reserve left",
    };
    Ok(Lower { y: Axis::new(name, Scale::Span), series, first: GOLD })
}

#[cfg(test)]
mod tests {
    use super::super::played_game::tests::game;
    use super::*;

    #[test]
    fn each_side_has_its_own_bars_and_turns_without_a_figure_have_none() {
        let mut one = game();
        for (stood, used) in one.positions.iter_mut().zip([Some(12), None, Some(75), Some(3)]) {
            stood.used = used;
        }
        let lower = clock(&one, Clock::Used).unwrap();
        let figures = |series: &Series| -> Vec<(String, f64)> {
            series.points.iter().map(|point| (point.label.clone(), point.y)).collect()
        };
        assert_eq!(figures(&lower.series[0]), [("4g".to_owned(), 3.0)]);
        assert_eq!(figures(&lower.series[1]), [("2s".to_owned(), 12.0), ("3s".to_owned(), 75.0)]);
        assert_eq!((lower.y.scale, lower.series[0].shape), (Scale::Span, Shape::Bars));
    }

    #[test]
    fn a_record_without_a_clock_is_told() {
        let error = clock(&game(), Clock::Reserve).unwrap_err();
        assert!(error.to_string().contains("Game 7") && error.to_string().contains("reserves"), "{error}");
        let Error::Nothing { next, .. } = error else { panic!("{error}") };
        assert_eq!(next, [Remedy::DrawWithoutClock { or_used: true }]);
    }
}
