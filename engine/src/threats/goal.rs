//! Whether the side whose turn it is can put a rabbit on its goal rank within the turn.
//!
//! A lower bound rejects nearly every position: for each rabbit, the fewest steps in which it could run if
//! everything in its way took no more steps than it must ([`reach`]). What is left is searched, one more step
//! at a time, among the steps that can matter: in a shortest line every step that is not the rabbit's own
//! must change something that a later step depends on, so it lies near the rabbit's way, the nearer the fewer
//! steps are left for others ([`Search::within`]).

use annals_events::Side;
use annals_rules::arimaa::bitboard::{TRAPS, spread};
use annals_rules::arimaa::{Board, MOST_STEPS, Pending, Position, Steps, Turn};

use super::field::{Apart, Field, LAST_RANK, Move, StepLine, ahead, each, influence, turned, with_traps};

/// The fewest further steps of this turn after which a rabbit of the side that makes the turn stands on its
/// goal rank, with no push left open; 0 where one stands there, none where the rest of the turn does not
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

/// In how many steps a side could put a rabbit on its goal rank, were it on turn with all steps of a turn.
#[must_use]
pub fn goal_steps_of(board: &Board, side: Side) -> Option<u8> {
    Search::<false>::default().fewest(&Field::of(board, side), MOST_STEPS)
}

/// A turn that wins by goal, with the fewest steps; none where there is none, and where a rabbit stands on
/// its goal rank already, as that game is over.
#[must_use]
pub fn goal_turn(position: &Position) -> Option<Turn> {
    let field = Field::of(position.board(), position.to_move());
    let most = goal_steps_of(position.board(), position.to_move()).filter(|steps| *steps > 0)?;
    let mut search = Search::<true>::default();
    search.within(&field, most, Apart::default(), StepLine::default()).then_some(())?;
    search.line.turn(position)
}

/// The ranks from which the last one is at most so many steps away.
#[inline]
const fn ranks_within(steps: u8) -> u64 {
    if steps >= 7 { !0 } else { !0 << (8 * (7 - steps)) }
}

/// What is known about one rabbit's run.
struct Reach {
    /// No run has fewer steps than this, own and helping ones together; none where even this bound is too
    /// much.
    least: Option<u8>,
    /// Whether the bound is reached by a run of the rabbit alone.
    sure: bool,
    /// All squares that the rabbit can stand on in a run that ends in time.
    region: u64,
}

/// Bounds a rabbit's run within so many steps.
///
/// A step into an empty square costs one step. A friend in the way has to step aside, or lose its support on
/// a trap: one step more. An enemy in the way has to be pushed, pulled or captured: two more, by steps that
/// do no more than this. (The exceptions, where one unit clears two squares, all happen on a trap of the
/// sixth rank, from which the last rank is still so far that no run through it has the steps.) A rabbit that
/// is frozen, or gets frozen on the way, or enters a trap without a friend beside it, needs at least one step
/// of another piece; that may be one that is paid for already. Only a piece that has the steps to get there
/// helps.
///
/// Squares are kept by cost and by what was paid: `alone`, the rabbit came alone and can go on; `stuck`, it
/// came alone and is frozen there; `helped`, at least one step of another piece was paid.
#[inline]
fn reach(field: &Field, rabbit: u64, frozen: bool, most: u8) -> Reach {
    let friends = field.own ^ rabbit;
    let warm = spread(friends);
    let cold = spread(field.foe & field.officers()) & !warm & !LAST_RANK;
    let deadly = TRAPS & !warm;
    let empty = field.empty();
    let rank = (rabbit.trailing_zeros() / 8) as u8;
    // The steps that are left for others.
    let others = (most + rank).saturating_sub(7);
    // Where others can come to help: next to a piece that has so many steps to get there.
    let mut helpable = spread(friends);
    for _ in 0..others {
        helpable |= spread(helpable);
    }
    let (mut alone, mut stuck, mut helped) = if frozen { (0, rabbit, 0) } else { (rabbit, 0, 0) };
    // All squares by cost: the last, and the two before it.
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
            // A friend on a trap that only this rabbit supports is lost as it goes, and may be missed later.
            let supported = friends & TRAPS & spread(rabbit) & !warm;
            sure = alone & LAST_RANK != 0 && supported == 0;
        }
    }
    Reach { least, sure, region }
}

/// Those of some enemies in the way that can be displaced if others have so many steps: a stronger piece has
/// to stand beside the enemy, or get there with the steps that the displacement leaves.
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

/// The search for a run; where `LINE`, it keeps the steps of the one that it found.
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

    /// Whether a rabbit reaches the last rank within so many steps, if the shortest run from here has no
    /// more.
    ///
    /// Why it is enough to look near the rabbit's way: say that a unit depends on another that comes before
    /// it if the other changes a square that decides whether the unit is legal and what it does. In a
    /// shortest run every unit is one of the rabbit's own steps, or one of these depends on it, directly or
    /// through others: leaving out all units of which this is not so changes nothing for those that are left,
    /// and makes the run shorter. So a step of another piece touches what the rabbit's steps depend on, or,
    /// with steps of others still to come, what these may depend on in turn ([`influence`]).
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
        // What a single step and what a push or a pull has to touch.
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
