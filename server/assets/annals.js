// Follows links without loading the whole page, keys, sliders, and the growing log. Every page works without this script.
'use strict';
(() => {
  const main = () => document.getElementById('main');
  // The pages of a site are files: no server answers.
  const isSite = 'site' in document.documentElement.dataset;
  let [latest, going, again, missed] = [0, 0, false, false];

  // Shows the page of an address in place of the present one. `keep` is for the same page with new content.
  async function show(address, options = {}) {
    // While a page is on its way, a change of the log waits: it drops no step of the reader.
    if (options.keep && going) { again = true; return; }
    const turn = going = ++latest;
    await replace(address, turn, options);
    if (turn !== latest) return;
    going = 0;
    if (again) { again = false; follow(); }
  }

  async function replace(address, turn, { push = true, keep = false }) {
    let text;
    try {
      const response = await fetch(address, { headers: { Accept: 'text/html' } });
      if (!(response.headers.get('content-type') || '').startsWith('text/html')) throw new Error('not a page');
      text = await response.text();
      address = response.url || address;
    } catch {
      if (!keep) location.href = address;
      return;
    }
    if (turn !== latest) return;
    const page = new DOMParser().parseFromString(text, 'text/html');
    const found = page.getElementById('main');
    if (!found) { location.href = address; return; }
    const focused = document.activeElement;
    const same = focused && main().contains(focused) ? sameOf(focused, keep) : undefined;
    main().replaceWith(found);
    document.title = page.title;
    if (push) history.pushState(null, '', address);
    enhance();
    if (same) {
      const again = found.querySelector(same);
      if (again) again.focus({ preventScroll: true });
    } else if (!keep) {
      found.focus({ preventScroll: true });
    }
  }

  // What finds the focused element again on the next page. A link that was followed is not there to be found.
  function sameOf(element, keep) {
    const { dataset } = element;
    for (const name of ['key', 'for']) if (dataset[name]) return `[data-${name}="${CSS.escape(dataset[name])}"]`;
    const address = element.getAttribute('href');
    return keep && address ? `a[href="${CSS.escape(address)}"]` : undefined;
  }

  // The dots of a map are one stop of Tab: the dot that was reached last.
  document.addEventListener('focusin', (event) => {
    const dot = event.target.closest('.map a');
    if (!dot) return;
    for (const other of dot.closest('.map').querySelectorAll('a[tabindex="0"]')) other.tabIndex = -1;
    dot.tabIndex = 0;
  });

  function moveAlong(dot, key) {
    const dots = [...dot.closest('.map').querySelectorAll('a')];
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 20, PageDown: -20, Home: -dots.length, End: dots.length };
    if (!steps[key]) return false;
    dots[Math.min(Math.max(dots.indexOf(dot) + steps[key], 0), dots.length - 1)].focus();
    return true;
  }

  function enhance() {
    if (isSite) {
      // All turns of a game are in its page, and the address names the one that is shown.
      const links = [...document.querySelectorAll('.turns a')];
      const shown = links.find((link) => link.hash === location.hash) || links.at(-1);
      for (const link of links) link.toggleAttribute('aria-current', link === shown);
      if (shown) shown.setAttribute('aria-current', 'true');
    }
    const current = document.querySelector('.turns a[aria-current]');
    if (current) {
      const list = current.closest('.turns');
      list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    scrollers();
    for (const slider of document.querySelectorAll('input.slider')) {
      let sum = 0;
      const times = slider.dataset.times.split(' ').filter(Boolean).map((step) => (sum += parseInt(step, 36)));
      if (!times.length) continue;
      slider.hidden = false;
      const field = slider.form.elements[slider.dataset.for];
      // Microseconds since 1970 as an RFC 3339 time. The last place is no bound.
      const text = () => {
        const at = times[Number(slider.value)];
        if (at === undefined) return '';
        const micros = ((at % 1e6) + 1e6) % 1e6;
        const whole = new Date((at - micros) / 1e3).toISOString().slice(0, 19);
        return whole + (micros ? '.' + String(micros).padStart(6, '0') : '') + 'Z';
      };
      slider.addEventListener('input', () => { field.value = text(); slider.setAttribute('aria-valuetext', text() || 'now'); });
      slider.addEventListener('change', () => { field.value = text(); submit(slider.form); });
    }
  }

  // Boxes that scroll and have no link of their own are reached with Tab.
  function scrollers() {
    for (const box of document.querySelectorAll('main pre, main .wide, main figure.chart')) {
      if (box.scrollWidth > box.clientWidth && !box.querySelector('a[href]')) box.tabIndex = 0;
      else box.removeAttribute('tabindex');
    }
  }

  // A page without a bound in time follows the log.
  function follow() {
    const bound = new URLSearchParams(location.search);
    const writes = main().contains(document.activeElement) && /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (bound.get('as_of') || bound.get('known_at') || location.pathname.startsWith('/sql')) return;
    // What a reader writes stays; the page follows when the field is left.
    missed = writes;
    if (!writes) show(location.href, { push: false, keep: true });
  }

  document.addEventListener('focusout', () => { if (missed) setTimeout(() => { if (missed) follow(); }); });

  function submit(form) {
    const parameters = new URLSearchParams(new FormData(form));
    for (const [name, value] of [...parameters]) if (value === '') parameters.delete(name);
    const address = new URL(form.getAttribute('action') || location.pathname, location.href);
    address.search = parameters.toString();
    show(address.href);
  }

  function isPage(address) {
    const last = address.pathname.split('/').pop();
    const isFile = /\.(json|csv|arrow|parquet|svg|trf|txt)$/.test(last);
    return !isSite && address.origin === location.origin && !isFile && !address.hash;
  }

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href]');
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const target = link.href.baseVal === undefined ? link.href : link.getAttribute('href');
    const address = new URL(target, location.href);
    // Another page may have scripts of its own.
    if (!isPage(address) || address.pathname !== location.pathname) return;
    event.preventDefault();
    show(address.href);
  });

  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (event.defaultPrevented || (form.method || 'get') !== 'get' || isSite) return;
    const address = new URL(form.getAttribute('action') || location.pathname, location.href);
    if (address.pathname !== location.pathname) return;
    event.preventDefault();
    submit(form);
  });

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const dot = event.target.closest('.map a');
    if (dot && moveAlong(dot, event.key)) { event.preventDefault(); return; }
    const links = [...document.querySelectorAll(`main [data-key="${CSS.escape(event.key)}"]`)];
    const link = links.find((each) => each.getClientRects().length);
    if (link) { event.preventDefault(); link.click(); }
  });

  addEventListener('resize', scrollers);
  document.addEventListener('toggle', scrollers, true);
  if (isSite) addEventListener('hashchange', enhance);
  else addEventListener('popstate', () => show(location.href, { push: false }));
  enhance();

  if (window.EventSource && !isSite) {
    const source = new EventSource('/live');
    source.addEventListener('changed', follow);
    // The log may have changed after the page was made, and before the stream was open.
    source.addEventListener('head', (event) => {
      const { head } = main().dataset;
      if (head && head !== event.data) follow();
    });
    addEventListener('pagehide', () => source.close());
  }
})();
