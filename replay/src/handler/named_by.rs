//! What the parts of a request name, for the hints of its refusal.

use annals_events::{BoardId, Event, PlayerId, Subject, names};
use annals_tournaments::commands::Command;

use super::direct::Step;
use super::session::DirectorSession;

/// The only pairing and the only player of a request.
#[derive(Debug, Default)]
pub struct NamedBy {
    pub pairing: Option<BoardId>,
    pub player: Option<PlayerId>,
    /// The event that recorded the result of the pairing.
    pub result: Option<u64>,
}

impl DirectorSession {
    /// What the parts of a request name.
    #[must_use]
    pub fn named_by(&self, steps: &[Step]) -> NamedBy {
        let (mut pairings, mut players) = (Vec::new(), Vec::new());
        for step in steps {
            match step {
                Step::Request(command) => self.of_command(command, &mut pairings, &mut players),
                Step::Event(_) => {}
            }
        }
        pairings.dedup();
        players.dedup();
        let pairing = <[BoardId; 1]>::try_from(pairings).ok().map(|[one]| one);
        let player = <[PlayerId; 1]>::try_from(players).ok().map(|[one]| one);
        let result = pairing.and_then(|pairing| Some(self.state().ok()?.board(pairing)?.result()?.seq));
        NamedBy { pairing, player, result }
    }

    fn of_command(&self, command: &Command, pairings: &mut Vec<BoardId>, players: &mut Vec<PlayerId>) {
        match command {
            Command::Record(event) => {
                let event: Event<'static> = (**event).clone().into();
                for subject in names(&self.stream, &event) {
                    match subject {
                        Subject::Pairing { pairing, .. } => pairings.push(pairing),
                        Subject::Player(player) => players.extend(player.parse::<PlayerId>()),
                        _ => {}
                    }
                }
            }
            Command::Start { pairing, .. }
            | Command::Result { pairing, .. }
            | Command::Forfeit { pairing, .. }
            | Command::Schedule { pairing, .. } => pairings.push(*pairing),
            Command::ChooseColour { pairing, player, .. } => {
                pairings.push(*pairing);
                players.push(player.clone());
            }
            Command::Disqualify { player, .. } | Command::ReturnPrize { player, .. } => {
                players.push(player.clone())
            }
            _ => {}
        }
    }
}
