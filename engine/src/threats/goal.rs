//! Whether the mover can bring a rabbit to its goal rank within the turn. A lower bound rejects nearly every position:
//! per rabbit the fewest steps with minimal costs of obstacles ([`reach`]). The rest is searched with increasing depth
//! among relevant steps: in a shortest line every step of another piece changes something that a later step depends on,
//! so it is near the rabbit's path ([`Search::within`]).

use annals_events::Side;
use annals_rules::arimaa::bitboard::{TRAPS, spread};
use annals_rules::arimaa::{Board, MOST_STEPS, Pending, Position, Steps, Turn};

use super::field::{Apart, Field, LAST_RANK, Move, StepLine, ahead, each, influence, turned, with_traps};

/// Fewest further steps to a goal of the mover without an open push; 0 if a rabbit is there, none if this turn does not
/// suffice.
#[must_use]
pub fn goal_steps(steps: &Steps) -> Option<u8> {
    let left = MOST_STEPS - steps.made();
    let field = Field::of(steps.board(), steps.mover());
    let seen = |square: annals_rules::arimaa::Square| turned(square.bit(), steps.mover());
    let fewest = |field: &Field, left: Option<u8>| Search::<false>::default().fewest(field, left?);
    match steps.pending() {
        Pending::Nothing => fewest(&field, Some(left)),
        Pending::Push { from, victim } => {
            let to = seen(from);
            let pushers = each(field.pushers(to, victim as u8 + 1));
            let completed = pushers.map(|pusher| field.after(Move { from: pusher, to }));
            completed.filter_map(|after| Some(fewest(&after, left.checked_sub(1))? + 1)).min()
        }
        Pending::Pull { from, puller } => {
            let plain = fewest(&field, Some(left));
            if plain.is_some_and(|steps| steps <= 2) {
                // A pull is a step, and the rabbit's last one follows.
                return plain;
            }
            let to = seen(from);
            let pulled = each(field.followers(to, puller as u8 + 1));
            let pulled = pulled.map(|victim| field.after(Move { from: victim, to }));
            pulled.filter_map(|after| Some(fewest(&after, left.checked_sub(1))? + 1)).chain(plain).min()
        }
    }
}

/// The same for a side if it were to move with a full turn.
#[must_use]
pub fn goal_steps_of(board: &Board, side: Side) -> Option<u8> {
    Search::<false>::default().fewest(&Field::of(board, side), MOST_STEPS)
}

/// A shortest turn that wins by goal; none without one, and if a rabbit is on its goal rank already.
#[must_use]
pub fn goal_turn(position: &Position) -> Option<Turn> {
    let field = Field::of(position.board(), position.to_move());
    let most = goal_steps_of(position.board(), position.to_move()).filter(|steps| *steps > 0)?;
    let mut search = Search::<true>::default();
    search.within(&field, most, Apart::default(), StepLine::default()).then_some(())?;
    search.line.turn(position)
}

/// Ranks within this number of steps of the last.
#[inline]
const fn ranks_within(steps: u8) -> u64 {
    if steps >= 7 { !0 } else { !0 << (8 * (7 - steps)) }
}

/// Bounds of one rabbit's run.
struct Reach {
    /// Fewest steps of any run, helping ones included; none if even this is too many.
    least: Option<u8>,
    /// The bound is reached by the rabbit alone.
    sure: bool,
    /// All squares of the rabbit in a run that ends in time.
    region: u64,
}

/// Bounds a rabbit's run within this number of steps.
///
/// An empty square costs one step. A friend in the way has to step aside, or lose its support on a trap: one more. An
/// enemy has to be pushed, pulled or captured: two more. (Exceptions, where one unit clears two squares, are on traps
/// of the sixth rank, from which the goal is too far.) A rabbit that is or gets frozen, or enters an unsupported trap,
/// needs at least one step of another piece, perhaps one already counted. Only pieces within reach help.
///
/// Squares are kept by cost and state: `alone`, without help and free; `stuck`, without help and frozen; `helped`, with
/// at least one step of another piece.
#[inline]
fn reach(field: &Field, rabbit: u64, frozen: bool, most: u8) -> Reach {
    let friends = field.own ^ rabbit;
    let warm = spread(friends);
    let cold = spread(field.foe & field.officers()) & !warm & !LAST_RANK;
    let deadly = TRAPS & !warm;
    let empty = field.empty();
    let rank = (rabbit.trailing_zeros() / 8) as u8;
    // Steps left for others.
    let others = (most + rank).saturating_sub(7);
    // Where others can help: next to a piece with enough steps to get there.
    let mut helpable = spread(friends);
    for _ in 0..others {
        helpable |= spread(helpable);
    }
    let (mut alone, mut stuck, mut helped) = if frozen { (0, rabbit, 0) } else { (rabbit, 0, 0) };
    // All squares by cost: the last, and the two before.
    let mut all = [rabbit, 0, 0];
    let mut region = rabbit;
    let mut least = None;
    let mut sure = false;
    for cost in 1..=most {
        let near = ranks_within(most - cost);
        let entered = ahead(alone) & empty & !deadly & near;
        let foes = displaceable(field, ahead(all[2]) & field.foe & near, others);
        let cleared = ahead(all[1]) & friends | foes;
        helped = (ahead(helped) & empty | alone | stuck & helpable | cleared) & near;
        alone = entered & !cold;
        stuck = entered & cold;
        all = [alone | stuck | helped, all[0], all[1]];
        region |= all[0];
        if least.is_none() && all[0] & LAST_RANK != 0 {
            least = Some(cost);
            // A friend on a trap that only this rabbit supports is lost as it goes.
            let supported = friends & TRAPS & spread(rabbit) & !warm;
            sure = alone & LAST_RANK != 0 && supported == 0;
        }
    }
    Reach { least, sure, region }
}

/// Enemies in the way that can be displaced with this number of steps: a stronger piece has to be, or get, next to them.
#[inline]
fn displaceable(field: &Field, foes: u64, others: u8) -> u64 {
    if foes == 0 || others < 2 {
        return 0;
    }
    each(foes)
        .filter(|foe| {
            let near = (2..others).fold(spread(*foe), |near, _| near | spread(near));
            near & field.own & field.stronger(field.strength(*foe)) != 0
        })
        .fold(0, |all, foe| all | foe)
}

/// The search of a run; with `LINE` it keeps the steps.
#[derive(Default)]
struct Search<const LINE: bool> {
    line: StepLine,
}

impl<const LINE: bool> Search<LINE> {
    #[inline]
    fn fewest(&mut self, field: &Field, left: u8) -> Option<u8> {
        let rabbits = field.own_rabbits() & ranks_within(left);
        if rabbits == 0 {
            return None;
        }
        if rabbits & LAST_RANK != 0 {
            return Some(0);
        }
        let frozen = field.frozen();
        let mut from = u8::MAX;
        let mut sure = None;
        for rabbit in each(rabbits) {
            let reach = reach(field, rabbit, frozen & rabbit != 0, left);
            let Some(least) = reach.least else { continue };
            from = from.min(least);
            if reach.sure {
                sure = Some(sure.map_or(least, |known: u8| known.min(least)));
            }
        }
        let last = sure.map_or(left, |sure| sure - 1);
        (from..=last).find(|most| self.within(field, *most, Apart::default(), StepLine::default())).or(sure)
    }

    /// Whether a rabbit reaches the last rank within this number of steps, if no run is shorter.
    ///
    /// Why squares near the path suffice: a unit depends on an earlier one that changes a square that decides its
    /// legality or effect. In a shortest run every unit is a rabbit's step, or one of these depends on it, perhaps
    /// indirectly: leaving out all others changes nothing for the rest. So another piece's step touches what the
    /// rabbit's steps depend on, or, with more steps to come, what these depend on ([`influence`]).
    fn within(&mut self, field: &Field, most: u8, apart: Apart, line: StepLine) -> bool {
        let rabbits = field.own_rabbits();
        if rabbits & LAST_RANK != 0 {
            self.line = line;
            return true;
        }
        let near = rabbits & ranks_within(most);
        if near == 0 || most == 0 {
            return false;
        }
        let frozen = field.frozen();
        let (mut runners, mut regions) = (0, 0);
        // What a single step and a push or pull has to touch.
        let (mut for_singles, mut for_doubles) = (0, 0);
        for rabbit in each(near) {
            let reach = reach(field, rabbit, frozen & rabbit != 0, most);
            if reach.least.is_none() {
                continue;
            }
            if reach.sure && !LINE {
                return true;
            }
            runners |= rabbit;
            regions |= reach.region;
            let rank = (rabbit.trailing_zeros() / 8) as u8;
            let others = (most + rank).saturating_sub(7);
            if others > 0 {
                let mut set = with_traps(reach.region | spread(reach.region & !LAST_RANK));
                for spare in 0..others {
                    if spare + 2 == others {
                        for_doubles |= set;
                    }
                    if spare + 1 == others {
                        for_singles |= set;
                    }
                    set = influence(set);
                }
            }
        }
        if runners == 0 {
            return false;
        }
        let free = field.own & !frozen;
        for from in each(free) {
            let targets = apart.left(from, field.targets(from));
            let mut wanted = if from & for_singles != 0 { targets } else { targets & for_singles };
            if from & runners != 0 {
                wanted |= targets & regions;
            }
            for to in each(wanted) {
                let step = Move { from, to };
                if self.within(&field.after(step), most - 1, Apart::after(step), line.with(step)) {
                    return true;
                }
            }
        }
        for_doubles != 0
            && field.any_double(free, for_doubles, |double| {
                let line = line.with(double.first).with(double.second);
                self.within(&field.after_both(double), most - 2, Apart::default(), line)
            })
    }
}
