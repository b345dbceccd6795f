//! Narratives of programs, hardware, and qualifying.

use super::narrator::{Narrative, Narrator};
use super::wording::{
    Why, because, digest, ending, list, measures, money, part, plain, score_measures, stage, times_as_fast,
};
use crate::tournament::{
    AccountGiven, AccountWithdrawn, Benchmark, BenchmarksDeclared, Computer, HardwareDeclared,
    HardwareSpecified, Machine, MachinesAssigned, ProgramPublished, ProgramSubmitted, ProgramSubstituted,
    ProgramTested, ProgramUpdated, Qualified, QualifyingGamePlayed, QualifyingRank,
    ReferenceHardwareRecorded, Stage,
};

pub fn hardware_specified(e: &HardwareSpecified) -> Narrative {
    let system = part(e.system.as_ref(), |system| format!(" under {system}"));
    let price = part(e.price_limit, |cents| format!(", a price of at most {}", money(cents)));
    let speed =
        part(e.speed_limit, |limit| format!(", players' machines at most {} as fast", times_as_fast(limit)));
    plain(format!("The hardware was specified: {}{system}{price}{speed}.", e.hardware))
}

pub fn hardware_declared(narrator: &Narrator<'_>, e: &HardwareDeclared) -> Narrative {
    let system = part(e.system.as_ref(), |system| format!(" under {system}"));
    let price = part(e.price, |cents| format!(", price {}", money(cents)));
    let speed = part(e.speed, |speed| format!(", {} as fast as the reference machine", times_as_fast(speed)));
    let computer = |computer: &Computer| {
        computer.name.clone() + &part(computer.price, |cents| format!(" ({})", money(cents)))
    };
    let computers: Vec<String> = e.computers.iter().map(computer).collect();
    let computers = part((!computers.is_empty()).then_some(computers), |all| format!(", on {}", list(&all)));
    plain(format!(
        "{} declared the hardware: {}{system}{price}{speed}{computers}.",
        narrator.name(&e.player),
        e.hardware
    ))
}

pub fn reference_hardware(e: &ReferenceHardwareRecorded) -> Narrative {
    let system = part(e.system.as_ref(), |system| format!(" under {system}"));
    let year = part(e.year, |year| format!(" of {year}"));
    let what = format!("The machine of the challenge match{year} was recorded: {}{system}.", e.hardware);
    because(what, Why::default().reason(e.note.as_deref()))
}

pub fn machines_assigned(narrator: &Narrator<'_>, e: &MachinesAssigned) -> Narrative {
    let one = |machine: &Machine| {
        let computer = part(machine.computer.as_ref(), |computer| format!("{computer}, "));
        let system = part(machine.system.as_ref(), |system| format!(" under {system}"));
        format!("{} ({computer}{}{system})", narrator.name(&machine.player), machine.hardware)
    };
    let machines: Vec<String> = e.machines.iter().map(one).collect();
    let machines = if machines.is_empty() { "nobody".to_owned() } else { list(&machines) };
    plain(format!("The computers of round {} were assigned: {machines}.", e.round))
}

pub fn account_given(narrator: &Narrator<'_>, e: &AccountGiven) -> Narrative {
    let login = part(e.login.as_ref(), |login| format!(", {login},"));
    let what = format!(
        "The developer of {} was given an account{login} on the tournament's computers.",
        narrator.name(&e.player)
    );
    because(what, Why::default().reason(e.note.as_deref()))
}

pub fn account_withdrawn(narrator: &Narrator<'_>, e: &AccountWithdrawn) -> Narrative {
    let what = format!("The account of the developer of {} was withdrawn.", narrator.name(&e.player));
    because(what, Why::default().reason(e.reason.as_deref()))
}

pub fn published(narrator: &Narrator<'_>, e: &ProgramPublished) -> Narrative {
    let name = part(e.gameroom_name.as_ref(), |name| format!(", as {name}"));
    let what = format!("The program of {} was made public in the gameroom{name}.", narrator.name(&e.player));
    because(what, Why::default().reason(e.note.as_deref()))
}

pub fn submitted(narrator: &Narrator<'_>, e: &ProgramSubmitted) -> Narrative {
    let what =
        format!("{} submitted the program {} ({}).", narrator.name(&e.player), e.program, digest(&e.digest));
    because(what, Why::default().reason(e.note.as_deref()))
}

pub fn tested(narrator: &Narrator<'_>, e: &ProgramTested) -> Narrative {
    let result = if e.passed { "passed" } else { "did not pass" };
    let access = if e.access_closed { "was closed with it" } else { "stays open" };
    let what = format!(
        "The program of {} ({}) {result} the organiser's test; the developer's access {access}.",
        narrator.name(&e.player),
        digest(&e.digest)
    );
    because(what, Why::default().reason(e.note.as_deref()))
}

pub fn updated(narrator: &Narrator<'_>, e: &ProgramUpdated) -> Narrative {
    let how = if e.automated { "by an automated run" } else { "by hand" };
    let after = match e.after_round {
        0 => "before round 1".to_owned(),
        round => format!("after round {round}"),
    };
    let what = format!(
        "The program of {} changed {after} {how}, from {} to {}, between {} and {}.",
        narrator.name(&e.player),
        digest(&e.before),
        digest(&e.after),
        narrator.at(e.started_at),
        narrator.at(e.ended_at)
    );
    because(what, Why::default().evidence(&e.evidence))
}

pub fn substituted(narrator: &Narrator<'_>, e: &ProgramSubstituted) -> Narrative {
    let known = part(e.digest.as_deref(), |whole| format!(", {}", digest(whole)));
    let what = format!(
        "{} plays in the place of {}: {}, submitted for {}{known}.",
        narrator.name(&e.stand_in),
        narrator.name(&e.player),
        e.program,
        e.year
    );
    because(what, Why::default().reason(e.reason.as_deref()))
}

pub fn benchmarks_declared(e: &BenchmarksDeclared) -> Narrative {
    let one = |benchmark: &Benchmark| {
        let account = part(benchmark.account, |account| format!(", account {account}"));
        format!("{} ({}{account})", benchmark.player, benchmark.name)
    };
    let stable: Vec<String> = e.stable.iter().map(one).collect();
    plain(format!("The stable of benchmark players was declared: {}.", list(&stable)))
}

pub fn qualifying_game_played(narrator: &Narrator<'_>, e: &QualifyingGamePlayed) -> Narrative {
    let by = part(e.termination, |how| format!(" by {}", ending(how)));
    let result = match e.winner {
        Some(winner) if winner == e.side => format!("won{by} against"),
        Some(_) => format!("lost{by} to"),
        None => format!("played without a winner{by} against"),
    };
    let rated = if e.rated { "rated" } else { "unrated" };
    let number = part(e.number, |number| format!(", gameroom number {number}"));
    let game = part(e.game.as_ref(), |game| format!(", game {game}"));
    plain(format!(
        "{} as {} {result} the benchmark {}, {rated}, from {} to {}{number}{game}.",
        narrator.name(&e.player),
        narrator.side(e.side),
        narrator.name(&e.benchmark),
        narrator.at(e.started_at),
        narrator.at(e.ended_at)
    ))
}

pub fn qualified(narrator: &Narrator<'_>, e: &Qualified) -> Narrative {
    let one = |rank: &QualifyingRank| {
        let seed = rank.seed.map_or("does not go on".to_owned(), |seed| format!("seed {seed}"));
        let rests = if rank.measures.is_empty() {
            String::new()
        } else {
            let words = if e.from == Stage::Qualifier { measures } else { score_measures };
            format!("; {}", words(narrator, &rank.measures))
        };
        format!("{}. {} ({seed}{rests})", rank.rank, narrator.name(&rank.player))
    };
    let order: Vec<String> = e.order.iter().map(one).collect();
    let order = if order.is_empty() { "nobody".to_owned() } else { order.join(", ") };
    let what = format!(
        "The order of {} was published, with who goes on to {}: {order}.",
        stage(e.from),
        stage(e.to)
    );
    because(what, Why::default().grounds(&e.grounds))
}
