//! A record under construction: events folded one after the other, each asked about before it is said.

use std::collections::BTreeMap;

use annals_events::tournament::*;
use annals_events::{GameId, Micros, PlayerId, PlayerKind, Side, TournamentEvent, TournamentId};
use annals_rules::GameFacts;
use annals_tournaments::Tournament;
use annals_tournaments::check::{EventMeta, JudgingContext, check};
use annals_tournaments::commands::{AnnounceOrder, Command, announcement};
use annals_tournaments::context::{StandingBan, TournamentContext, lifts};
use annals_tournaments::refusal::Refusal;
use annals_tournaments::rulebook::{DAY, HOUR, Rulebook};
use annals_tournaments::verdict::{Compliance, Verdict};

use crate::deciding::{Decision, decide};

pub use annals_events::TournamentEvent as E;

/// What lies around a record in a test.
#[derive(Default)]
pub struct Surroundings {
    pub games: BTreeMap<GameId, GameFacts>,
    pub bans: Vec<StandingBan>,
    pub tournaments: BTreeMap<TournamentId, Tournament>,
}

impl TournamentContext for Surroundings {
    fn game(&self, game: &GameId) -> Option<&GameFacts> {
        self.games.get(game)
    }

    fn bans(&self) -> &[StandingBan] {
        &self.bans
    }

    fn tournament(&self, name: &TournamentId) -> Option<&Tournament> {
        self.tournaments.get(name)
    }
}

/// The record of one tournament.
pub struct Record {
    pub tournament: Tournament,
    pub rulebook: Rulebook,
    pub context: Surroundings,
    pub seq: u64,
}

pub fn id(name: &str) -> PlayerId {
    name.parse().unwrap()
}

/// A date that the source of a rulebook publishes.
pub fn date(rulebook: &Rulebook, milestone: Milestone) -> Micros {
    rulebook.published_schedule().iter().find(|deadline| deadline.milestone == milestone).unwrap().at
}

/// The names of the rules from which verdicts depart.
pub fn departed(verdicts: &[Verdict]) -> Vec<&'static str> {
    verdicts.iter().filter(|verdict| verdict.is_violation()).map(|verdict| verdict.rule.id.name()).collect()
}

/// The names of the rules that are left open.
pub fn left_open(verdicts: &[Verdict]) -> Vec<&'static str> {
    let open = |verdict: &&Verdict| matches!(verdict.holds, Compliance::Undetermined { .. });
    verdicts.iter().filter(open).map(|verdict| verdict.rule.id.name()).collect()
}

impl Record {
    /// A record in which nothing has been said.
    pub fn empty(rulebook: &str) -> Record {
        Record {
            tournament: Tournament::default(),
            rulebook: Rulebook::named(rulebook).unwrap(),
            context: Surroundings::default(),
            seq: 0,
        }
    }

    /// A tournament announced as its source has it.
    pub fn announced(rulebook: &str) -> Record {
        let mut record = Record::empty(rulebook);
        let event = record.announcement();
        record.say(0, &event);
        record
    }

    pub fn announcement(&self) -> TournamentEvent {
        let order = AnnounceOrder {
            year: Some(2015),
            schedule: self.rulebook.published_schedule(),
            previous: Some("wcc-2014".to_owned()),
            ..AnnounceOrder::default()
        };
        E::Announced(announcement(&self.rulebook, order))
    }

    pub fn when(&self, at: Micros) -> EventMeta {
        EventMeta { seq: self.seq + 1, at, recorded_at: at, imported: false }
    }

    pub fn case(&self) -> JudgingContext<'_> {
        JudgingContext::new(&self.tournament, &self.rulebook, &self.context)
    }

    /// What the rules say of an event, were it said now.
    pub fn ask(&self, at: Micros, event: &TournamentEvent) -> Vec<Verdict> {
        check(&self.case(), &self.when(at), event)
    }

    /// The rules from which an event departs, were it said now.
    pub fn is_violation(&self, at: Micros, event: &TournamentEvent) -> Vec<&'static str> {
        departed(&self.ask(at, event))
    }

    /// Folds an event, legal or not.
    pub fn say(&mut self, at: Micros, event: &TournamentEvent) {
        self.seq += 1;
        self.tournament.evolve(self.seq, at, event);
        let seq = self.seq;
        match event {
            E::BanRecorded(ban) => {
                let tournament = "wcc-2015".parse().unwrap();
                self.context.bans.push(StandingBan { tournament, seq, at, ban: ban.clone() });
            }
            E::BanLifted(lifted) => self.context.bans.retain(|standing| !lifts(lifted, &standing.ban)),
            _ => {}
        }
    }

    /// Folds an event that departs from nothing.
    pub fn rightly(&mut self, at: Micros, event: &TournamentEvent) {
        let verdicts = self.ask(at, event);
        let wrong: Vec<&Verdict> = verdicts.iter().filter(|verdict| verdict.is_violation()).collect();
        assert!(wrong.is_empty(), "{event:?}: {wrong:?}");
        self.say(at, event);
    }

    /// Asks the desk, without doing anything.
    pub fn decide(&self, at: Micros, command: &Command) -> Result<Decision, Refusal> {
        decide(&self.case(), &self.when(at), command)
    }

    /// Asks the desk, and folds what it decides.
    pub fn carry_out(&mut self, at: Micros, command: &Command) -> Vec<TournamentEvent> {
        let decision = self.decide(at, command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
        for event in &decision.events {
            self.say(at, event);
        }
        decision.events
    }

    pub fn date(&self, milestone: Milestone) -> Micros {
        date(&self.rulebook, milestone)
    }

    /// `count` programs entered in time, `bot01` first, the better rated the smaller its number, each by a developer of its own.
    pub fn with_bots(mut self, count: u32) -> Record {
        let at = self.date(Milestone::RegistrationOpens) + DAY;
        for i in 1..=count {
            let name = format!("bot{i:02}");
            let event = entry(&name, PlayerKind::Bot, &[&format!("Developer {i}")]);
            self.rightly(at + i64::from(i), &event);
            let rating = PlayerRating { player: id(&name), rating: 1700 - i as i32 };
            let ratings = RatingsRecorded { ratings: vec![rating], source: None };
            self.rightly(at + i64::from(i), &E::RatingsRecorded(ratings));
        }
        let at = self.date(Milestone::QualifyingOpens) - DAY;
        self.rightly(at, &stable(&["a", "b"]));
        self
    }

    /// `count` programs, of which `bot01` has won most games, `bot02` one less and so on, and the order published.
    pub fn qualified(count: u32) -> Record {
        let mut record = Record::announced("wcc-2015").with_bots(count);
        let opens = record.date(Milestone::QualifyingOpens);
        for i in 1..=count {
            for (benchmark, wins) in
                [("a", 8u32.saturating_sub(i).min(4)), ("b", 4u32.saturating_sub(i).min(4))]
            {
                for k in 0..wins.max(1) {
                    let number = u64::from(i) * 100 + u64::from(k) + if benchmark == "a" { 0 } else { 50 };
                    let start = opens + i64::from(i) * DAY + i64::from(k) * HOUR;
                    let game = game(&format!("bot{i:02}"), benchmark, k % 2 == 0, k < wins, start, number);
                    record.rightly(start + HOUR, &E::QualifyingGamePlayed(game));
                }
            }
        }
        let at = record.date(Milestone::QualifiersNamed) - HOUR;
        record.carry_out(at, &Command::Qualify);
        record
    }
}

pub fn entry(name: &str, kind: PlayerKind, developers: &[&str]) -> TournamentEvent {
    E::PlayerRegistered(PlayerRegistered {
        player: id(name),
        name: name.to_owned(),
        kind,
        developers: developers.iter().map(|name| (*name).to_owned()).collect(),
        account: None,
        rating: None,
        number: None,
        country: None,
    })
}

pub fn stable(names: &[&str]) -> TournamentEvent {
    let benchmark = |name: &&str| Benchmark { player: id(name), name: (*name).to_owned(), account: None };
    E::BenchmarksDeclared(BenchmarksDeclared { stable: names.iter().map(benchmark).collect() })
}

/// A rated game of half an hour.
pub fn game(
    player: &str,
    benchmark: &str,
    gold: bool,
    won: bool,
    started_at: Micros,
    number: u64,
) -> QualifyingGamePlayed {
    let side = if gold { Side::Gold } else { Side::Silver };
    QualifyingGamePlayed {
        player: id(player),
        benchmark: id(benchmark),
        side,
        rated: true,
        started_at,
        ended_at: started_at + HOUR / 2,
        winner: Some(if won { side } else { side.other() }),
        termination: None,
        number: Some(number),
        game: None,
    }
}

pub fn left(player: &str, how: Withdrawal) -> TournamentEvent {
    E::PlayerWithdrawn(PlayerWithdrawn { player: id(player), how, reason: None })
}

pub fn submitted(player: &str, digest: &str) -> TournamentEvent {
    E::ProgramSubmitted(ProgramSubmitted {
        player: id(player),
        program: format!("{player} 1.0"),
        digest: digest.to_owned(),
        note: None,
    })
}

pub fn tested(player: &str, digest: &str, passed: bool) -> TournamentEvent {
    E::ProgramTested(ProgramTested {
        player: id(player),
        digest: digest.to_owned(),
        passed,
        access_closed: passed,
        note: None,
    })
}

/// A round of the final with these pairs, the first of each with Gold.
pub fn round(number: u32, stage: Stage, pairs: &[(&str, &str)]) -> TournamentEvent {
    let pair = |(board, (gold, silver)): (u32, &(&str, &str))| Pair {
        board,
        upper: id(gold),
        lower: id(silver),
        upper_side: Some(Side::Gold),
        colour: None,
        encounter: None,
    };
    E::RoundPaired(RoundPaired {
        round: number,
        stage,
        pairs: (1..).zip(pairs).map(pair).collect(),
        byes: Vec::new(),
        order: Vec::new(),
        measures: Vec::new(),
        equals: None,
        inferred: false,
    })
}

pub fn begins(round: u32, programs: &[(&str, &str)]) -> TournamentEvent {
    let program =
        |(player, digest): &(&str, &str)| ProgramDigest { player: id(player), digest: (*digest).to_owned() };
    E::RoundStarted(RoundStarted {
        round,
        pairing: None,
        game: None,
        programs: programs.iter().map(program).collect(),
    })
}
