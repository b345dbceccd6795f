// Verifies the proof of an event in the browser. The hashing is that of store/src/chain.rs and of RFC 9162, 2.1.3.2 and 2.1.4.2.
'use strict';
(() => {
  const text = new TextEncoder();
  const hex = (string) => Uint8Array.from(string.match(/../g) || [], (pair) => parseInt(pair, 16));
  const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const join = (...parts) => {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let place = 0;
    for (const part of parts) { all.set(part, place); place += part.length; }
    return all;
  };
  const sha = async (...parts) => new Uint8Array(await crypto.subtle.digest('SHA-256', join(...parts)));
  const same = (a, b) => toHex(a) === toHex(b);
  const integer = (value, bytes, bits = 64) => {
    const view = new DataView(new ArrayBuffer(bytes));
    if (bits === 32) view.setUint32(0, value); else view.setBigInt64(0, BigInt(value));
    return new Uint8Array(view.buffer);
  };
  const exact = (value) => Number.isSafeInteger(value);

  function receipt(line) {
    const found = /^annals-head\/1 log=([0-9a-f]{32}) seq=([1-9][0-9]*) hash=([0-9a-f]{64}) root=([0-9a-f]{64})$/.exec(line.trim());
    if (!found || !exact(Number(found[2]))) throw new Error('this is not a receipt: expected one line annals-head/1 log=… seq=… hash=… root=…');
    return { log: found[1], seq: Number(found[2]), hash: found[3], root: found[4] };
  }

  async function eventHash(event) {
    for (const name of ['seq', 'version', 'schema', 'effective_at', 'recorded_at']) {
      if (!exact(event[name])) throw new Error(`${name} is larger than a browser counts exactly; use tools/check_proof.py`);
    }
    const fields = [integer(event.seq, 8), text.encode(event.stream), integer(event.version, 8), hex(event.id), text.encode(event.type),
      integer(event.schema, 8), integer(event.effective_at, 8), integer(event.recorded_at, 8), text.encode(event.actor),
      text.encode(event.payload)];
    const parts = fields.flatMap((field) => [integer(field.length, 4, 32), field]);
    return sha(text.encode('annals/event/v1\0'), hex(event.previous_hash), ...parts);
  }

  const node = (left, right) => sha(Uint8Array.of(1), left, right);

  // Folds siblings into hashes at once; the first of two does not grow on the right.
  async function climb(position, last, hashes, siblings) {
    for (const sibling of siblings) {
      if (last === 0) return null;
      const right = position % 2 === 1 || position === last;
      hashes = await Promise.all(hashes.map(async ([grows, hash]) =>
        [grows, right ? await node(sibling, hash) : grows ? await node(hash, sibling) : hash]));
      while (right && position % 2 === 0 && position) { position = Math.floor(position / 2); last = Math.floor(last / 2); }
      position = Math.floor(position / 2);
      last = Math.floor(last / 2);
    }
    return last === 0 ? hashes.map(([, hash]) => hash) : null;
  }

  async function included(hash, index, size, path, root) {
    if (index < 0 || index >= size) return false;
    const leaf = await sha(Uint8Array.of(0), hash);
    const found = await climb(index, size - 1, [[true, leaf]], path);
    return found !== null && same(found[0], root);
  }

  async function consistent(old, oldRoot, now, root, path) {
    if (old === now) return path.length === 0 && same(oldRoot, root);
    if (!(old > 0 && old < now)) return false;
    let power = 1;
    while (power < old) power *= 2;
    const all = power === old ? [oldRoot, ...path] : path;
    if (!all.length) return false;
    let [position, last] = [old - 1, now - 1];
    while (position % 2 === 1) { position = Math.floor(position / 2); last = Math.floor(last / 2); }
    const found = await climb(position, last, [[false, all[0]], [true, all[0]]], all.slice(1));
    return found !== null && same(found[0], oldRoot) && same(found[1], root);
  }

  // Every check with its outcome, in order.
  async function check(head, { inclusion, consistency }) {
    const { event, head: now } = inclusion;
    const [path, root] = [inclusion.path.map(hex), hex(now.root)];
    const isSame = ['log', 'seq', 'hash', 'root'].every((name) => head[name] === now[name]);
    const checks = [
      ['the fields of the event give its hash', toHex(await eventHash(event)) === event.hash],
      ['the event is under the root of the present log', await included(hex(event.hash), event.seq - 1, now.seq, path, root)],
      ['the log is that of the receipt', now.log === head.log],
    ];
    if (event.seq === 1) {
      const genesis = await sha(text.encode('annals/log/v1\0'), hex(now.log));
      checks.push(['the chain starts from the identity of the log', toHex(genesis) === event.previous_hash]);
    }
    if (isSame) {
      checks.push(['the present log ends where the receipt does', true]);
    } else {
      const holds = consistency && consistency.old.root === head.root && consistency.old.seq === head.seq
        && consistency.new.root === now.root && consistency.new.seq === now.seq
        && await consistent(head.seq, hex(head.root), now.seq, root, consistency.path.map(hex))
        && await included(hex(head.hash), head.seq - 1, now.seq, consistency.last_of_old.map(hex), root);
      checks.push(['the present log begins with the log of the receipt', Boolean(holds)]);
    }
    if (event.seq === head.seq) checks.push(['the receipt names the hash of this event', event.hash === head.hash]);
    checks.push(['the receipt covers the event', event.seq <= head.seq]);
    return checks;
  }

  function line(parent, name, words, className) {
    const element = document.createElement(name);
    element.textContent = words;
    if (className) element.className = className;
    parent.append(element);
    return element;
  }

  // From the server; a page of a site has the proof for one receipt itself.
  async function proofFor(head, form, given) {
    const own = document.getElementById('own-proof');
    if (own) {
      const inclusion = JSON.parse(own.textContent);
      if (head.log === inclusion.head.log && head.seq !== inclusion.head.seq) {
        throw new Error(`this file has the proof for the receipt of event ${inclusion.head.seq} only; for another, see annals log prove --since RECEIPT`);
      }
      return { inclusion };
    }
    const response = await fetch(`${form.dataset.proof}?receipt=${encodeURIComponent(given.trim())}`);
    const proof = await response.json();
    if (!response.ok) throw new Error(proof.error || 'the server has no proof');
    return proof;
  }

  async function verify(form) {
    const verdict = document.getElementById('verdict');
    verdict.replaceChildren();
    try {
      if (!window.crypto || !crypto.subtle) {
        throw new Error('this browser has no WebCrypto here (it needs HTTPS or this machine); save the proof and run check_proof.py');
      }
      const given = form.elements.receipt.value;
      const head = receipt(given);
      const proof = await proofFor(head, form, given);
      const checks = await check(head, proof);
      const holds = checks.every(([, outcome]) => outcome);
      line(verdict, 'span', holds ? 'Proven: this event is in the log of your receipt.' : 'NOT proven.', holds ? 'yes' : 'no');
      const list = document.createElement('ul');
      for (const [words, outcome] of checks) line(list, 'li', `${outcome ? 'yes' : 'NO'}: ${words}`);
      verdict.append(list);
      line(verdict, 'span', 'What was proven, as hashed:');
      line(verdict, 'pre', JSON.stringify(proof.inclusion.event, null, 2));
    } catch (error) {
      line(verdict, 'span', `Not verified: ${error.message}`, 'no');
    }
  }

  document.addEventListener('submit', (event) => {
    if (event.target.id !== 'proof') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    verify(event.target);
  }, true);
})();
