//! The log: its events with filters, one event with its proof, and the proof as a file.

use annals_replay::paragraphs::{Paragraphs, Wanted, types};
use annals_replay::point::show;
use annals_replay::subject::find_stream;
use annals_report::{Cell, Document, Table, escaped, one_line};
use annals_store::{Head, InclusionProof};
use maud::{PreEscaped, html};
use serde_json::{Value, json};

use super::{document, moment};
use crate::Failure;
use crate::address::Address;
use crate::app::{App, Context};
use crate::reply::{Page, Reply};

/// Events of a page.
const PAGE: usize = 100;

pub fn list(context: &Context<'_>) -> Result<Reply, Failure> {
    let request = context.request;
    let log = context.log()?;
    let zone = moment::zone(context)?;
    let stream = request.get("stream").map(|text| find_stream(&log, text)).transpose()?;
    let types = request.get("type").map(types).transpose().map_err(Failure::bad)?;
    let mut wanted = Wanted {
        types,
        actor: request.get("actor").map(str::to_owned),
        ..Wanted::between(request.get("from"), request.get("to"), &zone)?
    };
    if let Some(before) = request.number("before")? {
        let end = (*wanted.range.end()).min(before.saturating_sub(1));
        wanted.range = *wanted.range.start()..=end;
    }
    let mut nothing = std::io::sink();
    let mut narrator = Paragraphs::new(&log, zone.clone(), &mut nothing, false);
    let mut events = Vec::new();
    narrator.show_wanted(stream.as_ref(), &wanted, Some(PAGE), |narrator, event| {
        let narrative = narrator.narrative(event)?;
        events.push((event.clone(), narrative));
        Ok::<_, annals_store::ReadError>(())
    })?;
    events.reverse();
    let table = Table::of("", &events)
        .column("Event", |(event, _)| Cell::count(event.seq))
        .column("What", |(_, narrative)| Cell::text(&narrative.what))
        .column("Happened", |(event, _)| Cell::Time(event.effective_at))
        .column("Recorded", |(event, _)| Cell::Time(event.recorded_at))
        .column("Stream", |(event, _)| Cell::text(&event.stream))
        .column("Type", |(event, _)| Cell::text(&event.event_type))
        .column("Actor", |(event, _)| Cell::text(&event.actor))
        .table();
    let older = (events.len() == PAGE).then(|| events.last().map(|(event, _)| event.seq)).flatten();
    let head = App::head(&log)?;
    let field = |name: &str, label: &str| {
        html! { label { (label) " " input type="text" name=(name) value=(request.get(name).unwrap_or_default()) maxlength="100"; } }
    };
    let body = html! {
        h1 { "Event log" }
        p { (annals_report::grouped(head.seq)) " events. Receipt of the present log:" }
        pre.receipt { (head) }
        @if let Some(at) = context.verified_at(&log) {
            p.note { "Annals verified hashes, tree, payloads and anchor at " (show(at.as_microsecond(), &zone)) "." }
        }
        form.since method="get" {
            (field("stream", "Stream")) " " (field("type", "Type")) " " (field("actor", "Actor")) " "
            (field("from", "From")) " " (field("to", "To")) " " button type="submit" { "Show" }
        }
        (document(context, &Document::new("").table(table).or_line("no event is selected"), &zone))
        @if let Some(older) = older {
            p { a rel="next" href=(request.address().with("before", &older.to_string())) { "Older events" } }
        }
    };
    let json: Vec<Value> =
        events.iter().map(|(event, _)| serde_json::to_value(event)).collect::<Result<_, _>>()?;
    Page::new("Event log", body, &json!({ "head": head, "events": json })).map(Reply::from)
}

pub fn event(context: &Context<'_>, seq: &str) -> Result<Reply, Failure> {
    let proof = prove(context, seq)?;
    let log = context.log()?;
    let zone = moment::zone(context)?;
    let seq = proof.event.seq;
    let absent = || Failure::not_found(format!("there is no event {seq}"));
    let event = log.event(seq)?.ok_or_else(absent)?;
    let mut nothing = std::io::sink();
    let narrative = Paragraphs::new(&log, zone.clone(), &mut nothing, false).narrative(&event)?;
    let facts = vec![
        ("Happened", Cell::Time(event.effective_at)),
        ("Recorded", Cell::Time(event.recorded_at)),
        ("Stream", Cell::text(format!("{} (version {})", event.stream, event.version))),
        ("Type", Cell::text(format!("{} (schema {})", event.event_type, event.schema))),
        ("Actor", Cell::text(&event.actor)),
        ("Identity", Cell::text(event.id)),
        ("Hash before", Cell::text(proof.event.previous_hash)),
        ("Hash", Cell::text(event.hash)),
    ];
    let payload: Value = serde_json::from_str(&proof.event.payload)?;
    let neighbour = |seq: u64| Address::of(&["log", &seq.to_string()]);
    let stream = event.stream.as_str();
    let own = match event.stream.family() {
        family @ ("tournament" | "game") => Some(Address::of(&[family, event.stream.name()])),
        _ => None,
    };
    let corrections = corrections(&log, &event)?;
    let (before, after) = match context.site {
        Some(site) => {
            site.chapter(event.stream.name()).map_or((None, None), |chapter| chapter.neighbours(seq))
        }
        None => ((seq > 1).then(|| seq - 1), (seq < proof.head.seq).then_some(seq + 1)),
    };
    // Without a server the page itself has the proof. It is JSON in which no `<` can end the element.
    let own_proof = match context.site {
        Some(_) => Some(serde_json::to_string(&proof)?.replace('<', "\\u003c")),
        None => None,
    };
    let body = html! {
        // A site has the logs of its tournaments only.
        p { a href=(Address::of(&["log"]).with("stream", context.site.map_or("", |_| stream))) { "← log" } }
        h1 { "Event " (seq) }
        nav.views aria-label="Neighbours" {
            @if let Some(before) = before { a rel="prev" href=(neighbour(before)) { "← event " (before) } }
            @if let Some(after) = after { a rel="next" href=(neighbour(after)) { "event " (after) " →" } }
            a href=(Address::of(&["log"]).with("stream", stream)) { "all of " (escaped(stream)) }
            @if let Some(own) = own { a href=(own) { "its page" } }
        }
        p.what { (one_line(&narrative.what)) }
        @if let Some(why) = &narrative.why { p { "Why: " (one_line(why)) } }
        @for (by, change) in &corrections {
            p { "This event is " (change) " by " a href=(neighbour(*by)) { "event " (by) } "." }
        }
        (document(context, &Document::new("").facts(facts), &zone))
        h2 { "Payload" }
        pre { (annals_report::harmless(&serde_json::to_string_pretty(&payload)?)) }
        h2 { "Proof" }
        p { "The proof shows that this event, with every field above, is in the log of a receipt. Your browser computes it: paste a
             receipt that you got elsewhere, so that you need not trust this server." }
        @if let Some(proof) = &own_proof { script id="own-proof" type="application/json" { (PreEscaped(proof)) } }
        form id="proof" data-proof=(Address::of(&["log", &seq.to_string(), "proof"]).ending("json")) {
            label { "Receipt " textarea name="receipt" rows="3" cols="80" spellcheck="false" placeholder="annals-head/1 log=… seq=… hash=… root=…" {} }
            button type="submit" { "Verify in this browser" }
        }
        p #verdict role="status" aria-live="polite" {}
        p.note { "Without a script: " a href=(Address::of(&["log", &seq.to_string(), "proof"]).ending("json")) { "the proof as JSON" }
            ", which " a href="/assets/check_proof.py" { "check_proof.py" } " checks: " code { "python3 check_proof.py proof.json RECEIPT" } "." }
    };
    let json = json!({ "event": event, "what": narrative.what, "why": narrative.why, "proof": proof });
    Ok(Page::new(format!("Event {seq}"), body, &json)?.script("proof.js").into())
}

/// The corrections of an event, and whether they strike it.
fn corrections(
    log: &annals_store::Log,
    event: &annals_events::RawEnvelope,
) -> Result<Vec<(u64, &'static str)>, Failure> {
    use annals_events::log::Change;
    use annals_events::{Event, LogEvent};
    let mut found = Vec::new();
    for other in log.stream(&event.stream, u64::MAX)? {
        if let Ok(Event::Log(LogEvent::Correction(correction))) = other.decode()
            && correction.corrects == event.seq
        {
            found.push((
                other.seq,
                if matches!(correction.change, Change::Strike) { "struck" } else { "corrected" },
            ));
        }
    }
    Ok(found)
}

/// The inclusion proof as JSON, as `annals log prove` prints it; with `receipt`, also the proof that the present log begins
/// with the one of the receipt.
pub fn proof(context: &Context<'_>, seq: &str) -> Result<Reply, Failure> {
    let inclusion = prove(context, seq)?;
    let title = format!("Proof of event {}", inclusion.event.seq);
    let json = match context.request.get("receipt") {
        None => serde_json::to_value(&inclusion)?,
        Some(receipt) => {
            let receipt: Head = receipt.parse().map_err(Failure::bad)?;
            let consistency = context.log()?.prove_consistency(&receipt)?;
            json!({ "inclusion": inclusion, "consistency": consistency })
        }
    };
    let body = html! {
        h1 { (title) }
        pre { (annals_report::harmless(&serde_json::to_string_pretty(&json)?)) }
    };
    Page::new(title, body, &json).map(Reply::from)
}

fn prove(context: &Context<'_>, seq: &str) -> Result<InclusionProof, Failure> {
    let number =
        seq.parse().map_err(|_| Failure::bad("expected the number of an event").reason(one_line(seq)))?;
    Ok(context.log()?.prove_inclusion(number)?)
}
