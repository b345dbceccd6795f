//! A director's table: a tournament that is written event by event, with games around it that the test makes up.

use std::collections::BTreeMap;

use annals_events::tournament::{
    Announced, Outcome, Pair, PlayerRegistered, ResultRecorded, RoundPaired, RoundStarted, Stage,
};
use annals_events::{
    BoardId, GameId, Micros, PlayerId, PlayerKind, Side, Termination, TournamentEvent, TournamentId,
};
use annals_rules::GameFacts;
use annals_tournaments::Tournament;
use annals_tournaments::check::{EventMeta, JudgingContext, check};
use annals_tournaments::commands::Command;
use annals_tournaments::context::{StandingBan, TournamentContext};
use annals_tournaments::refusal::Refusal;
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::verdict::{Compliance, Verdict};

use crate::deciding::{Decision, decide};

/// The games that the log is taken to hold.
#[derive(Default)]
pub struct Games(pub BTreeMap<GameId, GameFacts>);

impl TournamentContext for Games {
    fn game(&self, game: &GameId) -> Option<&GameFacts> {
        self.0.get(game)
    }

    fn bans(&self) -> &[StandingBan] {
        &[]
    }

    fn tournament(&self, _name: &TournamentId) -> Option<&Tournament> {
        None
    }
}

/// The table.
pub struct Director {
    pub rulebook: Rulebook,
    pub tournament: Tournament,
    pub games: Games,
    pub seq: u64,
    pub at: Micros,
}

pub fn id(name: &str) -> PlayerId {
    name.to_lowercase().parse().unwrap()
}

pub fn game(name: &str) -> GameId {
    name.parse().unwrap()
}

pub fn pairing(text: &str) -> BoardId {
    text.parse().unwrap()
}

impl Director {
    pub fn new(rulebook: &str) -> Director {
        let rulebook = Rulebook::named(rulebook).unwrap();
        let mut director = Director {
            tournament: Tournament::default(),
            games: Games::default(),
            seq: 0,
            at: 1_231_117_200_000_000,
            rulebook,
        };
        let announced = Announced {
            series: director.rulebook.series.map(str::to_owned),
            year: Some(2009),
            edition: director.rulebook.edition,
            options: director.rulebook.options(),
            currency: Some("USD".to_owned()),
            fees: director.rulebook.fees.clone(),
            directors: vec!["director".to_owned()],
            ..Announced::plain("A tournament", director.rulebook.name, director.rulebook.game)
        };
        director.tell(TournamentEvent::Announced(announced));
        director
    }

    pub fn with_players(rulebook: &str, names: &[&str]) -> Director {
        let mut director = Director::new(rulebook);
        let kind = director.rulebook.players[0];
        for (name, number) in names.iter().zip(1..) {
            director.tell(entry(name, kind, number));
        }
        director
    }

    /// Takes an event as it is said, unjudged.
    pub fn tell(&mut self, event: TournamentEvent) {
        self.seq += 1;
        self.tournament.evolve(self.seq, self.at, &event);
    }

    pub fn case(&self) -> JudgingContext<'_> {
        JudgingContext::new(&self.tournament, &self.rulebook, &self.games)
    }

    fn when(&self) -> EventMeta {
        EventMeta { seq: self.seq + 1, at: self.at, recorded_at: self.at, imported: false }
    }

    pub fn ask(&self, command: &Command) -> Result<Decision, Refusal> {
        decide(&self.case(), &self.when(), command)
    }

    /// Does what is asked, and says what the rules say of it.
    pub fn does(&mut self, command: &Command) -> Decision {
        let decision = self.ask(command).unwrap_or_else(|refusal| panic!("{refusal}"));
        for event in &decision.events {
            self.tell(event.clone());
        }
        decision
    }

    /// The name of the rule that refuses.
    pub fn refuses(&self, command: &Command) -> (&'static str, String) {
        let refusal = self.ask(command).expect_err("it is refused");
        (refusal.rule.map_or("", |rule| rule.id.name()), refusal.to_string())
    }

    pub fn judged(&self, event: &TournamentEvent) -> Vec<Verdict> {
        check(&self.case(), &self.when(), event)
    }

    /// The rules that an event departs from.
    pub fn is_violation(&self, event: &TournamentEvent) -> Vec<&'static str> {
        let departing = self.judged(event).into_iter().filter(Verdict::is_violation);
        departing.map(|verdict| verdict.rule.id.name()).collect()
    }

    /// The rules that leave an event open.
    pub fn open(&self, event: &TournamentEvent) -> Vec<&'static str> {
        let open = |verdict: &Verdict| matches!(verdict.holds, Compliance::Undetermined { .. });
        self.judged(event).into_iter().filter(open).map(|verdict| verdict.rule.id.name()).collect()
    }

    /// Tells of a round between players that the test chose.
    pub fn pair(&mut self, round: u32, stage: Stage, pairs: &[(&str, &str)]) {
        self.tell(paired(round, stage, pairs));
    }

    pub fn begin(&mut self, round: u32) {
        let started = RoundStarted { round, pairing: None, game: None, programs: Vec::new() };
        self.tell(TournamentEvent::RoundStarted(started));
    }
}

/// A round between players that the test chose.
pub fn paired(round: u32, stage: Stage, pairs: &[(&str, &str)]) -> TournamentEvent {
    let pairs = pairs
        .iter()
        .zip(1..)
        .map(|((gold, silver), board)| Pair {
            board,
            upper: id(gold),
            lower: id(silver),
            upper_side: Some(Side::Gold),
            colour: None,
            encounter: None,
        })
        .collect();
    TournamentEvent::RoundPaired(RoundPaired {
        round,
        stage,
        pairs,
        byes: Vec::new(),
        order: Vec::new(),
        measures: Vec::new(),
        equals: None,
        inferred: false,
    })
}

pub fn entry(name: &str, kind: PlayerKind, number: u32) -> TournamentEvent {
    TournamentEvent::PlayerRegistered(PlayerRegistered {
        player: id(name),
        name: name.to_owned(),
        kind,
        developers: Vec::new(),
        account: None,
        rating: Some(1500),
        number: Some(number),
        country: None,
    })
}

pub fn result(at: &str, outcome: Outcome, termination: Option<Termination>) -> ResultRecorded {
    ResultRecorded {
        pairing: pairing(at),
        outcome,
        termination,
        attempt: None,
        game: None,
        territory: None,
        note: None,
    }
}

pub fn recorded(at: &str, outcome: Outcome, termination: Termination) -> TournamentEvent {
    TournamentEvent::ResultRecorded(result(at, outcome, Some(termination)))
}
