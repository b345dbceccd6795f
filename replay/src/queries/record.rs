//! A player's record over all tournaments and by opponent; merged identities count as one.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::PlayerRegistered;
use annals_events::{GameKind, PlayerId, Side};
use annals_report::{Cell, Columns, Document, Table, ToDocument, counted};
use annals_store::Log;
use annals_tournaments::Tournament;
use annals_tournaments::crosstable::{CellGame, InRound};
use annals_tournaments::published::Derived;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::crosstable::way_of;
use super::error::QueryError;
use super::list::all;
use super::person::{Person, find};
use super::phase::Phase;
use super::set_aside::{self, RulingOnGame};
use super::standings::{self, StandingRow};
use super::tournament_at::TournamentAt;
use crate::cut::Cut;
use crate::error::ReplayError;
use crate::people::People;
use crate::read::people_at;
use crate::view::text::heading;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerRecord {
    pub cut: Cut,
    /// The representative.
    pub player: PlayerId,
    pub name: String,
    /// All that count as this player.
    pub identities: BTreeSet<PlayerId>,
    /// Under which the player was entered, the present one first.
    #[serde(skip)]
    pub names: Vec<String>,
    pub total: Tally,
    /// Games of qualifiers, which are in no tally.
    pub qualifier_games: usize,
    /// Games that a ruling halted or invalidated, which are in no tally.
    pub set_aside: Vec<RulingOnGame>,
    /// By date.
    pub tournaments: Vec<TournamentRecord>,
    /// Most games first.
    pub opponents: Vec<HeadToHead>,
}

/// By results in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub games: u32,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// Games with the first side, of those whose sides are known; none if they are known of no game.
    pub with_gold: Option<u32>,
    /// Games whose sides are not known.
    #[serde(skip_serializing_if = "is_zero")]
    pub sides_unknown: u32,
    /// Without result.
    pub open: u32,
    /// From published totals: not recorded, with unknown sides.
    pub derived: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TournamentRecord {
    #[serde(skip)]
    pub game: GameKind,
    pub tournament: String,
    pub name: Option<String>,
    pub year: Option<i32>,
    /// The identity of the entry.
    pub entered_as: PlayerId,
    pub tally: Tally,
    /// Byes included.
    pub half_points: u32,
    pub rank: Option<u32>,
    /// If decided.
    pub place: Option<u32>,
    pub titles: Vec<String>,
    pub state: Phase,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeadToHead {
    /// The representative.
    pub opponent: PlayerId,
    pub name: String,
    pub tally: Tally,
    /// In which they met.
    pub tournaments: BTreeSet<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_zero(games: &u32) -> bool {
    *games == 0
}

impl Default for Tally {
    fn default() -> Tally {
        let (games, won, drawn, lost, sides_unknown, open, derived) = Default::default();
        Tally { games, won, drawn, lost, with_gold: Some(0), sides_unknown, open, derived }
    }
}

impl Tally {
    /// Counts the side of a game that is counted already.
    fn add_side(&mut self, side: Option<Side>) {
        match side {
            Some(side) => *self.with_gold.get_or_insert_default() += u32::from(side == Side::Gold),
            None => self.add_unknown_sides(1),
        }
    }

    fn add_unknown_sides(&mut self, games: u32) {
        self.sides_unknown = self.sides_unknown.saturating_add(games);
        if self.sides_unknown == self.games && games > 0 {
            self.with_gold = None;
        }
    }

    /// The games with the first side, in a sentence.
    fn side_words(&self, with_first: &str) -> String {
        match (self.with_gold, self.sides_unknown) {
            (None, _) => "sides not known".to_owned(),
            (Some(games), 0) => format!("{games} with {with_first}"),
            (Some(games), unknown) => format!("{games} with {with_first} (sides of {unknown} not known)"),
        }
    }

    /// Adds games from published totals.
    fn add_derived(&mut self, won: u32, lost: u32) {
        for count in [&mut self.games, &mut self.derived] {
            *count = count.saturating_add(won).saturating_add(lost);
        }
        self.add_unknown_sides(won.saturating_add(lost));
        self.won = self.won.saturating_add(won);
        self.lost = self.lost.saturating_add(lost);
    }

    fn take(&mut self, game: &CellGame) {
        if game.outcome.is_none() {
            self.open += 1;
            return;
        }
        self.games += 1;
        self.add_side(game.side);
        match game.half_points {
            None => {}
            Some(2) => self.won += 1,
            Some(1) => self.drawn += 1,
            Some(_) => self.lost += 1,
        }
    }
}

/// The names in lower case by which [`ask`] finds a player at a cut, so that many other names can be refused without reading the log.
///
/// # Errors
/// If the log cannot be read.
pub fn names(log: &Log, cut: &Cut) -> Result<BTreeSet<String>, QueryError> {
    let (people, tournaments) = (people_at(log, cut)?, all(log, cut)?);
    let known = known(&people, &tournaments);
    let names = known.flat_map(|(_, player, shown)| [player.as_str().to_lowercase(), shown.to_lowercase()]);
    Ok(names.chain(people.alias_names().map(str::to_lowercase)).collect())
}

/// All players of people and of entries by their names, merged identities as one.
///
/// # Errors
/// If the log cannot be read.
pub fn players(log: &Log, cut: &Cut) -> Result<Vec<Person>, QueryError> {
    let (people, tournaments) = (people_at(log, cut)?, all(log, cut)?);
    let mut names: BTreeMap<PlayerId, String> = BTreeMap::new();
    for (player, _, shown) in known(&people, &tournaments) {
        let name = people.identity(&player).map_or(shown, |identity| identity.name.clone());
        names.insert(player, name);
    }
    let mut players: Vec<Person> = names.into_iter().map(|(player, name)| Person { player, name }).collect();
    players.sort_by_cached_key(|person| (person.name.to_lowercase(), person.player.clone()));
    Ok(players)
}

/// The entries of tournaments by identity, in the order of the tournaments: what is known of a player without an event of people.
///
/// # Errors
/// If the log cannot be read.
pub(crate) fn entrants(log: &Log) -> Result<BTreeMap<PlayerId, PlayerRegistered>, ReplayError> {
    let mut entrants = BTreeMap::new();
    for opened in all(log, &Cut::NOW)? {
        let registered = opened.tournament().entrants.iter();
        entrants.extend(registered.map(|(player, entrant)| (player.clone(), entrant.entry.fact.clone())));
    }
    Ok(entrants)
}

/// The player is given by identity, or by a name of people or entries, ignoring case.
///
/// # Errors
/// If the log cannot be read, or the name is unknown or ambiguous.
pub fn ask(log: &Log, name: &str, cut: &Cut) -> Result<PlayerRecord, QueryError> {
    of_found(log, cut, |people, tournaments| identity_of(people, tournaments, name))
}

/// The player of a name of people or entries, in this case if there is one. An identity that is written as the name is of no
/// interest.
///
/// # Errors
/// If the log cannot be read, or the name is unknown or ambiguous.
pub fn named(log: &Log, name: &str, cut: &Cut) -> Result<PlayerRecord, QueryError> {
    of_found(log, cut, |people, tournaments| of_name(people, tournaments, name))
}

fn of_found(
    log: &Log,
    cut: &Cut,
    found: impl FnOnce(&People, &[TournamentAt<'_>]) -> Result<PlayerId, QueryError>,
) -> Result<PlayerRecord, QueryError> {
    let people = people_at(log, cut)?;
    let tournaments = all(log, cut)?;
    let player = found(&people, &tournaments)?;
    let identities = people.accounts_of(&player);
    let mut opponents: BTreeMap<PlayerId, HeadToHead> = BTreeMap::new();
    let mut records = Vec::new();
    let mut total = Tally::default();
    let (mut qualifier_games, mut set_aside) = (0, Vec::new());
    for opened in &tournaments {
        let tournament = opened.tournament();
        let qualifying = tournament.qualifying_games.iter();
        qualifier_games += qualifying.filter(|game| identities.contains(&game.player)).count();
        set_aside.extend(set_aside::of_tournament(opened).filter(|ruling| {
            let round = tournament.rounds.get(&ruling.pairing.round);
            let board = round.and_then(|round| round.boards.get(&ruling.pairing.board));
            board
                .is_some_and(|board| identities.contains(board.upper()) || identities.contains(board.lower()))
        }));
        for identity in identities.iter().filter(|identity| tournament.entrants.contains_key(*identity)) {
            let mut tally = Tally::default();
            for (_, had) in way_of(tournament, identity) {
                let InRound::Game { opponent, game } = had else { continue };
                let against = against(&mut opponents, &people, opened, &opponent);
                for tally in [&mut tally, against, &mut total] {
                    tally.take(&game);
                }
            }
            let standing = standings::ask(opened).rows.into_iter().find(|row| row.player == *identity);
            if let Some(row) = standing.as_ref().filter(|row| row.derived) {
                tally.add_derived(row.won, row.lost);
                total.add_derived(row.won, row.lost);
            }
            for (opponent, won, lost) in derived_games(tournament, identity) {
                against(&mut opponents, &people, opened, &opponent).add_derived(won, lost);
            }
            records.push(record_of(opened, identity, tally, standing));
        }
    }
    let name = people.identity(&player).map(|identity| identity.name.clone());
    let name = name.or_else(|| {
        let entry = tournaments.iter().rev().find_map(|opened| opened.tournament().entrants.get(&player));
        entry.map(|entrant| entrant.name.clone())
    });
    let name = name.unwrap_or_else(|| player.to_string());
    let mut names = vec![name.clone()];
    for entrant in tournaments.iter().flat_map(|opened| {
        identities.iter().filter_map(|identity| opened.tournament().entrants.get(identity))
    }) {
        for name in [&entrant.name, &entrant.entry.fact.name] {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let mut opponents: Vec<HeadToHead> = opponents.into_values().collect();
    opponents.sort_by(|a, b| b.tally.games.cmp(&a.tally.games).then_with(|| a.opponent.cmp(&b.opponent)));
    Ok(PlayerRecord {
        cut: *cut,
        name,
        player,
        identities,
        names,
        total,
        qualifier_games,
        set_aside,
        tournaments: records,
        opponents,
    })
}

fn against<'o>(
    opponents: &'o mut BTreeMap<PlayerId, HeadToHead>,
    people: &People,
    opened: &TournamentAt<'_>,
    opponent: &PlayerId,
) -> &'o mut Tally {
    let standing = people.who(opponent).clone();
    let entry = opponents.entry(standing.clone()).or_insert_with(|| HeadToHead {
        name: name_of(people, opened, opponent),
        opponent: standing,
        tally: Tally::default(),
        tournaments: BTreeSet::new(),
    });
    entry.tournaments.insert(opened.stream.name().to_owned());
    &mut entry.tally
}

/// Wins and losses against each other player, if published totals allow one crosstable only, and games cannot be drawn.
fn derived_games(tournament: &Tournament, player: &PlayerId) -> Vec<(PlayerId, u32, u32)> {
    let Some(Derived { players, crosstables, whole_points: true, .. }) = tournament.derived() else {
        return Vec::new();
    };
    let (Some([scores]), Some(at)) = (crosstables.as_deref(), players.iter().position(|one| one == player))
    else {
        return Vec::new();
    };
    let won = |one: usize, other: usize| scores.get(one).and_then(|row| row.get(other)).map(|half| half / 2);
    let others = players.iter().enumerate().filter(|(against, _)| *against != at);
    others
        .filter_map(|(against, other)| Some((other.clone(), won(at, against)?, won(against, at)?)))
        .collect()
}

fn record_of(
    opened: &TournamentAt<'_>,
    identity: &PlayerId,
    tally: Tally,
    standing: Option<StandingRow>,
) -> TournamentRecord {
    let tournament = opened.tournament();
    let announced = tournament.announced.as_ref();
    let placings = tournament.closed.iter().flat_map(|closed| &closed.places);
    TournamentRecord {
        game: opened.game(),
        tournament: opened.stream.name().to_owned(),
        name: announced.map(|announced| announced.name.clone()),
        year: announced.and_then(|announced| announced.year),
        entered_as: identity.clone(),
        tally,
        half_points: standing.as_ref().map_or(0, |row| row.half_points),
        rank: standing.as_ref().map(|row| row.rank),
        place: standing.and_then(|row| row.place),
        titles: placings
            .filter(|placing| placing.player == *identity)
            .flat_map(|placing| placing.titles.clone())
            .collect(),
        state: Phase::of(tournament),
    }
}

fn name_of(people: &People, opened: &TournamentAt<'_>, player: &PlayerId) -> String {
    let known = people.identity(player).map(|identity| identity.name.clone());
    known.unwrap_or_else(|| opened.person(player).name)
}

/// Where names are looked for.
const PLACE: &str = "by the tournaments and identities of the log at that point";

fn of_name(people: &People, tournaments: &[TournamentAt<'_>], name: &str) -> Result<PlayerId, QueryError> {
    let wanted = name.to_lowercase();
    let having = |is: &dyn Fn(&str) -> bool| -> BTreeSet<PlayerId> {
        let found = known(people, tournaments).filter(|(_, _, shown)| is(shown));
        found.map(|(player, ..)| player).collect()
    };
    let exact = having(&|shown| shown == name);
    let found = if exact.is_empty() { having(&|shown| shown.to_lowercase() == wanted) } else { exact };
    let unknown = || QueryError::NoSuchPlayer {
        name: name.to_owned(),
        place: PLACE.to_owned(),
        known: having(&|_| true).iter().map(ToString::to_string).collect(),
    };
    if found.len() > 1 {
        let players = found.iter().map(ToString::to_string).collect();
        return Err(QueryError::SeveralPlayers { name: name.to_owned(), players });
    }
    let one = found.into_iter().next().map(Ok);
    one.or_else(|| behind_alias(people, name)).unwrap_or_else(|| Err(unknown()))
}

fn identity_of(
    people: &People,
    tournaments: &[TournamentAt<'_>],
    name: &str,
) -> Result<PlayerId, QueryError> {
    match find(name, PLACE, known(people, tournaments)) {
        Err(unknown @ QueryError::NoSuchPlayer { .. }) => behind_alias(people, name).unwrap_or(Err(unknown)),
        found => found,
    }
}

/// The player that each identity counts as, the identity, and its name.
fn known<'p>(
    people: &'p People,
    tournaments: &'p [TournamentAt<'_>],
) -> impl Iterator<Item = (PlayerId, PlayerId, String)> + 'p {
    let accounts = people.identities().flat_map(|identity| {
        let accounts = people.accounts_of(&identity.player).into_iter();
        accounts.map(|account| (account, identity.name.clone()))
    });
    let entrants = tournaments.iter().flat_map(|opened| &opened.tournament().entrants);
    let entrants = entrants.map(|(player, entrant)| (player.clone(), entrant.name.clone()));
    accounts.chain(entrants).map(|(player, shown)| (people.who(&player).clone(), player, shown))
}

/// The player who has a name as a declared alias, at any place.
fn behind_alias(people: &People, name: &str) -> Option<Result<PlayerId, QueryError>> {
    let found = people.named_by_alias(name);
    let one = found.first().map(|player| (*player).clone())?;
    let players = found.iter().map(ToString::to_string).collect();
    Some(if found.len() == 1 {
        Ok(one)
    } else {
        Err(QueryError::SeveralPlayers { name: name.to_owned(), players })
    })
}

impl PlayerRecord {
    /// The name of the first side in the games played: `Gold`, `White`, or both.
    fn with_first(&self) -> String {
        let kinds: BTreeSet<GameKind> = self.tournaments.iter().map(|line| line.game).collect();
        if kinds.is_empty() {
            return Side::Gold.name_in(GameKind::Arimaa).to_owned();
        }
        kinds.into_iter().map(|kind| Side::Gold.name_in(kind)).collect::<Vec<_>>().join(" or ")
    }
}

fn set_aside_line(ruling: &RulingOnGame) -> String {
    let RulingOnGame { game, tournament, ruling: number, effect, reason, .. } = ruling;
    format!("{game}: {effect} by ruling {number} of {tournament}: {reason}")
}

/// Adds a tally's columns; `first` is that of games with the first side.
fn with_tally<T>(table: Columns<T>, first: &str, tally: impl Fn(&T) -> &Tally) -> Columns<T> {
    table
        .column("Games", |line| Cell::count(tally(line).games))
        .column("Won", |line| Cell::count(tally(line).won))
        .column("Drawn", |line| Cell::count(tally(line).drawn))
        .column("Lost", |line| Cell::count(tally(line).lost))
        .column(first, |line| Cell::number(tally(line).with_gold))
        .column("Derived", |line| Cell::number(Some(tally(line).derived).filter(|games| *games > 0)))
}

impl ToDocument for PlayerRecord {
    fn document(&self, zone: &TimeZone) -> Document {
        let what = format!("{} ({}): record", self.name, self.player);
        let others = self.identities.iter().filter(|identity| **identity != self.player);
        let total = &self.total;
        let open = if total.open > 0 { format!(", {} to come", total.open) } else { String::new() };
        let derived = match total.derived {
            0 => String::new(),
            games => format!("; {games} of them are derived from published totals"),
        };
        let with_first = self.with_first();
        let qualifiers = match self.qualifier_games {
            0 => String::new(),
            games => format!("; {} of a qualifier not counted", counted(games as u64, "game")),
        };
        let words = format!(
            "{} games, +{} ={} -{}, {}{open}{derived}{qualifiers}",
            total.games,
            total.won,
            total.drawn,
            total.lost,
            total.side_words(&with_first)
        );
        let in_head = format!("With {with_first}");
        let played = with_tally(
            Table::of("Tournaments", &self.tournaments)
                .column("Year", |line| Cell::number(line.year))
                .column("Tournament", |line| Cell::text(&line.tournament))
                .column("Name", |line| Cell::some(line.name.as_ref()))
                .column("As", |line| {
                    Cell::some(Some(&line.entered_as).filter(|player| **player != self.player))
                }),
            &in_head,
            |line| &line.tally,
        )
        .column("Points", |line| Cell::Points(line.half_points))
        .column("Rank", |line| Cell::number(line.rank))
        .column("Place", |line| Cell::number(line.place))
        .column("Titles", |line| Cell::join(&line.titles, "; "))
        .table();
        let against = with_tally(
            Table::of("Opponents", &self.opponents)
                .column("Opponent", |line| Cell::named(&line.name, &line.opponent)),
            &in_head,
            |line| &line.tally,
        )
        .column("Tournaments", |line| Cell::join(&line.tournaments, ", "))
        .table();
        Document::new(heading(&what, &self.cut, zone))
            .facts(vec![("Also", Cell::join(others, ", ")), ("In all", Cell::Text(words))])
            .table(played)
            .table(against)
            .lines("Set aside by rulings, in no count", self.set_aside.iter().map(set_aside_line).collect())
    }

    fn table(&self) -> Table {
        with_tally(
            Table::of("", &self.opponents)
                .column("Opponent", |line| Cell::text(&line.opponent))
                .column("Name", |line| Cell::text(&line.name)),
            "With Gold",
            |line| &line.tally,
        )
        .column("Open", |line| Cell::count(line.tally.open))
        .column("Tournaments", |line| Cell::join(&line.tournaments, " "))
        .table()
        .for_programs()
    }
}
