//! What a director can do next when a rule forbids a request: the command, with the tournament for them to fill in.

/// The next step after a refusal by a rule; none where there is nothing to do but to leave it.
pub(super) fn step(rule: &str) -> Option<&'static str> {
    Some(match rule {
        "registration.window" => {
            "a date moves only before it has passed: `annals tournament dates TOURNAMENT MILESTONE=TIME --reason TEXT`"
        }
        "registration.once" => {
            "who had withdrawn comes back by `annals tournament reinstate TOURNAMENT PLAYER`"
        }
        "registration.known" => "`annals tournament show TOURNAMENT` lists who entered",
        "registration.standing" => "`annals tournament player TOURNAMENT PLAYER` tells what became of them",
        "registration.one_per_developer" => {
            "one of the programs has to leave first: `annals tournament withdraw TOURNAMENT PLAYER`"
        }
        "result.paired" => {
            "`annals tournament rounds TOURNAMENT` lists the pairings; `annals tournament start TOURNAMENT PAIRING` \
             begins a game"
        }
        "result.once" | "result.game" => {
            "what is recorded is changed only by a ruling (`annals tournament rule --help`) or, if it was a slip of the \
             pen, by a correction in the log (`annals log --help`)"
        }
        "swiss.declared" => "`annals tournament declare-rounds TOURNAMENT` declares them",
        "round.order" => "`annals tournament rounds TOURNAMENT` shows what is still open",
        "hardware.declared" => {
            "`annals tournament hardware TOURNAMENT MACHINE --player PLAYER --price AMOUNT` declares it, before the start"
        }
        "forfeit.claim" => {
            "`annals tournament forfeit TOURNAMENT PAIRING --absent PLAYER` once the time is over"
        }
        "forfeit.removed" => {
            "`annals tournament appeal TOURNAMENT PLAYER --claim TEXT`, then `annals tournament decide-appeal`"
        }
        "forfeit.no_rematch" | "ruling.rematch" | "ruling.frozen" => {
            "a ruling without effect puts it on record: `annals tournament rule TOURNAMENT nothing --reason TEXT`"
        }
        "ruling.resume" => "`annals replay GAME` shows the game with its plies",
        "refund.due" => "`annals tournament refund TOURNAMENT` pays back all that is due",
        "territory" => {
            "`annals tournament rule TOURNAMENT set-territory PAIRING SQUARES --reason TEXT` fixes it for a game that was \
             not played out"
        }
        _ => return None,
    })
}
