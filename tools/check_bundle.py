#!/usr/bin/env python3
"""Checks a bundle of evidence that Annals wrote, with nothing but Python's standard library.

    check_bundle.py BUNDLE.json RECEIPT

BUNDLE is what `annals log bundle` writes. RECEIPT is a line `annals-head/1 log=… seq=… hash=… root=…` that you
kept, or were given by somebody you trust, or @FILE with such lines: the head of the log when the bundle was made. Shown is then that every
event in the bundle is in that log, unchanged, at its place; and that each stream is whole from its first event to
the last one given. What the audit found is printed too, but it proves nothing: it can be computed from the events.
Exit status: 0 proven, 1 not proven, 2 misuse.
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from check_proof import COUNT, EVENT, HASH, HEAD, TEXT, event_hash, is_of, sha  # noqa: E402
from check_proof import check as check_proof  # noqa: E402
from check_proof import another_moment, head_line, receipts_of  # noqa: E402

FORMATS = "annals-bundle/1", "annals-bundle/2"


FINDING = dict(seq=COUNT, code=TEXT, message=TEXT)


def refuse_malformed(verdicts):
    """Raises an error that names the first verdict or finding without a member that the format has."""
    for number, verdict in enumerate(verdicts, 1):
        if type(verdict) is not dict or type(verdict.get("stream")) is not str or type(verdict.get("findings")) is not list:
            raise ValueError(f"verdict {number} needs a `stream` and a list of `findings`")
        for at, finding in enumerate(verdict["findings"], 1):
            for name, form in FINDING.items():
                if type(finding) is not dict or not is_of(form, finding.get(name)):
                    raise ValueError(f"finding {at} about {verdict['stream']} has no valid `{name}`")


def proof_of(bundle, proven):
    return {"format": "annals-inclusion/1", "event": proven["event"], "head": bundle["head"], "path": proven["path"]}


def canonical(text):
    """Whether a payload is canonical JSON: sorted keys, no insignificant space. (All its numbers are integers.)"""
    value = json.loads(text)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) == text


def check_event(bundle, proven, receipt):
    """What of one event does not hold, in the earlier format, which has a path for each."""
    results = check_proof(proof_of(bundle, proven), [receipt])
    return [what for what, holds in results.items() if not holds]


def check_plain(head, event):
    """What of one event does not hold, apart from its place under the root."""
    if not is_of(EVENT, event):
        return ["each value is of its kind"]
    genesis = sha(b"annals/log/v1\0" + bytes.fromhex(head["log"])).hex()
    results = {
        "the fields make the event's hash": event_hash(event).hex() == event["hash"],
        "the chain starts from the log's id": event["seq"] != 1 or event["previous_hash"] == genesis,
        "the head's hash is that of its last event": event["seq"] != head["seq"] or event["hash"] == head["hash"],
    }
    return [what for what, holds in results.items() if not holds]


def root_of(start, end, events, nodes):
    """The root of the leaves `start` to `end`: `nodes` has the roots of the largest subtrees without an event."""
    if not events:
        return bytes.fromhex(next(nodes))
    if end - start == 1:
        (event,) = events
        return sha(b"\0" + bytes.fromhex(event["hash"]))
    middle = start + (1 << ((end - start - 1).bit_length() - 1))
    left = [event for event in events if event["seq"] <= middle]
    return sha(b"\1" + root_of(start, middle, left, nodes) + root_of(middle, end, events[len(left):], nodes))


def check_root(bundle, events):
    """Whether all events are under the root, with the roots of what is between them."""
    head, nodes = bundle["head"], bundle["nodes"]
    if not is_of(HEAD, head) or not is_of([HASH], nodes) or not all(1 <= e["seq"] <= head["seq"] for e in events):
        return False
    nodes = iter(nodes)
    try:
        return root_of(0, head["seq"], events, nodes).hex() == head["root"] and next(nodes, None) is None
    except (StopIteration, ValueError):
        return False


def check_order(events):
    seqs = [event["seq"] for event in events]
    times = [event["recorded_at"] for event in events]
    return all(a < b for a, b in zip(seqs, seqs[1:])) and all(a <= b for a, b in zip(times, times[1:]))


def check_streams(bundle, events):
    """Whether the streams are whole: versions 1, 2, 3 … up to the number that is stated, and nothing else there."""
    versions = {}
    for event in events:
        versions.setdefault(event["stream"], []).append(event["version"])
    stated = {stream["stream"]: stream["events"] for stream in bundle["streams"]}
    return (bundle["about"] in stated and set(versions) == {name for name, events in stated.items() if events}
            and all(versions.get(name, []) == list(range(1, events + 1)) for name, events in stated.items()))


def check(bundle, receipt):
    """Every statement with whether it holds; then the first event that is wrong, and why."""
    if bundle.get("format") not in FORMATS:
        return {"the format is known": False}, None
    if bundle["format"] == "annals-bundle/1":
        events = [proven["event"] for proven in bundle["events"]]
        wrong = [(proven["event"]["seq"], broken) for proven in bundle["events"]
                 if (broken := check_event(bundle, proven, receipt))]
    else:
        events = bundle["events"]
        wrong = [(event["seq"], broken) for event in events if (broken := check_plain(bundle["head"], event))]
        if not wrong and not check_root(bundle, events):
            wrong = [(events[0]["seq"] if events else 0, ["the events are under the root"])]
    refuse_malformed(bundle["verdicts"])
    stated = {event["seq"] for event in events}
    found = {finding["seq"] for verdict in bundle["verdicts"] for finding in verdict["findings"]}
    return {
        "the receipt is that of the bundle's head": receipt == head_line(bundle["head"]),
        "there are events": bool(events),
        "every event is in the log, unchanged, at its place": not wrong,
        "the events stand in the order of the log": check_order(events),
        "every stream is whole, from its first event on": check_streams(bundle, events),
        "every payload is canonical JSON": all(canonical(event["payload"]) for event in events),
        "every finding is about an event of the bundle": found <= stated,
        "every verdict is about a stream of the bundle":
            {verdict["stream"] for verdict in bundle["verdicts"]} <= {stream["stream"] for stream in bundle["streams"]},
    }, wrong[0] if wrong else None


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    kept = receipts_of(sys.argv[2:])
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            bundle = json.load(file)
        line = head_line(bundle["head"])
        results, wrong = check(bundle, line if line in kept else kept[0])
    except KeyError as error:
        print(f"NO  the bundle can be read: it has no `{error.args[0]}`")
        return 1
    except (AttributeError, IndexError, OSError, TypeError, ValueError) as error:
        print(f"NO  the bundle can be read: {type(error).__name__}: {error}")
        return 1
    for what, holds in results.items():
        print("yes" if holds else "NO ", what)
    if wrong:
        print(f"    the first that is not: event {wrong[0]}: not so: {'; '.join(wrong[1])}")
    if all(results.values()):
        for stream in bundle["streams"]:
            print(f"    {stream['stream']}: versions 1 to {stream['events']}")
        if any(verdict["findings"] for verdict in bundle["verdicts"]):
            print("claimed by whoever made the bundle, and not proven (compute it from the events):")
        for verdict in bundle["verdicts"]:
            for finding in verdict["findings"]:
                print(f"    {verdict['stream']}, event {finding['seq']}: {finding['message']} [{finding['code']}]")
        print(f"proven: {len(bundle['events'])} events of {bundle['about']} and what belongs to it, up to these versions; "
              "that there are no later ones is not proven")
    else:
        another_moment(bundle["head"], kept)
        print("not proven")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
