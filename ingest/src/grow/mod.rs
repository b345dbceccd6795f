//! Generates a large archive in the gameroom's format for measurements and trials: new ids, dates, players and games,
//! with distinct move lists. Games of an existing archive can be material (mirrored, then continued differently from a
//! random ply).
//!
//! Every turn is legal; clocks, endings and ratings are consistent, so that the archive has no flags. The same seed
//! gives the same bytes with any number of threads.

mod draft;
mod people;
mod play;
mod seeds;

use std::collections::HashSet;
use std::io::{self, Write};

use annals_events::PlayerAtStart;
use annals_rules::seeded::Rng;
use rayon::prelude::*;

use crate::archive_row::{push_header, push_row};
use crate::game_record::{Header, StatedResult};
use crate::source::SourceFile;
use draft::{Draft, Plan, Workshop};
use people::People;
use seeds::Seed;

/// The size of the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrowSize {
    Games(u64),
    /// At least this many bytes, without a whole surplus row.
    Bytes(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrowOptions {
    pub size: GrowSize,
    /// The same seed gives the same archive.
    pub seed: u64,
    /// Ids are consecutive from this.
    pub first_id: u64,
    /// Games per thousand without server log: the oldest, of 2002 to 2005, with takebacks.
    pub without_log: u32,
    /// Uses of each existing game.
    pub uses: u32,
}

impl Default for GrowOptions {
    fn default() -> GrowOptions {
        GrowOptions { size: GrowSize::Games(40), seed: 1, first_id: 1_000_001, without_log: 150, uses: 8 }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GrowReport {
    /// With header.
    pub bytes: u64,
    pub games: u64,
    /// Setups and retracted turns included.
    pub turns: u64,
    /// Games begun as a mirror image of an existing one.
    pub continued: u64,
    pub without_log: u64,
    pub players: u64,
    /// Games repeated because of an equal move list.
    pub made_anew: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("the synthetic archive cannot be written (after {written} bytes): {why}")]
pub struct GrowError {
    /// Before the error.
    pub written: u64,
    pub why: io::Error,
}

/// Games per batch.
const BATCH: u64 = 512;

/// 2002-11-22, 2006-01-01 and 2026-03-01: old style from the first, with a log from the second to the third.
const OLD_FROM: i64 = 1_037_923_200;
const LOGGED_FROM: i64 = 1_136_073_600;
const LOGGED_TO: i64 = 1_772_323_200;

/// Approximate bytes per game, with log and without.
const BYTES_LOGGED: u64 = 16_000;
const BYTES_OLD: u64 = 3_000;

/// Generates an archive to `out`. `existing` are files with material, or empty.
///
/// # Errors
/// If `out` cannot be written.
pub fn grow(
    existing: &[SourceFile],
    out: &mut dyn Write,
    options: &GrowOptions,
) -> Result<GrowReport, GrowError> {
    let seeds = seeds::read(existing);
    let mut growth = Growth {
        options,
        seen: seeds.iter().map(|seed| seed.digest).collect(),
        people: People::new(options.expected_games()),
        report: GrowReport::default(),
        out,
    };
    growth.header()?;
    let mut first = 0;
    let mut not_before = OLD_FROM;
    while !growth.is_done() {
        let plans = growth.plans(first, &mut not_before, &seeds);
        let drafts: Vec<Draft> =
            plans.par_iter().map_init(Workshop::default, |workshop, plan| workshop.draft(plan)).collect();
        growth.write(plans, drafts)?;
        first += BATCH;
    }
    growth.report.players = growth.people.count();
    Ok(growth.report)
}

impl GrowOptions {
    fn expected_games(&self) -> u64 {
        match self.size {
            GrowSize::Games(games) => games,
            GrowSize::Bytes(bytes) => {
                let old = u64::from(self.without_log.min(1000));
                bytes * 1000 / (BYTES_OLD * old + BYTES_LOGGED * (1000 - old)) + 1
            }
        }
    }
}

struct Growth<'a> {
    options: &'a GrowOptions,
    /// Of all move lists.
    seen: HashSet<u128>,
    people: People,
    report: GrowReport,
    out: &'a mut dyn Write,
}

impl Growth<'_> {
    fn is_done(&self) -> bool {
        match self.options.size {
            GrowSize::Games(games) => self.report.games >= games,
            GrowSize::Bytes(bytes) => self.report.bytes >= bytes,
        }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), GrowError> {
        let written = self.report.bytes;
        self.out.write_all(bytes).map_err(|why| GrowError { written, why })?;
        self.report.bytes += bytes.len() as u64;
        Ok(())
    }

    fn header(&mut self) -> Result<(), GrowError> {
        let mut header = Vec::new();
        push_header(&mut header);
        self.put(&header)
    }

    /// Plans the next games by time, the old style first.
    fn plans<'s>(&self, first: u64, not_before: &mut i64, seeds: &'s [Seed]) -> Vec<Plan<'s>> {
        let expected = self.options.expected_games().max(1);
        let old = expected * u64::from(self.options.without_log.min(1000)) / 1000;
        let uses = seeds.len() as u64 * u64::from(self.options.uses);
        let left = match self.options.size {
            GrowSize::Games(games) => (games - self.report.games).min(BATCH),
            GrowSize::Bytes(_) => BATCH,
        };
        (first..first + left)
            .map(|index| {
                let mut rng = Rng::of(&[self.options.seed, index]);
                let logged = index >= old;
                // The fraction of its style's years that has passed; with more games than expected, the last days are
                // fuller.
                let (from, to, place, count) = if logged {
                    (LOGGED_FROM, LOGGED_TO, index - old, (expected - old).max(1))
                } else {
                    (OLD_FROM, LOGGED_FROM - 86_400 * 30, index, old.max(1))
                };
                let passed = (to - from) as i128 * i128::from(place.min(count)) / i128::from(count);
                let gap = ((to - from) as u64 / count).clamp(1, u64::from(u32::MAX / 2)) as u32;
                let start = (from + passed as i64 + i64::from(rng.below(gap))).max(*not_before);
                *not_before = start + 1;
                // Spreads the material evenly.
                let continued = uses > 0 && rng.below(u32::MAX) < share(uses, expected);
                let material = continued.then(|| rng.pick(seeds));
                Plan { parts: [self.options.seed, index, 0], start, logged, material }
            })
            .collect()
    }

    fn write(&mut self, plans: Vec<Plan<'_>>, drafts: Vec<Draft>) -> Result<(), GrowError> {
        let mut rows = Vec::new();
        for (mut plan, mut draft) in plans.into_iter().zip(drafts) {
            let size = rows.len() as u64;
            if matches!(self.options.size, GrowSize::Bytes(bytes) if self.report.bytes + size >= bytes) {
                break;
            }
            while !self.seen.insert(draft.digest) {
                self.report.made_anew += 1;
                plan.parts[2] += 1;
                plan.material = None;
                draft = Workshop::default().draft(&plan);
            }
            self.row(&mut rows, &plan, &draft);
        }
        self.put(&rows)
    }

    fn row(&mut self, out: &mut Vec<u8>, plan: &Plan<'_>, draft: &Draft) {
        let mut rng = Rng::of(&[plan.parts[0], plan.parts[1], 77]);
        let seats = self.people.pair(draft.kinds, plan.start, &mut rng);
        for seat in seats {
            self.people.begin(seat, plan.start);
        }
        let event = if rng.chance(900) {
            "Casual game".to_owned()
        } else {
            format!("Grown Open {}", 2002 + (plan.start - OLD_FROM) / 31_557_600)
        };
        let player = |side: usize| {
            let person = self.people.get(seats[side]);
            PlayerAtStart {
                name: person.name.as_str().into(),
                player_id: Some(person.id),
                kind: Some(draft.kinds[side]),
                title: None,
                country: Some(person.country.into()),
                rating: Some(person.rating.rating),
                k: i32::try_from(person.rating.k).ok(),
            }
        };
        let header = Header {
            gold: player(0),
            silver: player(1),
            event: Some(event.into()),
            site: Some("Over the Net".into()),
            time_control: Some(draft.control.into()),
            postal: Some(false),
            started_at: Some(plan.start * 1_000_000),
            ended_at: Some(draft.end * 1_000_000),
            result: draft.winner.map_or(StatedResult::Draw, StatedResult::Won),
            termination: Some(draft.termination),
            plycount: Some(draft.plycount),
            mode: Some("IGS".into()),
            rated: Some(draft.rated),
            ..Header::default()
        };
        let id = self.options.first_id + self.report.games;
        push_row(out, id, &header, &draft.movelist, plan.logged.then_some(&draft.log));

        self.people.finish(seats, draft.winner, draft.rated, draft.end);
        self.report.games += 1;
        self.report.turns += draft.turns;
        self.report.continued += u64::from(plan.material.is_some());
        self.report.without_log += u64::from(!plan.logged);
    }
}

/// `part` of `whole` as a threshold for a random 32-bit number.
fn share(part: u64, whole: u64) -> u32 {
    let share = u128::from(part) * u128::from(u32::MAX) / u128::from(whole.max(1));
    u32::try_from(share).unwrap_or(u32::MAX)
}
