//! The rows of the tables, from the folded state of one tournament.

use std::collections::BTreeMap;

use annals_events::tournament::{Effect, Pair};
use annals_events::{PlayerId, Side, TournamentId};
use annals_replay::queries::rulings::evidence_words;
use annals_tournaments::{Board, Entrant, Leaving, Money, Round, Tournament, fund};

use super::cells::Cell;
use crate::log_columns::{Column, Kind};

/// A table made from tournaments.
pub struct LogRows {
    pub name: &'static str,
    pub purpose: &'static str,
    pub order: &'static str,
    pub columns: &'static [Column],
    pub rows: fn(&TournamentId, &Tournament, &Actors) -> Vec<Vec<Cell>>,
}

/// The director of each ruling, by its event.
pub type Actors = BTreeMap<u64, String>;

const TOURNAMENT: Column = ("tournament", Kind::Text, "", "The tournament, as its stream is called.");
const ROUND: Column =
    ("round", Kind::Number, "", "Number of the round, through the whole tournament, from 1.");
const BOARD: Column = ("board", Kind::Number, "", "Board of the round, from 1.");

/// All of them, in the order of explanation.
pub const TABLES: &[LogRows] = &[
    LogRows {
        name: "tournaments",
        purpose: "One row for each tournament of the home's log.",
        order: "tournament",
        columns: &[
            TOURNAMENT,
            ("name", Kind::Text, "", "The name under which it was announced."),
            ("series", Kind::Text, "", "The series it belongs to."),
            ("year", Kind::Number, "", "The year that it bears."),
            ("rulebook", Kind::Text, "", "The rulebook by which it is played."),
            ("edition", Kind::Number, "", "The edition of that rulebook."),
            ("game", Kind::Text, "", "The game that is played."),
            ("entrants", Kind::Number, "", "How many entered."),
            ("rounds", Kind::Number, "", "How many rounds are paired."),
            (
                "fund",
                Kind::Number,
                "cents",
                "The prize fund: the announced sum plus income minus refunds, before prizes.",
            ),
            ("currency", Kind::Text, "", "The currency of all amounts."),
            ("first_at", Kind::Time, "UTC", "When its first event happened."),
            ("closed_at", Kind::Time, "UTC", "When it was closed; none while it goes on."),
            ("champion", Kind::Text, "", "Who has the first place at the close."),
        ],
        rows: tournaments,
    },
    LogRows {
        name: "registrations",
        purpose: "One row for each player who entered a tournament.",
        order: "tournament, number of the entry",
        columns: &[
            TOURNAMENT,
            ("player", Kind::Text, "", "The player."),
            ("name", Kind::Text, "", "The newest name of the player: that of the entry, or a later one."),
            ("kind", Kind::Text, "", "human or bot."),
            ("entry", Kind::Number, "", "Position in the order of entries, from 1."),
            ("entered_at", Kind::Time, "UTC", "When they entered."),
            ("rating", Kind::Number, "Elo points", "The rating last recorded in the tournament."),
            (
                "seed",
                Kind::Number,
                "",
                "The seed in the final; before its first round that in the order that led to it.",
            ),
            (
                "status",
                Kind::Text,
                "",
                "entered, invited, withdrawn, removed (by the director, or after a forfeit), lapsed (the invitation) or disqualified.",
            ),
            ("left_at", Kind::Time, "UTC", "When they left; none while they are in."),
            ("left_how", Kind::Text, "", "own, forfeit, removed, disqualified or lapsed."),
            ("developers", Kind::List, "", "The developers of a program."),
            ("country", Kind::Text, "", "Country code."),
            ("program", Kind::Text, "", "Digest of the program that would play now."),
        ],
        rows: registrations,
    },
    LogRows {
        name: "rounds",
        purpose: "One row for each round that stands paired.",
        order: "tournament, round",
        columns: &[
            TOURNAMENT,
            ROUND,
            ("stage", Kind::Text, "", "The stage that it belongs to."),
            ("paired_at", Kind::Time, "UTC", "When the pairing was published."),
            ("started_at", Kind::Time, "UTC", "When its first game began."),
            ("pairs", Kind::Number, "", "How many games it has."),
            ("byes", Kind::Number, "", "How many players have a bye in it."),
            ("over", Kind::Truth, "", "Whether every game of it has its result."),
            ("inferred", Kind::Truth, "", "Whether it was inferred from the dates of games."),
        ],
        rows: rounds,
    },
    LogRows {
        name: "pairings",
        purpose: "One row for each pair that stands, and one for each bye.",
        order: "tournament, round, board, then byes",
        columns: &[
            TOURNAMENT,
            ROUND,
            BOARD,
            ("bye", Kind::Truth, "", "Whether the row is a bye: then there is only `upper`, and no board."),
            ("upper", Kind::Text, "", "The player who stands higher in the order of the pairing."),
            ("lower", Kind::Text, "", "The other one."),
            ("gold", Kind::Text, "", "Who has Gold, once that is decided."),
            ("silver", Kind::Text, "", "Who has Silver."),
            ("colour_rule", Kind::Text, "", "The rule that gave the colours, as published."),
            ("colour_paragraph", Kind::Text, "", "Its paragraph."),
            ("encounter", Kind::Number, "", "The encounter that the game belongs to."),
            ("scheduled_at", Kind::Time, "UTC", "When the game is to be played."),
        ],
        rows: pairings,
    },
    LogRows {
        name: "results",
        purpose: "One row for each pair whose result stands.",
        order: "tournament, round, board",
        columns: &[
            TOURNAMENT,
            ROUND,
            BOARD,
            ("gold", Kind::Text, "", "Who had Gold."),
            ("silver", Kind::Text, "", "Who had Silver."),
            ("outcome", Kind::Text, "", "gold, silver, draw, double_loss, double_win or no_decision."),
            ("winner", Kind::Text, "", "Who won alone."),
            ("termination", Kind::Text, "", "How the game ended."),
            ("ruled", Kind::Truth, "", "Whether a ruling gave the result."),
            ("attempts", Kind::Number, "", "How many games of the pair were attached."),
            ("game", Kind::Text, "", "The last of them."),
            ("territory", Kind::Number, "squares", "The winner's territory, in the Amazons."),
            (
                "recorded",
                Kind::Number,
                "",
                "The event that recorded it (`seq`); none where a ruling gave it.",
            ),
        ],
        rows: results,
    },
    LogRows {
        name: "rulings",
        purpose: "One row for each ruling.",
        order: "tournament, number",
        columns: &[
            TOURNAMENT,
            ("number", Kind::Number, "", "Number of the ruling, from 1."),
            ("seq", Kind::Number, "", "The event that gave it."),
            ("actor", Kind::Text, "", "Who gave it."),
            ("given_at", Kind::Time, "UTC", "When it was given."),
            ("effect", Kind::Text, "", "What it does, in one word: halt, invalidate, set_result …"),
            ROUND,
            BOARD,
            (
                "game",
                Kind::Text,
                "",
                "The game on which it was given: one that it halts or invalidates does not count.",
            ),
            ("players", Kind::List, "", "The players whom it names."),
            ("reason", Kind::Text, "", "Why."),
            ("paragraphs", Kind::List, "", "The paragraphs that it rests on."),
            ("evidence", Kind::List, "", "Its evidence, each piece with its source."),
            ("dispute", Kind::Number, "", "The dispute that it decides."),
            ("superseded_by", Kind::Number, "", "The ruling that took its place."),
        ],
        rows: rulings,
    },
    LogRows {
        name: "ledger",
        purpose: "One row for each sum that came in or went out.",
        order: "tournament, seq",
        columns: &[
            TOURNAMENT,
            ("seq", Kind::Number, "", "The event."),
            ("at", Kind::Time, "UTC", "When."),
            (
                "kind",
                Kind::Text,
                "",
                "fee, contribution, penalty_paid, refund, prize, prize_forfeited or prize_returned.",
            ),
            ("party", Kind::Text, "", "Who paid, or was paid."),
            (
                "amount",
                Kind::Number,
                "cents",
                "How much: positive into the fund, negative out of it, 0 what stays in it.",
            ),
            ("currency", Kind::Text, "", "The currency."),
            ("thing", Kind::Text, "", "A prize that is not money: a certificate, a gift."),
        ],
        rows: ledger,
    },
];

fn tournaments(id: &TournamentId, tournament: &Tournament, _: &Actors) -> Vec<Vec<Cell>> {
    let announced = tournament.announced.as_ref();
    let champion = tournament.closed.as_ref().and_then(|closed| {
        closed.places.iter().find(|placing| placing.place == 1).map(|placing| placing.player.to_string())
    });
    vec![vec![
        Cell::text(id),
        announced.map(|a| a.name.clone()).into(),
        announced.and_then(|a| a.series.clone()).into(),
        announced.and_then(|a| a.year).map(Cell::number).into(),
        announced.map(|a| a.rulebook.clone()).into(),
        announced.map(|a| Cell::number(a.edition)).into(),
        announced.map(|a| a.game.word()).into(),
        Cell::number(tournament.entrants.len()),
        Cell::number(tournament.rounds.len()),
        Cell::Number(fund::recorded(tournament).total),
        announced.and_then(|a| a.currency.clone()).into(),
        tournament.first_at.map(Cell::Time).into(),
        tournament.closed_at.map(Cell::Time).into(),
        champion.into(),
    ]]
}

fn registrations(id: &TournamentId, tournament: &Tournament, _: &Actors) -> Vec<Vec<Cell>> {
    let seeds = tournament.seeds();
    let mut entrants: Vec<(&annals_events::PlayerId, &Entrant)> = tournament.entrants.iter().collect();
    entrants.sort_by_key(|(_, entrant)| entrant.order);
    entrants
        .into_iter()
        .map(|(player, entrant)| {
            let left = entrant.left.as_ref();
            vec![
                Cell::text(id),
                Cell::text(player),
                Cell::Text(entrant.name.clone()),
                entrant.kind.word().into(),
                Cell::number(entrant.order),
                Cell::Time(entrant.entry.at),
                entrant.rating.map(Cell::number).into(),
                seeds.get(player).copied().map(Cell::number).into(),
                entrant.status().word().into(),
                left.map(|left| Cell::Time(left.at)).into(),
                left.map(|left| leaving(left.how)).into(),
                Cell::list(&entrant.entry.fact.developers),
                entrant.entry.fact.country.clone().into(),
                entrant.program.digest().into(),
            ]
        })
        .collect()
}

const fn leaving(how: Leaving) -> &'static str {
    match how {
        Leaving::Own => "own",
        Leaving::Forfeit => "forfeit",
        Leaving::Removed => "removed",
        Leaving::Disqualified => "disqualified",
        Leaving::Lapsed => "lapsed",
    }
}

fn rounds(id: &TournamentId, tournament: &Tournament, _: &Actors) -> Vec<Vec<Cell>> {
    let row = |(number, round): (&u32, &Round)| {
        vec![
            Cell::text(id),
            Cell::number(*number),
            Cell::text(round.stage),
            Cell::Time(round.paired.at),
            round.started_at.map(Cell::Time).into(),
            Cell::number(round.boards.len()),
            Cell::number(round.byes.len()),
            round.is_over().into(),
            round.inferred.into(),
        ]
    };
    tournament.rounds.iter().map(row).collect()
}

/// Every board in force, with its round and number.
fn boards(tournament: &Tournament) -> impl Iterator<Item = (u32, u32, &Board)> {
    tournament
        .rounds
        .iter()
        .flat_map(|(round, paired)| paired.boards.iter().map(move |(number, board)| (*round, *number, board)))
}

fn pairings(id: &TournamentId, tournament: &Tournament, _: &Actors) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    for (number, round) in &tournament.rounds {
        for (at, board) in &round.boards {
            let Pair { colour, encounter, .. } = &board.pair;
            rows.push(vec![
                Cell::text(id),
                Cell::number(*number),
                Cell::number(*at),
                false.into(),
                Cell::text(board.upper()),
                Cell::text(board.lower()),
                board.gold().map(Cell::text).into(),
                board.silver().map(Cell::text).into(),
                colour.as_ref().map(|ground| ground.rule.clone()).into(),
                colour.as_ref().and_then(|ground| ground.paragraph.clone()).into(),
                encounter.map(Cell::number).into(),
                board.scheduled_at().map(Cell::Time).into(),
            ]);
        }
        for bye in &round.byes {
            let mut row =
                vec![Cell::text(id), Cell::number(*number), Cell::None, true.into(), Cell::text(&bye.player)];
            row.resize(12, Cell::None);
            rows.push(row);
        }
    }
    rows
}

fn results(id: &TournamentId, tournament: &Tournament, _: &Actors) -> Vec<Vec<Cell>> {
    let row = |(round, number, board): (u32, u32, &Board)| {
        let outcome = board.outcome()?;
        let winner = outcome.winner().and_then(|side| match side {
            Side::Gold => board.gold(),
            Side::Silver => board.silver(),
        });
        Some(vec![
            Cell::text(id),
            Cell::number(round),
            Cell::number(number),
            board.gold().map(Cell::text).into(),
            board.silver().map(Cell::text).into(),
            Cell::text(outcome),
            winner.map(Cell::text).into(),
            board.termination().map(Cell::text).into(),
            board.ruled().into(),
            Cell::number(board.games.len()),
            board.games.values().next_back().map(Cell::text).into(),
            board.territory().map(Cell::number).into(),
            board.result().map(|result| Cell::number(result.seq)).into(),
        ])
    };
    boards(tournament).filter_map(row).collect()
}

fn rulings(id: &TournamentId, tournament: &Tournament, actors: &Actors) -> Vec<Vec<Cell>> {
    tournament
        .rulings
        .iter()
        .map(|given| {
            let ruling = &given.ruling;
            let (word, pairing, players) = effect(&ruling.effect);
            vec![
                Cell::text(id),
                Cell::number(ruling.number),
                Cell::number(given.seq),
                actors.get(&given.seq).cloned().into(),
                Cell::Time(given.at),
                word.into(),
                pairing.map(|pairing| Cell::number(pairing.round)).into(),
                pairing.map(|pairing| Cell::number(pairing.board)).into(),
                given.game.as_ref().map(Cell::text).into(),
                Cell::list(players),
                Cell::Text(ruling.reason.clone()),
                Cell::list(ruling.grounds.iter().filter_map(|ground| ground.paragraph.as_ref())),
                Cell::list(ruling.evidence.iter().map(evidence_words)),
                ruling.dispute.map(Cell::number).into(),
                given.superseded_by.map(Cell::number).into(),
            ]
        })
        .collect()
}

/// The name of an effect, and the pairing and the players that it names.
fn effect(effect: &Effect) -> (&'static str, Option<annals_events::BoardId>, &[PlayerId]) {
    use std::slice::from_ref;
    match effect {
        Effect::Halt { pairing, .. } => ("halt", Some(*pairing), &[]),
        Effect::Invalidate { pairing, .. } => ("invalidate", Some(*pairing), &[]),
        Effect::Rematch { pairing, .. } => ("rematch", Some(*pairing), &[]),
        Effect::SetResult { pairing, .. } => ("set_result", Some(*pairing), &[]),
        Effect::Vacate { pairing } => ("vacate", Some(*pairing), &[]),
        Effect::SetTerritory { pairing, .. } => ("set_territory", Some(*pairing), &[]),
        Effect::SetRated { pairing, .. } => ("set_rated", Some(*pairing), &[]),
        Effect::SetColours { pairing, gold } => ("set_colours", Some(*pairing), from_ref(gold)),
        Effect::Remove { player } => ("remove", None, from_ref(player)),
        Effect::Reinstate { player } => ("reinstate", None, from_ref(player)),
        Effect::Place { players, .. } => ("place", None, players),
        Effect::Read { .. } => ("read", None, &[]),
        Effect::Nothing => ("nothing", None, &[]),
    }
}

fn ledger(id: &TournamentId, tournament: &Tournament, _: &Actors) -> Vec<Vec<Cell>> {
    let currency = tournament.announced.as_ref().and_then(|announced| announced.currency.clone());
    let thing = |seq| {
        let prize = tournament.prizes.iter().find(|prize| prize.seq == seq)?;
        prize.fact.thing.clone()
    };
    tournament
        .ledger
        .iter()
        .map(|entry| {
            let amount = i64::try_from(entry.amount).unwrap_or(i64::MAX);
            let (kind, signed) = match entry.what {
                Money::Fee => ("fee", amount),
                Money::Contribution => ("contribution", amount),
                Money::PenaltyPaid => ("penalty_paid", amount),
                Money::Refund => ("refund", -amount),
                Money::Prize => ("prize", -amount),
                Money::PrizeForfeited => ("prize_forfeited", 0),
                Money::PrizeReturned => ("prize_returned", amount),
            };
            vec![
                Cell::text(id),
                Cell::number(entry.seq),
                Cell::Time(entry.at),
                kind.into(),
                Cell::Text(entry.who.clone()),
                Cell::Number(signed),
                currency.clone().into(),
                thing(entry.seq).into(),
            ]
        })
        .collect()
}
