#!/usr/bin/env python3
"""Checks a proof that Annals printed, with nothing but Python's standard library.

    check_proof.py PROOF.json RECEIPT [RECEIPT]

PROOF is what `annals log prove` prints. RECEIPT is a line `annals-head/1 log=… seq=… hash=… root=…`
that you kept, or were given by somebody you trust, or @FILE with such lines; an inclusion proof needs the one of its
head, a consistency proof those of its earlier and its later head. Exit status: 0 proven, 1 not proven, 2 misuse.

The hashing is that of store/src/chain.rs and of RFC 6962 (verification as in RFC 9162, 2.1.3.2 and 2.1.4.2).
"""
import hashlib
import json
import re
import struct
import sys

TEXT, ID, HASH = r"(?s)[^\ud800-\udfff]*", "[0-9a-f]{32}", "[0-9a-f]{64}"
COUNT, SCHEMA, TIME = range(1, 2**63), range(1, 2**32), range(-2**63, 2**63)
EVENT = dict(seq=COUNT, stream=TEXT, version=COUNT, id=ID, type=TEXT, schema=SCHEMA, effective_at=TIME, recorded_at=TIME,
             actor=TEXT, payload=TEXT, previous_hash=HASH, hash=HASH)
HEAD = dict(log=ID, seq=COUNT, hash=HASH, root=HASH)
RECEIPT = f"annals-head/1 log={ID} seq=[1-9][0-9]* hash={HASH} root={HASH}"
FORMS = {"annals-inclusion/1": dict(format=TEXT, event=EVENT, head=HEAD, path=[HASH]),
         "annals-consistency/1": dict(format=TEXT, old=HEAD, new=HEAD, path=[HASH], last_of_old=[HASH])}


def is_of(form, value):
    """Whether a value is exactly of a form: an expression for a text, a range, a list, or a dict of forms."""
    if isinstance(form, dict):
        return type(value) is dict and value.keys() == form.keys() and all(is_of(form[k], value[k]) for k in form)
    if isinstance(form, list):
        return type(value) is list and all(is_of(form[0], item) for item in value)
    if isinstance(form, range):
        return type(value) is int and value in form
    return type(value) is str and re.fullmatch(form, value) is not None


def once(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def sha(data):
    return hashlib.sha256(data).digest()


def event_hash(e):
    data = b"annals/event/v1\0" + bytes.fromhex(e["previous_hash"])
    for name in list(EVENT)[:-2]:
        field = (struct.pack(">q", e[name]) if isinstance(EVENT[name], range)
                 else bytes.fromhex(e[name]) if name == "id" else e[name].encode("utf-8"))
        data += struct.pack(">I", len(field)) + field
    return sha(data)


def climb(position, last, hashes, siblings):
    """Folds siblings into several hashes at once: (grows on the right too, hash)."""
    for sibling in siblings:
        if last == 0:
            return None
        right = position & 1 or position == last
        hashes = [(both, sha(b"\1" + sibling + h) if right else sha(b"\1" + h + sibling) if both else h)
                  for both, h in hashes]
        while right and not position & 1 and position:
            position, last = position >> 1, last >> 1
        position, last = position >> 1, last >> 1
    return [h for _, h in hashes] if last == 0 else None


def included(leaf, index, size, path, root):
    return 0 <= index < size and climb(index, size - 1, [(True, sha(b"\0" + leaf))], path) == [root]


def consistent(old, old_root, new, new_root, path):
    if old == new:
        return old > 0 and not path and old_root == new_root
    if not 0 < old < new:
        return False
    path = ([old_root] if old & (old - 1) == 0 else []) + path
    position, last = old - 1, new - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    return bool(path) and climb(position, last, [(False, path[0]), (True, path[0])], path[1:]) == [old_root, new_root]


def head_line(head):
    return "annals-head/1 log={log} seq={seq} hash={hash} root={root}".format(**head)


def receipts_of(words):
    """The receipts of the command line: lines, or files of lines. Ends the program where a word is neither."""
    lines = []
    for word in words:
        try:
            text = open(word[1:], encoding="utf-8").read() if word.startswith("@") else word
        except (OSError, ValueError) as error:
            sys.exit(misuse(f"{word[1:]}: {error}"))
        found = [line.strip() for line in text.splitlines() if line.strip()]
        lines += found
        if not found or not all(re.fullmatch(RECEIPT, line) for line in found):
            sys.exit(misuse(f"`{word}` is no receipt: expected annals-head/1 log=… seq=… hash=… root=…, or @FILE"))
    return lines


def misuse(why):
    print(f"error: {why}", file=sys.stderr)
    return 2


def another_moment(head, receipts):
    """What to do where no receipt is that of a head, but one is of the same log."""
    for receipt in receipts:
        _, log, seq, _, _ = receipt.split()
        if head_line(head) not in receipts and log == f"log={head['log']}" and seq != f"seq={head['seq']}":
            print(f"    the receipt is of event {seq[4:]} of the same log, and the head is of event {head['seq']}")
            print(f"next: annals log verify --receipt \"{receipt}\" --receipt \"{head_line(head)}\"")
            return


def check(proof, receipts):
    raw = bytes.fromhex
    name = proof.get("format") if type(proof) is dict else None
    if type(name) is not str or not is_of(FORMS.get(name, []), proof):
        return {"the document is a proof of a known format, each value of its kind": False}
    if name == "annals-inclusion/1":
        event, head = proof["event"], proof["head"]
        genesis = sha(b"annals/log/v1\0" + raw(head["log"])).hex()
        return {
            "the receipt is that of the proof's head": head_line(head) in receipts,
            "the fields make the event's hash": event_hash(event).hex() == event["hash"],
            "the chain starts from the log's id": event["seq"] != 1 or event["previous_hash"] == genesis,
            "the head's hash is that of its last event": event["seq"] != head["seq"] or event["hash"] == head["hash"],
            "the event is under the root": included(raw(event["hash"]), event["seq"] - 1, head["seq"],
                                                    [raw(h) for h in proof["path"]], raw(head["root"])),
        }
    old, new = proof["old"], proof["new"]
    return {
        "the receipts are those of the two heads": {head_line(old), head_line(new)} <= set(receipts),
        "both are of one log": old["log"] == new["log"],
        "the later tree begins with the earlier": consistent(
            old["seq"], raw(old["root"]), new["seq"], raw(new["root"]), [raw(h) for h in proof["path"]]),
        "the earlier log's last event is in the later, at its place": included(
            raw(old["hash"]), old["seq"] - 1, new["seq"], [raw(h) for h in proof["last_of_old"]], raw(new["root"])),
    }


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            document = json.load(file, object_pairs_hook=once)
    except (OSError, ValueError, RecursionError) as error:
        print(f"error: {sys.argv[1]}: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, OSError) else 1)
    kept = receipts_of(sys.argv[2:])
    results = check(document, kept)
    for what, holds in results.items():
        print("yes" if holds else "NO ", what)
    if "old" in document and len(kept) < 2:
        print("next: give the receipts of both heads, the earlier and the later")
    elif len(results) > 1:
        another_moment(document.get("head") or document["new"], kept)
    sys.exit(0 if all(results.values()) else 1)
