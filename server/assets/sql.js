// Completes names of the schema in the field of a query, and moves the cursor to the place of an error. Without this script the
// field is plain.
'use strict';
(() => {
  const KEYWORDS = ('ALL AND AS ASC BETWEEN BY CASE CAST CROSS DESC DISTINCT ELSE END EXCEPT EXISTS FALSE FROM FULL GROUP HAVING ILIKE IN '
    + 'INNER INTERSECT INTERVAL IS JOIN LEFT LIKE LIMIT NOT NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION RIGHT SELECT THEN TRUE '
    + 'UNION USING VALUES WHEN WHERE WITH').split(' ');
  const MOST = 12;
  const field = () => document.getElementById('q');
  let [schema, names] = [null, null];

  // The words of the schema on the page, read once.
  function words() {
    const found = document.getElementById('schema');
    if (found !== schema) {
      schema = found;
      const tables = new Map();
      for (const table of found ? found.querySelectorAll('[data-table]') : []) {
        tables.set(table.dataset.table, [...table.querySelectorAll('li code')].map((code) => code.textContent));
      }
      const functions = found ? found.querySelector('.functions').textContent.split(' ') : [];
      names = { tables, all: [...new Set([...tables.keys(), ...[...tables.values()].flat(), ...functions])].sort() };
    }
    return names;
  }

  // The word before the cursor and what may complete it; after `t.` the columns of t, which may be an alias.
  function candidates(text, cursor, forced) {
    const before = text.slice(0, cursor);
    const [, owner, word] = /(?:([\p{L}\p{N}_]+)\.)?([\p{L}\p{N}_]*)$/u.exec(before);
    if ((before.split("'").length - 1) % 2 || (!owner && !word && !forced)) return { word, list: [] };
    const { tables, all } = words();
    const begins = (name) => name.toLowerCase().startsWith(word.toLowerCase()) && name !== word;
    if (owner) {
      const alias = new RegExp(`([\\p{L}\\p{N}_]+)(?:\\s+as)?\\s+${owner}(?![\\p{L}\\p{N}_])`, 'giu');
      const named = [owner, ...[...text.matchAll(alias)].map((match) => match[1])].find((name) => tables.has(name));
      return { word, list: (tables.get(named) || []).filter(begins) };
    }
    const upper = word === word.toUpperCase();
    const keywords = KEYWORDS.map((keyword) => (upper ? keyword : keyword.toLowerCase()));
    return { word, list: [...all.filter(begins), ...keywords.filter(begins)] };
  }

  function element(name, properties) {
    return Object.assign(document.createElement(name), properties);
  }

  function close() {
    const list = document.getElementById('words');
    if (!list || list.hidden) return;
    list.hidden = true;
    list.replaceChildren();
    field().removeAttribute('aria-activedescendant');
    document.getElementById('heard').textContent = '';
  }

  // The list below the field, made when the field is first used.
  function listbox() {
    const known = document.getElementById('words');
    if (known) return known;
    const list = element('ul', { id: 'words', hidden: true });
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', 'Completions');
    const heard = element('p', { id: 'heard', className: 'heard' });
    heard.setAttribute('role', 'status');
    field().after(list, heard);
    field().setAttribute('aria-autocomplete', 'list');
    field().setAttribute('aria-controls', 'words');
    field().setAttribute('aria-describedby', 'keys');
    document.getElementById('keys').hidden = false;
    return list;
  }

  function open(forced) {
    const list = listbox();
    const area = field();
    const { word, list: found } = candidates(area.value, area.selectionStart, forced);
    close();
    if (!found.length || area.selectionStart !== area.selectionEnd) return;
    list.dataset.length = word.length;
    found.slice(0, MOST).forEach((name, place) => {
      const option = element('li', { id: `word-${place}`, textContent: name });
      option.setAttribute('role', 'option');
      option.setAttribute('aria-selected', 'false');
      list.append(option);
    });
    list.hidden = false;
    document.getElementById('heard').textContent = found.length > MOST
      ? `${MOST} of ${found.length} words` : found.length === 1 ? '1 word' : `${found.length} words`;
  }

  const chosen = () => document.querySelector('#words [aria-selected="true"]');

  function choose(step) {
    const options = [...document.querySelectorAll('#words [role="option"]')];
    const at = options.indexOf(chosen());
    const next = options[at < 0 ? (step > 0 ? 0 : options.length - 1) : (at + step + options.length) % options.length];
    for (const option of options) option.setAttribute('aria-selected', String(option === next));
    field().setAttribute('aria-activedescendant', next.id);
    next.scrollIntoView({ block: 'nearest' });
  }

  function insert(option) {
    const area = field();
    const from = area.selectionStart - Number(document.getElementById('words').dataset.length);
    area.setRangeText(option.textContent, from, area.selectionStart, 'end');
    close();
    area.focus();
  }

  // A button that puts the cursor where the error is.
  function place() {
    const error = document.querySelector('pre.error');
    const found = error && /\(line (\d+), column (\d+)\)/.exec(error.textContent);
    if (!found || document.getElementById('to-error')) return;
    const [line, column] = [Number(found[1]), Number(found[2])];
    const button = element('button', { id: 'to-error', type: 'button', textContent: `Go to line ${line}, column ${column}` });
    button.addEventListener('click', () => {
      const lines = field().value.split('\n').slice(0, line - 1);
      const at = lines.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
      const rest = /^[\p{L}\p{N}_]+/u.exec(field().value.slice(at));
      field().focus();
      field().setSelectionRange(at, at + (rest ? rest[0].length : 1));
    });
    error.after(button);
  }

  document.addEventListener('input', (event) => { if (event.target.id === 'q') open(false); });
  document.addEventListener('focusin', (event) => { if (event.target.id === 'q') listbox(); });
  document.addEventListener('focusout', (event) => { if (event.target.id === 'q') close(); });
  // Before the field loses the focus.
  document.addEventListener('mousedown', (event) => {
    const option = event.target.closest('#words [role="option"]');
    if (option) { event.preventDefault(); insert(option); }
  });
  document.addEventListener('keydown', (event) => {
    if (event.target.id !== 'q') return;
    const list = document.getElementById('words');
    const isOpen = list && !list.hidden;
    if (event.ctrlKey && event.key === 'Enter') { event.preventDefault(); field().form.requestSubmit(); return; }
    if (event.ctrlKey && event.key === ' ') { event.preventDefault(); open(true); return; }
    if (!isOpen) return;
    if (event.key === 'Escape') { event.preventDefault(); close(); }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') { event.preventDefault(); choose(event.key === 'ArrowDown' ? 1 : -1); }
    if (event.key === 'Enter' && chosen()) { event.preventDefault(); insert(chosen()); }
  });
  new MutationObserver(place).observe(document.body, { childList: true, subtree: true });
  place();
})();
