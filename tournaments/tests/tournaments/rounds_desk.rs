//! A desk for the tests of whole events: facts are folded as they come, decisions go through the rules.

use annals_events::tournament::{
    ColourDrawn, Draw, Outcome, PlayerRegistered, PlayerWithdrawn, ResultRecorded, RoundPaired, RoundStarted,
    Withdrawal,
};
use annals_events::{BoardId, Micros, PlayerId, PlayerKind, Termination, TournamentEvent};
use annals_tournaments::Tournament;
use annals_tournaments::check::{EventMeta, JudgingContext, check};
use annals_tournaments::commands::Command;
use annals_tournaments::context::NoContext;
use annals_tournaments::refusal::Refusal;
use annals_tournaments::rulebook::{DAY, HOUR, Rulebook};
use annals_tournaments::verdict::{Compliance, Verdict};

use crate::deciding::{Decision, decide};

pub fn id(name: &str) -> PlayerId {
    name.to_lowercase().parse().unwrap()
}

/// The Sunday evening when the first round of 2009 is published: 4 January 1970, 8pm EST. Each later round is a week after it.
const SUNDAY: Micros = 97 * HOUR;

pub struct Desk {
    pub tournament: Tournament,
    pub rulebook: Rulebook,
    pub seq: u64,
}

impl Desk {
    pub fn new(rulebook: &str) -> Desk {
        Desk { tournament: Tournament::default(), rulebook: Rulebook::named(rulebook).unwrap(), seq: 0 }
    }

    fn at(&self) -> Micros {
        SUNDAY + self.tournament.rounds.len() as Micros * 7 * DAY
    }

    fn when(&self) -> EventMeta {
        let at = self.at();
        EventMeta { seq: self.seq + 1, at, recorded_at: at, imported: false }
    }

    /// Folds a fact without a judgement.
    pub fn fact(&mut self, event: &TournamentEvent) {
        self.seq += 1;
        self.tournament.evolve(self.seq, self.at(), event);
    }

    /// Asks the rules, and folds what they allow.
    pub fn ask(&mut self, command: &Command) -> Result<Decision, Refusal> {
        let case = JudgingContext::new(&self.tournament, &self.rulebook, &NoContext);
        let decision = decide(&case, &self.when(), command)?;
        for event in &decision.events {
            self.fact(event);
        }
        Ok(decision)
    }

    /// Publishes something that must follow from the rules; nothing of it may be open.
    pub fn publish(&mut self, event: TournamentEvent) {
        let decision = self.ask(&Command::Record(Box::new(event.clone()))).unwrap();
        for verdict in &decision.verdicts {
            assert!(
                matches!(verdict.holds, Compliance::Compliant | Compliance::OneOf(_)),
                "{verdict:?} of {event:?}"
            );
        }
        assert!(!decision.verdicts.is_empty());
    }

    pub fn check(&self, event: &TournamentEvent) -> Vec<Verdict> {
        let case = JudgingContext::new(&self.tournament, &self.rulebook, &NoContext);
        check(&case, &self.when(), event)
    }

    /// The names of the rules from which an event departs.
    pub fn is_violation(&self, event: &TournamentEvent) -> Vec<&'static str> {
        let mut rules: Vec<&'static str> = self
            .check(event)
            .into_iter()
            .filter(Verdict::is_violation)
            .map(|verdict| verdict.rule.id.name())
            .collect();
        rules.dedup();
        rules
    }

    pub fn enter(&mut self, name: &str, kind: PlayerKind, rating: Option<i32>, number: Option<u32>) {
        self.fact(&TournamentEvent::PlayerRegistered(PlayerRegistered {
            player: id(name),
            name: name.to_owned(),
            kind,
            developers: Vec::new(),
            account: None,
            rating,
            number,
            country: None,
        }));
    }

    pub fn start(&mut self, round: u32) {
        self.fact(&TournamentEvent::RoundStarted(RoundStarted {
            round,
            pairing: None,
            game: None,
            programs: Vec::new(),
        }));
    }

    pub fn result(
        &mut self,
        pairing: BoardId,
        outcome: Outcome,
        termination: Termination,
        territory: Option<u32>,
    ) {
        self.fact(&TournamentEvent::ResultRecorded(ResultRecorded {
            pairing,
            outcome,
            termination: Some(termination),
            attempt: None,
            game: None,
            territory,
            note: None,
        }));
    }

    pub fn withdraw(&mut self, name: &str, how: Withdrawal) {
        self.fact(&TournamentEvent::PlayerWithdrawn(PlayerWithdrawn { player: id(name), how, reason: None }));
    }
}

pub fn by_hand() -> Draw {
    Draw { method: "by_hand".to_owned(), seed: None, commitment: None }
}

pub fn coin(pairing: BoardId, gold: &str) -> TournamentEvent {
    TournamentEvent::ColourDrawn(ColourDrawn { pairing, gold: id(gold), draw: by_hand(), ground: None })
}

pub fn paired(round: RoundPaired) -> TournamentEvent {
    TournamentEvent::RoundPaired(round)
}
