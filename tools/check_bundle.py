#!/usr/bin/env python3
"""Checks a bundle of evidence that Annals wrote, with nothing but Python's standard library.

    check_bundle.py BUNDLE.json RECEIPT

BUNDLE is what `annals log bundle` writes. RECEIPT is a line `annals-head/1 log=… seq=… hash=… root=…` that you
kept, or were given by somebody you trust: the head of the log when the bundle was made. Shown is then that every
event in the bundle is in that log, unchanged, at its place; and that each stream is whole from its first event to
the last one given. What the audit found is printed too, but it proves nothing: it can be computed from the events.
Exit status: 0 proven, 1 not proven, 2 misuse.
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from check_proof import check as check_proof  # noqa: E402
from check_proof import head_line  # noqa: E402


def proof_of(bundle, proven):
    return {"format": "annals-inclusion/1", "event": proven["event"], "head": bundle["head"], "path": proven["path"]}


def canonical(text):
    """Whether a payload is canonical JSON: sorted keys, no insignificant space. (All its numbers are integers.)"""
    value = json.loads(text)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) == text


def check_event(bundle, proven, receipt):
    """What of one event does not hold."""
    results = check_proof(proof_of(bundle, proven), [receipt])
    return [what for what, holds in results.items() if not holds]


def check_order(events):
    seqs = [proven["event"]["seq"] for proven in events]
    times = [proven["event"]["recorded_at"] for proven in events]
    return all(a < b for a, b in zip(seqs, seqs[1:])) and all(a <= b for a, b in zip(times, times[1:]))


def check_streams(bundle):
    """Whether the streams are whole: versions 1, 2, 3 … up to the number that is stated, and nothing else there."""
    versions = {}
    for proven in bundle["events"]:
        versions.setdefault(proven["event"]["stream"], []).append(proven["event"]["version"])
    stated = {stream["stream"]: stream["events"] for stream in bundle["streams"]}
    return (bundle["about"] in stated and set(versions) == {name for name, events in stated.items() if events}
            and all(versions.get(name, []) == list(range(1, events + 1)) for name, events in stated.items()))


def check(bundle, receipt):
    """Every statement with whether it holds; then the first event that is wrong, and why."""
    if bundle.get("format") != "annals-bundle/1":
        return {"the format is known": False}, None
    events = bundle["events"]
    wrong = [(proven["event"]["seq"], broken) for proven in events
             if (broken := check_event(bundle, proven, receipt))]
    stated = {proven["event"]["seq"] for proven in events}
    found = {finding["seq"] for verdict in bundle["verdicts"] for finding in verdict["findings"]}
    return {
        "the receipt is that of the bundle's head": receipt == head_line(bundle["head"]),
        "there are events": bool(events),
        "every event is in the log, unchanged, at its place": not wrong,
        "the events stand in the order of the log": check_order(events),
        "every stream is whole, from its first event on": check_streams(bundle),
        "every payload is canonical JSON": all(canonical(proven["event"]["payload"]) for proven in events),
        "every finding is about an event of the bundle": found <= stated,
        "every verdict is about a stream of the bundle":
            {verdict["stream"] for verdict in bundle["verdicts"]} <= {stream["stream"] for stream in bundle["streams"]},
    }, wrong[0] if wrong else None


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            bundle = json.load(file)
        results, wrong = check(bundle, sys.argv[2].strip())
    except (AttributeError, IndexError, KeyError, OSError, TypeError, ValueError) as error:
        print(f"NO  the bundle can be read: {type(error).__name__}: {error}")
        return 1
    for what, holds in results.items():
        print("yes" if holds else "NO ", what)
    if wrong:
        print(f"    the first that is not: event {wrong[0]}: not so: {'; '.join(wrong[1])}")
    if all(results.values()):
        print(f"proven: {len(bundle['events'])} events of {bundle['about']} and what belongs to it, up to these versions; "
              "that there are no later ones is not proven:")
        for stream in bundle["streams"]:
            print(f"    {stream['stream']}: versions 1 to {stream['events']}")
        if any(verdict["findings"] for verdict in bundle["verdicts"]):
            print("claimed by whoever made the bundle, and not proven (compute it from the events):")
        for verdict in bundle["verdicts"]:
            for finding in verdict["findings"]:
                print(f"    {verdict['stream']}, event {finding['seq']}: {finding['message']} [{finding['code']}]")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
