//! Finals played at the desk: what the tests of recorded finals share. Entries, results and withdrawals are folded as
//! they are said; rounds come from the desk.

use annals_events::tournament::{
    ColourDrawn, Draw, Outcome, PlayerRegistered, PlayerWithdrawn, Qualified, QualifyingRank, ResultRecorded,
    RoundPaired, RoundStarted, RulingGiven, Stage, Withdrawal,
};
use annals_events::{BoardId, PlayerId, PlayerKind, TournamentEvent};
use annals_tournaments::Tournament;
use annals_tournaments::check::{EventMeta, JudgingContext, check};
use annals_tournaments::commands::Command;
use annals_tournaments::context::NoContext;
use annals_tournaments::formats::{Places, places};
use annals_tournaments::refusal::Refusal;
use annals_tournaments::rulebook::{Format, Rulebook};
use annals_tournaments::verdict::{Compliance, Verdict};

use crate::deciding::{Decision, decide};

/// A tournament with its rulebook, as far as it was played.
#[derive(Clone)]
pub struct Desk {
    pub tournament: Tournament,
    pub rulebook: Rulebook,
    seq: u64,
}

pub fn id(name: &str) -> PlayerId {
    name.parse().expect("a name")
}

/// A player by the number of their seed.
pub fn seed(number: u32) -> PlayerId {
    id(&format!("s{number:02}"))
}

/// The result if the player with the lesser name wins.
pub fn favourite(gold: &PlayerId, silver: &PlayerId) -> Outcome {
    if gold < silver { Outcome::Gold } else { Outcome::Silver }
}

impl Desk {
    pub fn new(rulebook: &str) -> Desk {
        let rulebook = Rulebook::named(rulebook).expect("a rulebook");
        Desk { tournament: Tournament::default(), rulebook, seq: 0 }
    }

    /// The same rulebook with other numbers of lives and of places.
    pub fn with(mut self, lives: u32, places: u32) -> Desk {
        for stage in &mut self.rulebook.stages {
            if let Format::Elimination(rules) = &mut stage.format {
                rules.lives = lives;
            }
            stage.places = stage.places.map(|_| places);
        }
        self
    }

    /// A final of so many players, seeded by their numbers.
    pub fn of_seeds(rulebook: &str, players: u32) -> Desk {
        let mut desk = Desk::new(rulebook).with(4, players.max(8));
        if rulebook == "wc-2009" {
            desk = desk.with(2, players.max(8));
        }
        let names: Vec<PlayerId> = (1..=players).map(seed).collect();
        for name in &names {
            desk.enter(name, None);
        }
        desk.qualify(&names);
        desk
    }

    pub fn push(&mut self, event: TournamentEvent) {
        self.seq += 1;
        let at = i64::try_from(self.seq).expect("few events");
        self.tournament.evolve(self.seq, at, &event);
    }

    pub fn enter(&mut self, player: &PlayerId, rating: Option<i32>) {
        self.push(TournamentEvent::PlayerRegistered(PlayerRegistered {
            player: player.clone(),
            name: player.to_string(),
            kind: if self.rulebook.name == "wcc-2015" { PlayerKind::Bot } else { PlayerKind::Human },
            developers: Vec::new(),
            account: None,
            rating,
            number: None,
            country: None,
        }));
    }

    /// The order of the stage before the final.
    pub fn qualify(&mut self, order: &[PlayerId]) {
        let from = if self.rulebook.name == "wcc-2015" { Stage::Qualifier } else { Stage::Swiss };
        let places = self.rulebook.stage(from).and_then(|rules| rules.places).unwrap_or(8);
        let order = (1..).zip(order).map(|(rank, player)| QualifyingRank {
            player: player.clone(),
            rank,
            seed: (rank <= places).then_some(rank),
            measures: Vec::new(),
        });
        let order = order.collect();
        self.push(TournamentEvent::Qualified(Qualified {
            from,
            to: Stage::Final,
            order,
            grounds: Vec::new(),
        }));
    }

    fn case(&self) -> JudgingContext<'_> {
        JudgingContext::new(&self.tournament, &self.rulebook, &NoContext)
    }

    fn when(&self) -> EventMeta {
        let seq = self.seq + 1;
        let at = i64::try_from(seq).expect("few events");
        EventMeta { seq, at, recorded_at: at, imported: false }
    }

    pub fn ask(&self, command: &Command) -> Result<Decision, Refusal> {
        decide(&self.case(), &self.when(), command)
    }

    pub fn check(&self, event: &TournamentEvent) -> Vec<Verdict> {
        check(&self.case(), &self.when(), event)
    }

    /// The rules that an event departs from.
    pub fn violations(&self, event: &TournamentEvent) -> Vec<&'static str> {
        self.check(event)
            .iter()
            .filter(|verdict| verdict.is_violation())
            .map(|verdict| verdict.rule.id.name())
            .collect()
    }

    /// What is said of a published round: the holdings of one rule.
    pub fn holds(&self, paired: &RoundPaired, rule: &str) -> Vec<Compliance> {
        let verdicts = self.check(&TournamentEvent::RoundPaired(paired.clone()));
        verdicts
            .into_iter()
            .filter(|verdict| verdict.rule.id.name() == rule)
            .map(|verdict| verdict.holds)
            .collect()
    }

    /// The next round as the desk decides it, not yet recorded.
    pub fn next(&self) -> Result<RoundPaired, Refusal> {
        let decision = self.ask(&Command::Pair { seed: Some("a seed".to_owned()) })?;
        match decision.events.into_iter().next() {
            Some(TournamentEvent::RoundPaired(paired)) => Ok(paired),
            other => panic!("the desk paired nothing: {other:?}"),
        }
    }

    /// Draws by hand where a coin is asked for.
    pub fn draw(&mut self, pairing: BoardId, gold: &PlayerId) {
        let draw = Draw { method: "by_hand".to_owned(), seed: None, commitment: None };
        let drawn = ColourDrawn { pairing, gold: gold.clone(), draw, ground: None };
        let event = TournamentEvent::ColourDrawn(drawn);
        assert_eq!(self.violations(&event), [""; 0], "{pairing}");
        self.push(event);
    }

    pub fn start(&mut self, round: u32) {
        let started = RoundStarted { round, pairing: None, game: None, programs: Vec::new() };
        let event = TournamentEvent::RoundStarted(started);
        assert!(!self.violations(&event).contains(&"round.order"), "round {round}");
        self.push(event);
    }

    pub fn result(&mut self, round: u32, board: u32, outcome: Outcome) {
        self.push(TournamentEvent::ResultRecorded(ResultRecorded {
            pairing: BoardId { round, board },
            outcome,
            termination: None,
            attempt: None,
            game: None,
            territory: None,
            note: None,
        }));
    }

    pub fn withdraw(&mut self, player: &PlayerId, how: Withdrawal) {
        self.push(TournamentEvent::PlayerWithdrawn(PlayerWithdrawn {
            player: player.clone(),
            how,
            reason: None,
        }));
    }

    pub fn rule(&mut self, effect: annals_events::tournament::Effect) {
        let number = u32::try_from(self.tournament.rulings.len() + 1).expect("few");
        self.push(TournamentEvent::RulingGiven(RulingGiven {
            number,
            effect,
            reason: "as it is".to_owned(),
            grounds: Vec::new(),
            evidence: Vec::new(),
            dispute: None,
            supersedes: None,
        }));
    }

    /// Plays the next round: paired at the desk, started, every board with the outcome that `result` gives for Gold and Silver.
    pub fn play(
        &mut self,
        mut result: impl FnMut(&PlayerId, &PlayerId) -> Outcome,
    ) -> Result<RoundPaired, Refusal> {
        let decision = self.ask(&Command::Pair { seed: Some("a seed".to_owned()) })?;
        let mut found = None;
        for event in decision.events {
            if let TournamentEvent::RoundPaired(paired) = &event {
                found = Some(paired.clone());
            }
            self.push(event);
        }
        let paired = found.expect("a round");
        for (pairing, player) in self.choices(&paired) {
            self.choose(pairing, &player);
        }
        self.start(paired.round);
        let boards = self.tournament.rounds[&paired.round].boards.clone();
        for (board, recorded) in boards {
            let (gold, silver) =
                (recorded.gold().cloned().expect("Gold"), recorded.silver().cloned().expect("Silver"));
            self.result(paired.round, board, result(&gold, &silver));
        }
        Ok(paired)
    }

    /// The boards of a playoff whose colours are still to be chosen, with the lower of the pair.
    fn choices(&self, paired: &RoundPaired) -> Vec<(BoardId, PlayerId)> {
        let playoff = matches!(paired.stage, Stage::SecondPlayoff | Stage::ThirdPlayoff);
        let open = paired.pairs.iter().filter(|pair| playoff && pair.upper_side.is_none());
        open.map(|pair| (BoardId { round: paired.round, board: pair.board }, pair.lower.clone())).collect()
    }

    /// A player takes Gold.
    pub fn choose(&mut self, pairing: BoardId, player: &PlayerId) {
        let event = TournamentEvent::ColourChosen(annals_events::tournament::ColourChosen {
            pairing,
            player: player.clone(),
            side: annals_events::Side::Gold,
            ground: None,
        });
        assert_eq!(self.violations(&event), [""; 0], "{pairing}");
        self.push(event);
    }

    pub fn places(&self) -> Places {
        places(&self.tournament, &self.rulebook).expect("places")
    }

    /// Who has a place, in the order of names.
    pub fn at(&self, place: u32) -> Vec<PlayerId> {
        let places = self.places();
        let mut players: Vec<PlayerId> =
            places.placings.into_iter().filter(|one| one.place == place).map(|one| one.player).collect();
        players.sort();
        players
    }
}
