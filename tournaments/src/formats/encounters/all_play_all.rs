//! The format by the number of entrants, and the rounds of an all-play-all (Olympiad 2000, Tournament Rules
//! 2).

/// The most entrants of an all-play-all.
const ALL_PLAY_ALL_UP_TO: usize = 6;

pub const SWISS_ROUNDS: u32 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EncounterSystem {
    /// No entrants, no tournament.
    Nobody,
    /// One entrant, first without a game.
    Alone,
    AllPlayAll,
    Swiss {
        rounds: u32,
    },
}

pub const fn format_for(entrants: usize) -> EncounterSystem {
    match entrants {
        0 => EncounterSystem::Nobody,
        1 => EncounterSystem::Alone,
        2..=ALL_PLAY_ALL_UP_TO => EncounterSystem::AllPlayAll,
        _ => EncounterSystem::Swiss { rounds: SWISS_ROUNDS },
    }
}

/// Per round, pairs of entrants by number from 0, White of the first game first. With an odd number one rests
/// per round. The text has no order: here the last entrant keeps the seat and the others rotate.
pub fn all_play_all(entrants: usize) -> Vec<Vec<(usize, usize)>> {
    if entrants < 2 {
        return Vec::new();
    }
    let seats = entrants + entrants % 2;
    let moving = seats - 1;
    (0..moving)
        .map(|round| {
            (0..seats / 2)
                .map(|table| {
                    let one = (round + table) % moving;
                    let other = if table == 0 { seats - 1 } else { (round + moving - table) % moving };
                    // The first table always seats the last entrant, so its colours alternate.
                    if table == 0 && round % 2 == 1 { (other, one) } else { (one, other) }
                })
                .filter(|&(one, other)| one < entrants && other < entrants)
                .collect()
        })
        .collect()
}

/// Rounds among entrants who have not met, in list order: no two who could meet both rest.
pub(super) fn possible(entrants: usize, open: impl Fn(usize, usize) -> bool) -> Vec<Vec<(usize, usize)>> {
    let seated =
        |round: &[(usize, usize)], at: usize| round.iter().any(|&(one, other)| at == one || at == other);
    let mut rounds = vec![Vec::new()];
    for one in 0..entrants {
        let further = |round: Vec<(usize, usize)>| {
            let others = (one + 1..entrants).filter(|&other| !seated(&round, one) && !seated(&round, other));
            let others = others.filter(|&other| open(one, other));
            let mut more: Vec<_> = others.map(|other| [&round[..], &[(one, other)]].concat()).collect();
            more.push(round);
            more
        };
        rounds = rounds.into_iter().flat_map(further).collect();
    }
    let can_meet = |round: &[(usize, usize)], one: usize, other: usize| {
        open(one, other) && !seated(round, one) && !seated(round, other)
    };
    let full = |round: &Vec<(usize, usize)>| {
        (0..entrants).all(|one| (one + 1..entrants).all(|other| !can_meet(round, one, other)))
    };
    rounds.retain(full);
    rounds
}
