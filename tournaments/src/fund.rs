//! The money by the rules: the fund, prizes, refundable fees, and whether play is over, before which nothing
//! is paid. Amounts in cents.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::narrative::money;
use annals_events::tournament::{
    Disqualification, Outcome, PrizeAwarded, PrizeForfeited, RefundRecorded, Stage,
};
use annals_events::{BoardId, Micros, PlayerId, Termination};

use crate::formats;
use crate::formats::elimination::finalists::final_begins;
use crate::formats::ring::{Scorer, share_pool};
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{
    GamesOfTheFund, PenaltiesInFund, PrizeGames, Prizes, RefundLost, RuleId, Rulebook, rulebook_in_force,
};
use crate::state::{Board, Entrant, Leaving, Money, Tournament};

/// Succeeds if all games are played and all places decided.
///
/// # Errors
/// What is still undecided.
pub fn play_is_over(tournament: &Tournament, rulebook: &Rulebook) -> Result<(), Refusal> {
    if tournament.closed.is_some() {
        return Ok(());
    }
    if let Some(open) = tournament.open_board() {
        let refusal = Refusal::lacking(format!("{open} has no result"));
        return Err(formats::start_first(tournament, rulebook, refusal.hint(Remedy::Result(Some(open)))));
    }
    let places = formats::places(tournament, rulebook)?;
    if places.decided {
        return Ok(());
    }
    match places.ruling_needed {
        Some(why) => {
            let refusal = Refusal::lacking(format!("the rules leave a place open: {why}"));
            Err(refusal.hint(Remedy::GivePlace))
        }
        None => {
            let refusal = Refusal::lacking("the tournament is not played to its end: places are still open");
            let next = match formats::next_round(tournament, rulebook) {
                Ok(proposal) if !proposal.coins.is_empty() => Remedy::PairWithSeed,
                Ok(_) => Remedy::Pair,
                Err(refusal) => refusal.next.unwrap_or(Remedy::Pair),
            };
            Err(refusal.hint(next))
        }
    }
}

/// The announced sum plus income minus payments, in cents.
pub fn left(tournament: &Tournament, rulebook: &Rulebook) -> i64 {
    balance(tournament, rulebook.readings.penalties)
}

/// The prize fund of a record, in cents, by the announced rulebook and readings. With an unknown rulebook penalties are
/// added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FundFigures {
    /// The announced sum plus income minus refunds.
    pub total: i64,
    /// The prizes, without returned ones.
    pub awarded: i64,
    /// The total minus the prizes.
    pub left: i64,
}

/// The figures of the prize fund.
pub fn recorded(tournament: &Tournament) -> FundFigures {
    let penalties = rulebook_in_force(tournament).ok().flatten().map(|rulebook| rulebook.readings.penalties);
    let left = balance(tournament, penalties.unwrap_or(PenaltiesInFund::WithPenalties));
    let awarded = tournament.ledger.iter().fold(0i64, |sum, line| {
        let amount = i64::try_from(line.amount).unwrap_or(i64::MAX);
        match line.what {
            Money::Prize => sum.saturating_add(amount),
            Money::PrizeReturned => sum.saturating_sub(amount),
            _ => sum,
        }
    });
    FundFigures { total: left.saturating_add(awarded), awarded, left }
}

fn balance(tournament: &Tournament, penalties: PenaltiesInFund) -> i64 {
    let announced = tournament.announced.as_ref().map_or(0, |announced| announced.fund);
    let signed = |cents: u64| i64::try_from(cents).unwrap_or(i64::MAX);
    tournament.ledger.iter().fold(signed(announced), |fund, line| match line.what {
        Money::PenaltyPaid if penalties == PenaltiesInFund::FeeOnly => fund,
        Money::Fee | Money::Contribution | Money::PenaltyPaid | Money::PrizeReturned => {
            fund.saturating_add(signed(line.amount))
        }
        Money::Refund | Money::Prize => fund.saturating_sub(signed(line.amount)),
        Money::PrizeForfeited => fund,
    })
}

/// The fund of the prizes: all income before the first award, less refunds; of a pool of fees only the fees.
pub fn fund(tournament: &Tournament, rulebook: &Rulebook) -> u64 {
    let first_prize =
        tournament.prizes.iter().filter(|prize| prize.fact.amount > 0).map(|prize| prize.seq).min();
    let before = |seq: u64| first_prize.is_none_or(|first| seq < first);
    let announced = match rulebook.prizes {
        Prizes::ByPoints => 0,
        _ => tournament.announced.as_ref().map_or(0, |announced| announced.fund),
    };
    let lines = tournament.ledger.iter().filter(|line| before(line.seq));
    let sum = lines.fold(i128::from(announced), |sum, line| match (rulebook.prizes, line.what) {
        (_, Money::Fee) => sum + i128::from(line.amount),
        (_, Money::Refund) => sum - i128::from(line.amount),
        (Prizes::ByPoints, _) => sum,
        (_, Money::PenaltyPaid) if rulebook.readings.penalties == PenaltiesInFund::FeeOnly => sum,
        (_, Money::Contribution | Money::PenaltyPaid) => sum + i128::from(line.amount),
        (_, Money::Prize | Money::PrizeForfeited | Money::PrizeReturned) => sum,
    });
    u64::try_from(sum).unwrap_or(0)
}

fn winner(board: &Board) -> Option<&PlayerId> {
    match board.outcome()? {
        Outcome::Gold => board.gold(),
        Outcome::Silver => board.silver(),
        _ => None,
    }
}

/// Boards with a result; a replayed game counts once.
fn games<'a>(tournament: &'a Tournament, rulebook: &Rulebook) -> impl Iterator<Item = &'a Board> {
    let without = rulebook.readings.prize_games == PrizeGames::WithoutContinuation;
    let rounds =
        tournament.rounds.values().filter(move |round| !(without && round.stage == Stage::Continuation));
    let played = rulebook.readings.worth_of_a_game == GamesOfTheFund::Played;
    let boards = rounds.flat_map(|round| round.boards.values()).filter(|board| board.outcome().is_some());
    boards.filter(move |board| !(played && board.is_forfeit()))
}

/// The value of one won game, and the number of games that share the fund; none without games.
pub fn share_of_a_game(tournament: &Tournament, rulebook: &Rulebook) -> Option<(u64, u64)> {
    let games = games(tournament, rulebook).count() as u64;
    Some((fund(tournament, rulebook).checked_div(games)?, games))
}

/// The time of a recorded disqualification for the cause, or since edition 2 of a ban on the broken rule.
pub(crate) fn recorded_cause(
    tournament: &Tournament,
    rulebook: &Rulebook,
    player: &PlayerId,
    cause: Disqualification,
) -> Option<Micros> {
    if let Some(out) = tournament.entrants.get(player)?.disqualified_for(cause) {
        return Some(out.at);
    }
    let names =
        |rule: &str| rulebook.rule_named(rule).is_some_and(|rule| rule.id == RuleId::broken_by(cause));
    let mut bans = tournament.bans.iter().filter(|ban| rulebook.edition > 1 && ban.fact.player == *player);
    bans.find(|ban| ban.fact.grounds.iter().any(|ground| names(&ground.rule))).map(|ban| ban.at)
}

/// Because of much faster hardware in the qualifier, or as recorded.
pub fn forfeits_prizes(tournament: &Tournament, rulebook: &Rulebook, player: &PlayerId) -> bool {
    tournament.booked(Money::PrizeForfeited, player)
        || recorded_cause(tournament, rulebook, player, Disqualification::FasterHardware).is_some()
}

/// The rule by which a player keeps no prize, and since when: a limited program (2015 WCC, Publication), or
/// much faster hardware (2015 WCC, Qualifying 3). Edition 1 leaves it undetermined.
pub(crate) fn keeps_no_prize(
    tournament: &Tournament,
    rulebook: &Rulebook,
    player: &PlayerId,
) -> Option<(RuleId, Micros)> {
    let causes = [
        (Disqualification::LimitedProgram, RuleId::PrizeReturned),
        (Disqualification::FasterHardware, RuleId::PrizeForfeited),
    ];
    let causes = causes.into_iter().filter(|_| rulebook.edition > 1);
    let mut recorded =
        causes.filter_map(|(cause, rule)| Some((rule, recorded_cause(tournament, rulebook, player, cause)?)));
    recorded.next()
}

/// Every prize by the results, also awarded and forfeited ones.
///
/// # Errors
/// If the points overflow.
pub fn prizes(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<PrizeAwarded>, Refusal> {
    match rulebook.prizes {
        Prizes::None => Ok(Vec::new()),
        Prizes::PerGameWon => Ok(by_games(tournament, rulebook)),
        Prizes::ByPoints => by_points(tournament, rulebook),
    }
}

fn by_games(tournament: &Tournament, rulebook: &Rulebook) -> Vec<PrizeAwarded> {
    let Some((share, games_in_all)) = share_of_a_game(tournament, rulebook) else { return Vec::new() };
    let mut won: BTreeMap<&PlayerId, u32> = BTreeMap::new();
    for player in games(tournament, rulebook).filter_map(winner) {
        let count = won.entry(player).or_default();
        *count = count.saturating_add(1);
    }
    let finding = format!("{} cents over {games_in_all} games", fund(tournament, rulebook));
    let ground = rulebook.ground(RuleId::PrizeShare, finding);
    let prizes = won.into_iter().map(|(player, games)| PrizeAwarded {
        player: player.clone(),
        amount: share.saturating_mul(u64::from(games)),
        games_won: Some(games),
        half_points: None,
        thing: None,
        ground: ground.clone(),
    });
    prizes.filter(|prize| prize.amount > 0).collect()
}

fn by_points(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<PrizeAwarded>, Refusal> {
    let points = crate::standings(tournament);
    let scorers: Vec<Scorer> = points
        .iter()
        .map(|(player, score)| {
            let entrant = tournament.entrants.get(player);
            Scorer {
                rating: entrant.and_then(|entrant| entrant.rating).map(i64::from),
                name: entrant.map_or_else(|| player.to_string(), |entrant| entrant.name.clone()),
                half_points: u64::from(score.half_points),
            }
        })
        .collect();
    let pool = fund(tournament, rulebook);
    let shares = share_pool(pool, &scorers).map_err(|error| Refusal::lacking(error.to_string()))?;
    let ground = rulebook.ground(RuleId::PrizeShare, format!("a pool of {pool} cents"));
    let prizes = shares.into_iter().zip(points).map(|(amount, (player, score))| PrizeAwarded {
        player,
        amount,
        games_won: None,
        half_points: Some(score.half_points),
        thing: None,
        ground: ground.clone(),
    });
    Ok(prizes.filter(|prize| prize.amount > 0).collect())
}

/// Players who lost a game by forfeit, or by resignation if the readings count it, each with the first such
/// game as text. With an accepted appeal a forfeit costs nothing if only players who leave lose the money.
fn lost_by_leaving<'a>(tournament: &'a Tournament, rulebook: &Rulebook) -> BTreeMap<&'a PlayerId, String> {
    let mut lost = BTreeMap::new();
    let any_game = rulebook.readings.refund_lost == RefundLost::Resigning;
    for (&round, paired) in &tournament.rounds {
        for (&number, board) in &paired.boards {
            let pairing = BoardId { round, board: number };
            for player in board.forfeited_by() {
                if !any_game && tournament.heard(player, None) {
                    continue;
                }
                lost.entry(player).or_insert_with(|| format!("`{player}` forfeited {pairing}"));
            }
            let resigned = any_game && board.termination() == Some(Termination::Resignation);
            if let Some(winner) = winner(board).filter(|_| resigned) {
                let player = board.other(winner);
                lost.entry(player).or_insert_with(|| format!("`{player}` resigned {pairing}"));
            }
        }
    }
    lost
}

/// Why a fee is not refunded; none if it is, once the player's games are over.
pub fn keeps_fee(tournament: &Tournament, rulebook: &Rulebook, player: &PlayerId) -> Option<String> {
    kept(tournament.entrants.get(player)?, player, &lost_by_leaving(tournament, rulebook))
}

fn kept(entrant: &Entrant, player: &PlayerId, lost: &BTreeMap<&PlayerId, String>) -> Option<String> {
    if let Some(lost) = lost.get(player) {
        return Some(lost.clone());
    }
    let how = entrant.left.as_ref().map(|left| left.how)?;
    Some(match how {
        Leaving::Own => format!("`{player}` dropped out"),
        Leaving::Forfeit => format!("`{player}` was removed for a forfeit"),
        Leaving::Removed => format!("`{player}` was removed"),
        Leaving::Disqualified => format!("`{player}` was disqualified"),
        Leaving::Lapsed => return None,
    })
}

/// Players without further games: all after the end, else those eliminated by play. A player who has no place in the
/// final may still take one until it begins.
pub(crate) fn played_out(tournament: &Tournament, rulebook: &Rulebook) -> BTreeSet<PlayerId> {
    if play_is_over(tournament, rulebook).is_ok() {
        return tournament.entrants.keys().cloned().collect();
    }
    let boards = tournament.rounds.values().flat_map(|round| round.boards.values());
    let open: BTreeSet<&PlayerId> =
        boards.filter(|board| board.outcome().is_none()).flat_map(Board::players).collect();
    let ranking = formats::ranking(tournament, rulebook).unwrap_or_default();
    let mut waiting: BTreeSet<&PlayerId> = ranking.iter().map(|line| &line.player).collect();
    waiting.extend(&open);
    let begun = final_begins(tournament).is_some();
    let not_in_it = tournament.entrants.keys().filter(|player| begun && !waiting.contains(player)).cloned();
    let out = ranking.iter().filter(|line| !line.active && !open.contains(&line.player));
    out.map(|line| line.player.clone()).chain(not_in_it).collect()
}

/// The refundable part of a fee.
pub fn refundable(tournament: &Tournament, rulebook: &Rulebook) -> u64 {
    let announced = tournament.announced.as_ref().and_then(|announced| announced.fees.as_ref());
    announced.or(rulebook.fees.as_ref()).map_or(0, |fees| fees.refundable)
}

/// Refunds due and not paid, by order of entry.
pub fn refunds(tournament: &Tournament, rulebook: &Rulebook) -> Vec<RefundRecorded> {
    let amount = refundable(tournament, rulebook);
    let Some(rule) = rulebook.rule(RuleId::RefundDue).filter(|_| amount > 0) else { return Vec::new() };
    let (played_out, lost) = (played_out(tournament, rulebook), lost_by_leaving(tournament, rulebook));
    let mut due: Vec<(u32, &PlayerId)> = tournament
        .entrants
        .iter()
        .filter(|(player, entrant)| {
            tournament.booked(Money::Fee, player)
                && !tournament.booked(Money::Refund, player)
                && kept(entrant, player, &lost).is_none()
                && played_out.contains(*player)
        })
        .map(|(player, entrant)| (entrant.order, player))
        .collect();
    due.sort_unstable();
    let because = match rulebook.readings.refund_lost {
        RefundLost::Leaving => "did not leave the tournament by a forfeit, by resigning or by dropping out",
        RefundLost::Resigning => "neither forfeited, nor resigned, nor dropped out",
    };
    let refund = |(_, player): (u32, &PlayerId)| RefundRecorded {
        player: player.clone(),
        amount,
        ground: Some(rule.ground(Some(because.to_owned()))),
        note: None,
    };
    due.into_iter().map(refund).collect()
}

/// Prizes due and not awarded: money to players who do not forfeit it, and the title once, by a certificate
/// (2015 WCC, Prizes). A rulebook without prizes has no certificate.
///
/// # Errors
/// As [`prizes`].
pub fn awards(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<PrizeAwarded>, Refusal> {
    let mut due = prizes(tournament, rulebook)?;
    due.retain(|prize| {
        let kept = forfeits_prizes(tournament, rulebook, &prize.player)
            || keeps_no_prize(tournament, rulebook, &prize.player).is_some();
        !kept && !tournament.awarded(&prize.player)
    });
    let certified = rulebook.rule(RuleId::PlaceTitle).filter(|_| rulebook.prizes != Prizes::None);
    let Some(rule) = certified else { return Ok(due) };
    let places = formats::places(tournament, rulebook).unwrap_or_default();
    for placing in places.placings.iter().filter(|placing| placing.place == 1) {
        let Some(title) = placing.titles.first() else { continue };
        let player = &placing.player;
        let certified = |prize: &PrizeAwarded| {
            prize.player == *player && prize.thing.as_ref().is_some_and(|thing| thing.contains(title))
        };
        if tournament.prizes.iter().any(|prize| certified(&prize.fact)) {
            continue;
        }
        let thing = Some(format!("certificate: {title}"));
        match due.iter_mut().find(|prize| prize.player == *player) {
            Some(prize) => prize.thing = thing,
            None => due.push(PrizeAwarded {
                player: player.clone(),
                amount: 0,
                games_won: None,
                half_points: None,
                thing,
                ground: Some(rule.ground(None)),
            }),
        }
    }
    Ok(due)
}

/// Why an award has to be struck before the close: it counts other games or points than the results, which were corrected since.
///
/// # Errors
/// As [`prizes`]; and if there is such an award.
pub(crate) fn awards_rest_on_results(tournament: &Tournament, rulebook: &Rulebook) -> Result<(), Refusal> {
    if tournament.closed.is_some() {
        return Ok(());
    }
    let due = prizes(tournament, rulebook)?;
    let counts = |prize: &PrizeAwarded| (prize.games_won, prize.half_points);
    let of_money = tournament.prizes.iter().filter(|prize| prize.fact.amount > 0);
    for award in of_money {
        let now = due.iter().find(|prize| prize.player == award.fact.player);
        if now.map(counts) != Some(counts(&award.fact)) {
            let now = now.map_or_else(|| "none".to_owned(), |prize| money(prize.amount));
            let what = format!(
                "the prize of `{}` is {}, and by the corrected results it is {now}",
                award.fact.player,
                money(award.fact.amount)
            );
            return Err(Refusal::lacking(what).hint(Remedy::Strike(award.seq)));
        }
    }
    Ok(())
}

/// Succeeds if every dispute and appeal has its decision, which cannot change the record of play after the close.
pub(crate) fn claims_are_decided(tournament: &Tournament) -> Result<(), Refusal> {
    match tournament.undecided().next() {
        Some((filed, by)) if tournament.closed.is_none() => {
            Err(Refusal::lacking(format!("{filed} of `{by}` is not decided")).hint(filed))
        }
        _ => Ok(()),
    }
}

/// Before the close disputes and appeals are decided, awards that no longer follow from the results are struck, and prizes of money that are due are awarded: the
/// close states what is left of the fund.
pub fn before_close(tournament: &Tournament, rulebook: &Rulebook, refusal: Refusal) -> Refusal {
    let is_due = || awards(tournament, rulebook).is_ok_and(|due| due.iter().any(|prize| prize.amount > 0));
    if refusal.next != Some(Remedy::Close) {
        return refusal;
    }
    let first = claims_are_decided(tournament).and_then(|()| awards_rest_on_results(tournament, rulebook));
    match first {
        Err(first) => first,
        Ok(()) if is_due() => refusal.hint(Remedy::Award),
        Ok(()) => refusal,
    }
}

/// Prizes awarded to a player and not returned.
pub fn held(tournament: &Tournament, player: &PlayerId) -> u64 {
    let sum = |what: Money| booked_to(tournament, what, player);
    sum(Money::Prize).saturating_sub(sum(Money::PrizeReturned))
}

/// The sum of a player's lines of one kind, in cents.
pub(crate) fn booked_to(tournament: &Tournament, what: Money, player: &PlayerId) -> u64 {
    let lines = tournament.ledger.iter().filter(|line| line.what == what && line.who == player.as_str());
    lines.fold(0u64, |sum, line| sum.saturating_add(line.amount))
}

/// Forfeited prizes whose forfeit is not recorded.
///
/// # Errors
/// As [`prizes`].
pub fn forfeited(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<PrizeForfeited>, Refusal> {
    let mut due = prizes(tournament, rulebook)?;
    due.retain(|PrizeAwarded { player, .. }| {
        let recorded = tournament.booked(Money::PrizeForfeited, player) || tournament.awarded(player);
        forfeits_prizes(tournament, rulebook, player) && !recorded
    });
    let forfeited = due.into_iter().map(|prize| PrizeForfeited {
        player: prize.player,
        amount: prize.amount,
        ground: rulebook.rule(RuleId::PrizeForfeited).map(|rule| rule.ground(None)),
        reason: "disqualified for much faster hardware or other help".to_owned(),
    });
    Ok(forfeited.collect())
}
