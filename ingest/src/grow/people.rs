//! Synthetic players, named as such. A few play most games, no player has two games at once, and ratings follow the
//! gameroom's formula.

use annals_events::{PlayerKind, Side};
use annals_rules::rating::{GameScore, Rating, weekly_rises};
use annals_rules::seeded::Rng;

pub(super) struct Person {
    pub name: String,
    pub id: u64,
    pub country: &'static str,
    pub rating: Rating,
    /// Seconds since the Unix epoch.
    last_end: i64,
}

struct Crowd {
    kind: PlayerKind,
    people: Vec<Person>,
    /// Number of candidates.
    size: u32,
}

pub(super) struct People {
    crowds: [Crowd; 2],
}

/// Crowd and index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Seat(usize, usize);

const COUNTRIES: [&str; 12] = ["US", "US", "US", "US", "DE", "SI", "JP", "FR", "UK", "CA", "SE", "FI"];

impl People {
    /// For about thirty games per player.
    pub fn new(games: u64) -> People {
        let size = |share: u64, least: u32, most: u32| {
            u32::try_from(games / share).unwrap_or(most).clamp(least, most)
        };
        let crowd = |kind, size| Crowd { kind, people: Vec::new(), size };
        People {
            crowds: [
                crowd(PlayerKind::Human, size(30, 8, 20_000)),
                crowd(PlayerKind::Bot, size(400, 4, 600)),
            ],
        }
    }

    pub fn count(&self) -> u64 {
        let played = |crowd: &Crowd| crowd.people.iter().filter(|person| person.last_end > 0).count() as u64;
        self.crowds.iter().map(played).sum()
    }

    /// Two different players of these kinds who are free at `start` (seconds since the Unix epoch).
    pub fn pair(&mut self, kinds: [PlayerKind; 2], start: i64, rng: &mut Rng) -> [Seat; 2] {
        let gold = self.free(kinds[0], start, None, rng);
        [gold, self.free(kinds[1], start, Some(gold), rng)]
    }

    fn free(&mut self, kind: PlayerKind, start: i64, not: Option<Seat>, rng: &mut Rng) -> Seat {
        let at = usize::from(kind == PlayerKind::Bot);
        let crowd = &mut self.crowds[at];
        for _ in 0..20 {
            let drawn = rng.heavy_tailed(crowd.size) as usize;
            while crowd.people.len() <= drawn {
                crowd.join(rng);
            }
            if crowd.people[drawn].last_end < start && not != Some(Seat(at, drawn)) {
                return Seat(at, drawn);
            }
        }
        // All candidates are busy: add one.
        crowd.join(rng);
        Seat(at, crowd.people.len() - 1)
    }

    pub fn get(&self, seat: Seat) -> &Person {
        &self.crowds[seat.0].people[seat.1]
    }

    /// Updates a player's K to the start of a game.
    pub fn begin(&mut self, seat: Seat, start: i64) {
        let person = &mut self.crowds[seat.0].people[seat.1];
        if person.last_end > 0 {
            let rises = weekly_rises(person.last_end * 1_000_000, start * 1_000_000);
            person.rating = person.rating.after_weekly_rises(rises);
        }
    }

    /// Applies a result to the ratings.
    pub fn finish(&mut self, seats: [Seat; 2], winner: Option<Side>, rated: bool, end: i64) {
        let before = seats.map(|seat| self.get(seat).rating);
        for side in Side::BOTH {
            let score = match winner {
                None => GameScore::Draw,
                Some(winner) if winner == side => GameScore::Win,
                Some(_) => GameScore::Loss,
            };
            let seat = seats[side.index()];
            let person = &mut self.crowds[seat.0].people[seat.1];
            person.last_end = end;
            if rated {
                person.rating = before[side.index()].after(before[side.other().index()], score);
            }
        }
    }
}

impl Crowd {
    fn join(&mut self, rng: &mut Rng) {
        let number = self.people.len() as u64 + 1;
        let (name, id) = match self.kind {
            PlayerKind::Human => (format!("grown_{number:04}"), 1_000_000 + number),
            PlayerKind::Bot => (format!("bot_grown_{number:03}"), 2_000_000 + number),
        };
        self.people.push(Person {
            name,
            id,
            country: rng.pick::<&str>(&COUNTRIES),
            rating: Rating::NEW,
            last_end: 0,
        });
    }
}
