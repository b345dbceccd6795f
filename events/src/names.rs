//! What an event names: players, games, tournaments, rounds, pairings, earlier events. An event may not be effective
//! before the last one that changed something it names. Only direct references count: who plays a pairing is known to
//! folds.

use std::borrow::Cow;

use crate::envelope::StreamName;
use crate::event::Event;
use crate::event_type::Family;
use crate::game::GameEvent;
use crate::ids::{BoardId, GameId, PairingId, PlayerId};
use crate::log::LogEvent;
use crate::people::PeopleEvent;
use crate::tournament::{Effect, Evidence, TournamentEvent};

/// A reference of an event.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject<'e> {
    Tournament(Cow<'e, str>),
    Game(Cow<'e, str>),
    Player(Cow<'e, str>),
    Round {
        tournament: Cow<'e, str>,
        /// From 1.
        round: u32,
    },
    Pairing {
        tournament: Cow<'e, str>,
        pairing: BoardId,
    },
    Event(u64),
}

/// Calls `visit` with every reference in order, perhaps repeatedly; the stream's own game, tournament or player first.
pub fn each_named<'e>(stream: &'e StreamName, event: &'e Event<'_>, mut visit: impl FnMut(Subject<'e>)) {
    let name = stream.name();
    let family = Family::ALL.into_iter().find(|family| family.word() == stream.family());
    match family {
        Some(Family::Game) => visit(Subject::Game(name.into())),
        Some(Family::Tournament) => visit(Subject::Tournament(name.into())),
        Some(Family::People) => visit(Subject::Player(name.into())),
        Some(Family::Log) | None => {}
    }
    match event {
        Event::Log(LogEvent::Correction(correction)) => visit(Subject::Event(correction.corrects)),
        Event::Log(_) => {}
        Event::Game(GameEvent::Started(started)) => {
            let pairing = started.pairing.as_deref().and_then(|text| text.parse::<PairingId>().ok());
            if let Some(PairingId { tournament, pairing }) = pairing {
                let tournament = Cow::Owned(tournament.to_string());
                visit(Subject::Pairing { tournament, pairing });
            }
        }
        Event::Game(_) => {}
        Event::Tournament(event) => {
            Naming { tournament: if family == Some(Family::Tournament) { name } else { "" }, visit }
                .all(event);
        }
        Event::People(event) => {
            let player = |id: &'e PlayerId| Subject::Player(id.as_str().into());
            match event {
                PeopleEvent::PlayerKnown(e) => {
                    visit(player(&e.player));
                    e.earlier_version.iter().for_each(|id| visit(player(id)));
                }
                PeopleEvent::AliasDeclared(e) => visit(player(&e.player)),
                PeopleEvent::AliasWithdrawn(e) => visit(player(&e.player)),
                PeopleEvent::IdentitiesMerged(e) => {
                    [&e.kept, &e.merged].map(player).into_iter().for_each(visit)
                }
                PeopleEvent::IdentitiesParted(e) => {
                    [&e.kept, &e.parted].map(player).into_iter().for_each(visit)
                }
            }
        }
    }
}

/// Distinct and sorted.
#[must_use]
pub fn names<'e>(stream: &'e StreamName, event: &'e Event<'_>) -> Vec<Subject<'e>> {
    let mut all = Vec::new();
    each_named(stream, event, |subject| all.push(subject));
    all.sort_unstable();
    all.dedup();
    all
}

struct Naming<'e, V> {
    tournament: &'e str,
    visit: V,
}

impl<'e, V: FnMut(Subject<'e>)> Naming<'e, V> {
    fn player(&mut self, player: &'e PlayerId) {
        (self.visit)(Subject::Player(player.as_str().into()));
    }

    fn players(&mut self, players: impl IntoIterator<Item = &'e PlayerId>) {
        players.into_iter().for_each(|player| self.player(player));
    }

    fn game(&mut self, game: Option<&'e GameId>) {
        game.into_iter().for_each(|game| (self.visit)(Subject::Game(game.as_str().into())));
    }

    fn round(&mut self, round: u32) {
        (self.visit)(Subject::Round { tournament: self.tournament.into(), round });
    }

    fn pairing(&mut self, pairing: BoardId) {
        (self.visit)(Subject::Pairing { tournament: self.tournament.into(), pairing });
    }

    fn evidence(&mut self, evidence: &'e [Evidence]) {
        for piece in evidence {
            self.game(piece.game.as_ref());
            piece.seq.into_iter().for_each(|seq| (self.visit)(Subject::Event(seq)));
        }
    }

    fn all(&mut self, event: &'e TournamentEvent) {
        use TournamentEvent as T;
        match event {
            T::Announced(e) => {
                e.previous.iter().for_each(|name| (self.visit)(Subject::Tournament(name.as_str().into())));
            }
            T::ScheduleChanged(_)
            | T::RoundsDeclared(_)
            | T::HardwareSpecified(_)
            | T::ReferenceHardwareRecorded(_)
            | T::ContributionRecorded(_) => {}
            T::PlayerRegistered(e) => self.player(&e.player),
            T::RatingsRecorded(e) => self.players(e.ratings.iter().map(|r| &r.player)),
            T::PlayerWithdrawn(e) => self.player(&e.player),
            T::PlayerReinstated(e) => self.player(&e.player),
            T::FeeRecorded(e) => self.player(&e.player),
            T::RefundRecorded(e) => self.player(&e.player),
            T::PenaltyRecorded(e) => {
                self.player(&e.player);
                self.evidence(&e.evidence);
            }
            T::PenaltyPaid(e) => self.player(&e.player),
            T::BanRecorded(e) => {
                self.player(&e.player);
                self.evidence(&e.evidence);
            }
            T::BanLifted(e) => self.player(&e.player),
            T::AvailabilityGiven(e) => {
                self.player(&e.player);
                e.round.into_iter().for_each(|round| self.round(round));
            }
            T::GameScheduled(e) => self.pairing(e.pairing),
            T::NoticeGiven(e) => {
                self.players(&e.to);
                e.round.into_iter().for_each(|round| self.round(round));
                e.pairing.into_iter().for_each(|pairing| self.pairing(pairing));
            }
            T::HardwareDeclared(e) => self.player(&e.player),
            T::MachinesAssigned(e) => {
                self.round(e.round);
                self.players(e.machines.iter().map(|machine| &machine.player));
            }
            T::AccountGiven(e) => self.player(&e.player),
            T::AccountWithdrawn(e) => self.player(&e.player),
            T::ProgramPublished(e) => self.player(&e.player),
            T::ProgramSubmitted(e) => self.player(&e.player),
            T::ProgramTested(e) => self.player(&e.player),
            T::ProgramUpdated(e) => {
                self.player(&e.player);
                self.evidence(&e.evidence);
            }
            T::ProgramSubstituted(e) => self.players([&e.player, &e.stand_in]),
            T::BenchmarksDeclared(e) => self.players(e.stable.iter().map(|b| &b.player)),
            T::QualifyingGamePlayed(e) => {
                self.players([&e.player, &e.benchmark]);
                self.game(e.game.as_ref());
            }
            T::Qualified(e) => self.players(e.order.iter().map(|place| &place.player)),
            T::Invited(e) => self.players([&e.player].into_iter().chain(&e.replaces)),
            T::InvitationLapsed(e) => self.player(&e.player),
            T::Disqualified(e) => self.player(&e.player),
            T::LotsDrawn(e) => {
                self.round(e.round);
                self.players(e.lots.iter().map(|lot| &lot.player));
            }
            T::RoundPaired(e) => {
                self.round(e.round);
                for pair in &e.pairs {
                    self.pairing(BoardId { round: e.round, board: pair.board });
                    self.players([&pair.upper, &pair.lower]);
                }
                self.players(e.byes.iter().map(|bye| &bye.player));
                self.players(e.order.iter().map(|place| &place.player));
            }
            T::PairingRevoked(e) => match e.board {
                Some(board) => self.pairing(BoardId { round: e.round, board }),
                None => self.round(e.round),
            },
            T::ColourDrawn(e) => {
                self.pairing(e.pairing);
                self.player(&e.gold);
            }
            T::ColourChosen(e) => {
                self.pairing(e.pairing);
                self.player(&e.player);
            }
            T::RoundStarted(e) => {
                self.round(e.round);
                e.pairing.into_iter().for_each(|pairing| self.pairing(pairing));
                self.game(e.game.as_ref());
                self.players(e.programs.iter().map(|program| &program.player));
            }
            T::GameAttached(e) => {
                self.pairing(e.pairing);
                self.game(Some(&e.game));
            }
            T::ResultRecorded(e) => {
                self.pairing(e.pairing);
                self.game(e.game.as_ref());
            }
            T::ForfeitClaimed(e) => {
                self.pairing(e.pairing);
                self.player(&e.claimant);
            }
            T::DisputeFiled(e) => {
                self.players([&e.by].into_iter().chain(&e.against));
                e.pairing.into_iter().for_each(|pairing| self.pairing(pairing));
                self.evidence(&e.evidence);
            }
            T::RulingGiven(e) => {
                self.effect(&e.effect);
                self.evidence(&e.evidence);
            }
            T::AppealFiled(e) => {
                self.player(&e.by);
                e.pairing.into_iter().for_each(|pairing| self.pairing(pairing));
                self.evidence(&e.evidence);
            }
            T::AppealDecided(e) => self.player(&e.by),
            T::TablePublished(e) => self.players(e.rows.iter().map(|row| &row.player)),
            T::PrizeAwarded(e) => self.player(&e.player),
            T::PrizeForfeited(e) => self.player(&e.player),
            T::PrizeReturned(e) => self.player(&e.player),
            T::Closed(e) => self.players(e.places.iter().map(|place| &place.player)),
        }
    }

    fn effect(&mut self, effect: &'e Effect) {
        match effect {
            Effect::Halt { pairing, game, .. }
            | Effect::Invalidate { pairing, game, .. }
            | Effect::SetRated { pairing, game, .. } => {
                self.pairing(*pairing);
                self.game(game.as_ref());
            }
            Effect::Rematch { pairing, .. }
            | Effect::SetResult { pairing, .. }
            | Effect::Vacate { pairing }
            | Effect::SetTerritory { pairing, .. } => self.pairing(*pairing),
            Effect::SetColours { pairing, gold } => {
                self.pairing(*pairing);
                self.player(gold);
            }
            Effect::Remove { player } | Effect::Reinstate { player } => self.player(player),
            Effect::Place { players, .. } => self.players(players),
            Effect::Read { .. } | Effect::Nothing => {}
        }
    }
}
