// Sets up a position by clicking or by keys: a palette of pieces, and a button for each square. The result is written into the field
// of the position, so that the address has it. Without this script the field takes a pasted board.
'use strict';
(() => {
  const PIECES = {
    arimaa: [['.', 'empty'], ...['gold', 'silver'].flatMap((side) => ['elephant', 'mcamel', 'horse', 'dog', 'cat', 'rabbit'].map((name) =>
      [side === 'gold' ? name[0].toUpperCase() : name[0], `${side} ${name.replace('mcamel', 'camel')}`]))],
    amazons: [['.', 'empty'], ['W', 'white queen'], ['B', 'black queen'], ['x', 'arrow']],
  };

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function build(box) {
    const { game } = box.dataset;
    const pieces = PIECES[game];
    const rows = game === 'arimaa' ? box.dataset.board.match(/.{8}/g) : box.dataset.board.split('/');
    const cells = rows.map((row) => [...row]);
    const field = document.getElementById('position');
    const name = (file, row) => `${String.fromCharCode(97 + file)}${cells.length - row}`;
    const isTrap = (file, row) => game === 'arimaa' && [2, 5].includes(file) && [2, 5].includes(row);
    const chosen = () => box.querySelector('input:checked').value;
    const word = (sign) => pieces.find(([known]) => known === sign)[1];

    const palette = element('fieldset', {}, element('legend', { textContent: 'Piece' }));
    pieces.forEach(([sign, text], place) => {
      const input = element('input', { type: 'radio', name: 'piece', value: sign, checked: place === 1 });
      // Not a parameter of the form.
      input.setAttribute('form', 'no-form');
      palette.append(element('label', {}, input, ` ${sign === '.' ? '' : `${sign} `}${text}`), ' ');
    });

    function show(button, file, row) {
      const sign = cells[row][file];
      button.textContent = sign === '.' ? '' : sign;
      const side = sign === '.' || sign === 'x' ? '' : game === 'amazons' ? '' : sign === sign.toUpperCase() ? 'gold' : 'silver';
      button.className = `${(file + row) % 2 ? 'dark' : ''} ${isTrap(file, row) ? 'trap' : ''} ${side}`;
      button.setAttribute('aria-label', `${name(file, row)}: ${word(sign)}`);
    }

    const buttons = cells.map((row, rank) => row.map((_, file) => {
      const button = element('button', { type: 'button', tabIndex: rank || file ? -1 : 0 });
      show(button, file, rank);
      button.addEventListener('click', () => {
        cells[rank][file] = cells[rank][file] === chosen() ? '.' : chosen();
        show(button, file, rank);
        field.value = cells.map((signs) => signs.join('')).join(game === 'arimaa' ? '' : '/');
      });
      button.addEventListener('keydown', (event) => {
        const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
        const next = by && buttons[rank + by[0]] && buttons[rank + by[0]][file + by[1]];
        const sign = pieces.find(([known]) => known === event.key);
        if (next) {
          button.tabIndex = -1;
          next.tabIndex = 0;
          next.focus();
        } else if (sign) {
          box.querySelector(`input[value="${CSS.escape(sign[0])}"]`).checked = true;
          if (cells[rank][file] !== sign[0]) button.click();
        }
        if (next || sign) { event.preventDefault(); event.stopPropagation(); }
      });
      return button;
    }));
    const table = element('table', {}, element('tbody', {}, ...buttons.map((row, rank) => element('tr', {},
      element('th', { scope: 'row', textContent: String(cells.length - rank) }), ...row.map((button) => element('td', {}, button))))));
    table.setAttribute('aria-label', 'Position to set up');
    const clear = element('button', { type: 'button', textContent: 'Empty the board' });
    clear.addEventListener('click', () => {
      buttons.forEach((row, rank) => row.forEach((button, file) => { cells[rank][file] = '.'; show(button, file, rank); }));
      field.value = cells.map((signs) => signs.join('')).join(game === 'arimaa' ? '' : '/');
    });
    box.append(palette, element('div', { className: 'wide' }, table), clear,
      element('p', { className: 'note', textContent: 'Choose a piece and a square; arrow keys move between squares, and a letter sets its piece. '
        + 'Then choose the side and Show.' }));
    box.hidden = false;
  }

  const ready = () => { for (const box of document.querySelectorAll('.setup[hidden]')) build(box); };
  new MutationObserver(ready).observe(document.body, { childList: true, subtree: true });
  ready();
})();
