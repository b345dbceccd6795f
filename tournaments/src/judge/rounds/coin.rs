//! A coin that decides colours: it falls once, for one of the two of a pair whose colours are open, and as the seed has it
//! where it comes from one.

use annals_events::tournament::ColourDrawn;

use crate::judge::Bench;
use crate::lot;

/// Holds a draw of colours against the rule that asks for it; `asked` says whether it does, in words where it does not.
pub(super) fn judge(bench: &mut Bench<'_>, rule: &str, drawn: &ColourDrawn, asked: Result<(), String>) {
    let subject = format!("the colours of {}", drawn.pairing);
    let board = bench
        .case
        .tournament
        .rounds
        .get(&drawn.pairing.round)
        .and_then(|round| round.boards.get(&drawn.pairing.board));
    let Some(board) = board else {
        bench.hold(rule, subject, false, || {
            ("a pairing that stands".to_owned(), format!("{} does not stand", drawn.pairing))
        });
        return;
    };
    let (upper, lower) = (&board.upper, &board.lower);
    if let Err(otherwise) = asked {
        bench.hold(rule, subject, false, || (otherwise, format!("a coin for {}", drawn.gold)));
        return;
    }
    if let Some(gold) = &board.gold {
        bench.hold(rule, subject, false, || {
            ("one draw".to_owned(), format!("a second one: {gold} has Gold already"))
        });
        return;
    }
    if drawn.gold != *upper && drawn.gold != *lower {
        bench.hold(rule, subject, false, || {
            (format!("Gold for {upper} or {lower}"), format!("Gold for {}", drawn.gold))
        });
        return;
    }
    if let (Some(seed), Some(commitment)) = (&drawn.draw.seed, &drawn.draw.commitment)
        && lot::commitment(seed) != *commitment
    {
        bench.hold(rule, subject, false, || {
            (format!("a seed of the commitment {commitment}"), format!("a seed of {}", lot::commitment(seed)))
        });
        return;
    }
    if drawn.draw.method != lot::METHOD {
        bench.hold(rule, subject, true, Default::default);
        return;
    }
    let Some(seed) = &drawn.draw.seed else {
        bench.open(rule, subject, "the seed is not recorded, so the coin cannot be thrown again");
        return;
    };
    let gold = lot::gold(seed, drawn.pairing.round, upper, lower);
    bench.hold(rule, subject, *gold == drawn.gold, || {
        (format!("Gold for {gold}, as the seed has it"), format!("Gold for {}", drawn.gold))
    });
}
