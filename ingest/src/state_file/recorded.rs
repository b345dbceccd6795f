//! A recorded tournament as a state file, with the results in force. Remarks list what the file cannot express.

mod losses;
mod names;
mod seeds;
mod unsaid;

use std::collections::BTreeSet;

use annals_events::tournament::{Bye, Effect, Outcome, Pair, RoundPaired};
use annals_events::{BoardId, GameKind, Micros, PlayerId, Side, TournamentEvent};
use annals_tournaments::{Board, Tournament};

use self::names::Names;
use super::{ByeWord, GameResult, StateFile, Statement, won_bye};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToState {
    pub file: StateFile,
    /// What the file does not express.
    pub remarks: Vec<String>,
}

/// Converts a tournament by event.
#[derive(Debug, Clone, Default)]
pub struct Recorded {
    tournament: Tournament,
    /// Above the first round.
    head: Vec<EntryLine>,
    rounds: Vec<Block>,
    remarks: Vec<String>,
    /// What no line expresses, in event order.
    unsaid: Vec<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct EntryLine {
    seq: u64,
    player: PlayerId,
    says: EntryChange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryChange {
    Enters,
    Leaves,
    Returns,
}

#[derive(Debug, Clone, Default)]
struct Block {
    number: u32,
    /// Of its last pairing.
    inferred: bool,
    games: Vec<Game>,
    byes: Vec<Bye>,
    /// Of a revoked pairing.
    former_byes: Vec<Bye>,
    /// Player lines with the number of games above.
    lines: Vec<(usize, EntryLine)>,
    /// Completely revoked and not paired again.
    revoked: bool,
}

#[derive(Debug, Clone)]
struct Game {
    pair: Pair,
    /// In the round's last pairing.
    board: Option<u32>,
    /// Revoked individually; completely revoked pairings count as never published.
    taken_back: bool,
    /// One of the two had the bye in the pairing from which it was revoked.
    with_bye: bool,
    /// The first deciding event.
    decided: Option<u64>,
}

/// The state file of a tournament, from its events with positions and times.
pub fn recorded<'e>(events: impl IntoIterator<Item = (u64, Micros, &'e TournamentEvent)>) -> ToState {
    let mut recorded = Recorded::default();
    events.into_iter().for_each(|(seq, at, event)| recorded.take(seq, at, event));
    recorded.write()
}

impl Recorded {
    fn take(&mut self, seq: u64, at: Micros, event: &TournamentEvent) {
        use TournamentEvent as E;
        let about_players = matches!(
            event,
            E::PlayerWithdrawn(_)
                | E::PlayerReinstated(_)
                | E::Disqualified(_)
                | E::InvitationLapsed(_)
                | E::RulingGiven(_)
        );
        let before = about_players.then(|| self.out());
        match event {
            E::PlayerRegistered(entry) if !self.tournament.entrants.contains_key(&entry.player) => {
                self.line(seq, &entry.player, EntryChange::Enters);
            }
            E::RoundPaired(paired) => self.paired(paired),
            E::PairingRevoked(revoked) => self.revoked(revoked.round, revoked.board),
            E::ResultRecorded(result) => self.decided(seq, result.pairing),
            E::RulingGiven(ruling) => {
                if let Effect::SetResult { pairing, .. } | Effect::Vacate { pairing } = &ruling.effect {
                    self.decided(seq, *pairing);
                }
            }
            _ => {}
        }
        for kind in unsaid::by(event) {
            if !self.unsaid.contains(&kind) {
                self.unsaid.push(kind);
            }
        }
        self.tournament.evolve(seq, at, event);
        let Some(before) = before else { return };
        let after = self.out();
        for player in before.symmetric_difference(&after) {
            let says = if after.contains(player) { EntryChange::Leaves } else { EntryChange::Returns };
            self.line(seq, player, says);
        }
    }

    fn out(&self) -> BTreeSet<PlayerId> {
        let out = self.tournament.entrants.iter().filter(|(_, entrant)| !entrant.is_in());
        out.map(|(player, _)| player.clone()).collect()
    }

    /// Adds a player line below the last decided game.
    fn line(&mut self, seq: u64, player: &PlayerId, says: EntryChange) {
        let line = EntryLine { seq, player: player.clone(), says };
        match self.rounds.last_mut() {
            None => self.head.push(line),
            Some(block) => {
                let last = block.games.iter().rposition(|game| game.decided.is_some());
                block.lines.push((last.map_or(0, |last| last + 1), line));
            }
        }
    }

    fn paired(&mut self, paired: &RoundPaired) {
        let number = paired.round;
        if paired.pairs.is_empty() && paired.byes.is_empty() {
            self.remarks.push(format!("round {number} was paired without players, and is left out"));
            return;
        }
        let goes_on = |block: &Block| {
            block.number == number && (block.revoked || self.tournament.rounds.contains_key(&number))
        };
        if !self.rounds.last().is_some_and(goes_on) {
            // A former round of this number was vacated by rulings.
            let before = self.rounds.iter_mut().filter(|block| block.number == number);
            before.flat_map(|block| &mut block.games).for_each(Game::take_back);
            self.rounds.push(Block { number, revoked: true, ..Block::default() });
        }
        let Some(block) = self.rounds.last_mut() else { return };
        if !std::mem::replace(&mut block.revoked, false) {
            self.remarks.push(format!("the pairings of round {number} are written as one"));
        }
        block.inferred = paired.inferred;
        block.byes.extend(paired.byes.iter().cloned());
        for bye in std::mem::take(&mut block.former_byes) {
            if !block.byes.contains(&bye) {
                let what =
                    format!("`{}` had the bye in a pairing of round {number} that was revoked", bye.player);
                self.remarks.push(what);
            }
        }
        let mut at = 0;
        for pair in &paired.pairs {
            let again = |game: &Game| game.board.is_none() && !game.taken_back && game.is_of(pair);
            match block.games.iter().skip(at).position(again) {
                Some(further) => at += further,
                None => {
                    at += block.games.iter().skip(at).take_while(|game| game.taken_back).count();
                    block.games.insert(at, Game::of(pair));
                }
            }
            if let Some(game) = block.games.get_mut(at) {
                game.board = Some(pair.board);
            }
            at += 1;
        }
    }

    fn revoked(&mut self, round: u32, board: Option<u32>) {
        let Some(block) = self.rounds.iter_mut().rev().find(|block| block.number == round) else { return };
        let Block { games, byes, .. } = &mut *block;
        for game in games.iter_mut().filter(|game| game.board.is_some()) {
            match board {
                None => game.board = None,
                Some(_) if game.board == board => {
                    game.take_back();
                    game.with_bye = byes.iter().any(|bye| game.has(&bye.player));
                }
                Some(_) => {}
            }
        }
        let empty = block.byes.is_empty() && block.games.iter().all(|game| game.board.is_none());
        if board.is_none() || empty {
            block.revoked = true;
            block.former_byes = std::mem::take(&mut block.byes);
        }
    }

    fn decided(&mut self, seq: u64, pairing: BoardId) {
        let block = self.rounds.iter_mut().rev().find(|block| block.number == pairing.round);
        let games = block.into_iter().flat_map(|block| &mut block.games);
        if let Some(game) = games.into_iter().find(|game| game.board == Some(pairing.board)) {
            game.decided.get_or_insert(seq);
        }
    }

    fn write(mut self) -> ToState {
        self.leave_out_what_was_never_paired();
        self.leave_out_who_did_not_reach_the_final();
        let early = self.enter_before_they_play();
        let mut writer = Writer {
            names: Names::of(&self.tournament, &early, &mut self.remarks),
            seeds: seeds::seeds(&self.tournament, &mut self.remarks),
            tournament: &self.tournament,
            file: StateFile::default(),
            remarks: self.remarks,
        };
        for player in &early {
            writer.line(player, EntryChange::Enters);
        }
        for line in &self.head {
            writer.line(&line.player, line.says);
        }
        for (number, block) in (1..).zip(&self.rounds) {
            writer.round(number, block);
        }
        losses::add(&self.tournament, &self.unsaid, &mut writer.remarks);
        ToState { file: writer.file, remarks: writer.remarks }
    }

    /// Removes completely revoked pairings; player lines keep their relative positions.
    fn leave_out_what_was_never_paired(&mut self) {
        let mut kept: Vec<Block> = Vec::new();
        for mut block in std::mem::take(&mut self.rounds) {
            for (above, _) in &mut block.lines {
                *above = block.games.iter().take(*above).filter(|game| game.is_written()).count();
            }
            block.games.retain(Game::is_written);
            if !block.games.is_empty() || !block.byes.is_empty() {
                kept.push(block);
                continue;
            }
            let lines = block.lines.into_iter().map(|(_, line)| line);
            match kept.last_mut() {
                None => self.head.extend(lines),
                Some(last) => last.lines.extend(lines.map(|line| (last.games.len(), line))),
            }
        }
        self.rounds = kept;
    }

    /// The file is that of the final: its players are seeded in file order, so that entrants of the qualifier who neither
    /// have a seed there nor play would be read as part of the field.
    fn leave_out_who_did_not_reach_the_final(&mut self) {
        if self.tournament.qualified.is_empty() || self.rounds.is_empty() {
            return;
        }
        let seeds = self.tournament.seeds();
        let plays = |id: &PlayerId| self.rounds.iter().any(|block| block.has(id));
        // Who enters after a round of the final has begun is added to it.
        let early = self.head.iter().map(|line| &line.player);
        let out: BTreeSet<PlayerId> =
            early.filter(|id| !seeds.contains_key(id) && !plays(id)).cloned().collect();
        self.head.retain(|line| !out.contains(&line.player));
        for block in &mut self.rounds {
            block.lines.retain(|(_, line)| !out.contains(&line.player));
        }
        if !out.is_empty() {
            let names: Vec<String> = out.iter().map(ToString::to_string).collect();
            self.remarks.push(format!(
                "who entered and did not reach the final is not written: {}",
                names.join(", ")
            ));
        }
    }

    /// Players who play before entering, or without entry: they are entered above.
    fn enter_before_they_play(&mut self) -> Vec<PlayerId> {
        let enters = |line: &EntryLine| (line.says == EntryChange::Enters).then(|| line.player.clone());
        let mut entered: BTreeSet<PlayerId> = self.head.iter().filter_map(enters).collect();
        let mut early = Vec::new();
        for block in &mut self.rounds {
            let pairs = block.games.iter().flat_map(|game| [&game.pair.upper, &game.pair.lower]);
            for player in pairs.chain(block.byes.iter().map(|bye| &bye.player)) {
                if entered.insert(player.clone()) {
                    early.push(player.clone());
                }
            }
            block
                .lines
                .retain(|(_, line)| line.says != EntryChange::Enters || entered.insert(line.player.clone()));
        }
        for player in &early {
            let when =
                if self.tournament.entrants.contains_key(player) { "entered later" } else { "never entered" };
            self.remarks.push(format!("`{player}` plays and {when}, and is entered at the top"));
        }
        early
    }
}

impl Block {
    fn has(&self, player: &PlayerId) -> bool {
        self.games.iter().any(|game| game.has(player)) || self.byes.iter().any(|bye| bye.player == *player)
    }
}

impl Game {
    fn of(pair: &Pair) -> Game {
        Game { pair: pair.clone(), board: None, taken_back: false, with_bye: false, decided: None }
    }

    fn is_written(&self) -> bool {
        self.board.is_some() || self.taken_back
    }

    fn has(&self, player: &PlayerId) -> bool {
        [&self.pair.upper, &self.pair.lower].contains(&player)
    }

    fn take_back(&mut self) {
        (self.board, self.taken_back) = (None, true);
    }

    /// Same players and colours.
    fn is_of(&self, pair: &Pair) -> bool {
        let players = (&self.pair.upper, &self.pair.lower, self.pair.upper_side);
        players == (&pair.upper, &pair.lower, pair.upper_side)
    }
}

struct Writer<'t> {
    tournament: &'t Tournament,
    names: Names,
    seeds: seeds::Seeds,
    file: StateFile,
    remarks: Vec<String>,
}

impl<'t> Writer<'t> {
    fn line(&mut self, player: &PlayerId, says: EntryChange) {
        let name = self.names.get(player);
        self.file.say(match says {
            EntryChange::Enters => {
                Statement::Player { seed: self.seeds.get(player, &name, &mut self.remarks), name }
            }
            EntryChange::Leaves => Statement::Remove(name),
            EntryChange::Returns => Statement::Add(name),
        });
    }

    fn round(&mut self, written: u32, block: &Block) {
        let number = block.number;
        if written != number {
            self.remarks.push(format!("round {number} is written as round {written}"));
        }
        self.file.say(Statement::Round { number: written, inferred: block.inferred });
        // A line above the first game or bye would precede the pairing.
        let at_once = block.lines.iter().any(|(above, _)| *above == 0);
        let decided = block.games.first().is_none_or(|game| game.decided.is_some());
        let mut byes = block.byes.iter();
        let first = byes.as_slice().first().filter(|_| at_once && decided);
        byes.by_ref().take(usize::from(first.is_some())).for_each(|bye| self.bye(bye));
        let least = usize::from(first.is_none());
        for (at, game) in block.games.iter().enumerate() {
            self.lines(block, least, |below| below == at);
            // A bye below a vacated game would belong to another pairing.
            let vacated = if game.taken_back { game.with_bye } else { self.in_force(number, game).is_none() };
            let before = byes.as_slice().iter().rposition(|bye| vacated && game.has(&bye.player));
            byes.by_ref().take(before.map_or(0, |last| last + 1)).for_each(|bye| self.bye(bye));
            self.game(number, game);
        }
        self.lines(block, least, |below| below >= block.games.len());
        byes.for_each(|bye| self.bye(bye));
    }

    /// A game's board in the pairing in force.
    fn in_force(&self, round: u32, game: &Game) -> Option<&'t Board> {
        self.tournament.rounds.get(&round)?.boards.get(&game.board?)
    }

    /// The player lines of a round below `least` or more games.
    fn lines(&mut self, block: &Block, least: usize, here: impl Fn(usize) -> bool) {
        let below = |above: usize| above.max(least);
        for (above, line) in block.lines.iter().filter(|(above, _)| here(below(*above))) {
            let later = |game: &Game| game.decided.is_some_and(|decided| decided > line.seq);
            if block.games.iter().take(below(*above)).any(later) {
                let name = self.names.get(&line.player);
                let what = "stands below a result of that round that was recorded later";
                self.remarks.push(format!("round {}: the line on `{name}` {what}", block.number));
            }
            self.line(&line.player, line.says);
        }
    }

    fn game(&mut self, round: u32, game: &Game) {
        let pair = &game.pair;
        if pair.upper == pair.lower {
            self.remarks.push(format!("`{}` is paired with themselves, which is left out", pair.upper));
            return;
        }
        let in_force = self.in_force(round, game);
        let gold = match in_force {
            Some(board) => board.gold(),
            None => Some(pair.player(Side::Gold).unwrap_or(&pair.upper)),
        };
        if gold.is_none() {
            let what = "the colours are not decided, and the first of the two is written first";
            self.remarks.push(format!("r{round}.{}: {what}", pair.board));
        }
        let first = gold.unwrap_or(&pair.upper);
        let second = if *first == pair.upper { &pair.lower } else { &pair.upper };
        let (gold, silver) = (self.names.get(first), self.names.get(second));
        let result = match in_force {
            None => Some(GameResult::Vacated),
            Some(board) => board.outcome().map(|outcome| match outcome {
                Outcome::Gold if board.is_forfeit() => GameResult::Forfeit(gold.clone()),
                Outcome::Silver if board.is_forfeit() => GameResult::Forfeit(silver.clone()),
                Outcome::Gold => GameResult::Winner(gold.clone()),
                Outcome::Silver => GameResult::Winner(silver.clone()),
                Outcome::Draw => GameResult::Draw,
                Outcome::DoubleLoss => GameResult::DoubleLoss,
                Outcome::DoubleWin => GameResult::DoubleWin,
                Outcome::NoDecision => GameResult::NoDecision,
            }),
        };
        self.file.say(Statement::Game { gold, silver, result });
    }

    fn bye(&mut self, bye: &Bye) {
        let name = self.names.get(&bye.player);
        let kind = self.tournament.announced.as_ref().map_or(GameKind::Arimaa, |announced| announced.game);
        let word = match bye.half_points {
            None => None,
            Some(0) => Some(ByeWord::Loss),
            Some(worth) if worth == won_bye(kind) => Some(ByeWord::Win),
            Some(worth) => {
                let what = format!("the bye of `{name}` is worth {worth} half points, which has no word");
                self.remarks.push(what);
                None
            }
        };
        self.file.say(Statement::Bye { name, word });
    }
}
