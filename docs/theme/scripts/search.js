/**
 * Search that begins when the reader turns to it, over http and from a folder, and that splits what is typed in Chinese.
 *
 * In: the theme's `#__config` and search form; `search/search_index.json` over http; from a folder `search/search_index.js`
 * and `assets/search/worker.js`, which the offline build writes, because a page may not fetch from its folder.
 * Out: a stand-in for the theme's search worker, which the theme's own script then uses as if it were the real one.
 *
 * Runs before the theme's script. That one fetches the index at once when it finds a form named "search"; without
 * the name it waits for ever, and this script supplies the index instead.
 */
(function (root) {
  'use strict';

  const settings = document.getElementById('__config');
  const form = document.forms.namedItem('search');
  if (!settings || !form) return;

  const config = JSON.parse(settings.textContent || '{}');
  // The 404 page is served at any depth: its base is absolute and ends in a slash.
  const base = new URL(config.base.replace(/\/*$/, '/'), location.href);
  const local = location.protocol === 'file:';
  const Native = root.Worker;
  const own = /** @type {HTMLScriptElement} */ (document.currentScript);
  const fix = new URL('search-fix.js', own.src).href;
  if (!config.search || !Native) return;
  form.removeAttribute('name');

  /** @param {string} url @returns {Promise<void>} */
  function script(url) {
    return new Promise((resolve, reject) => {
      const element = document.createElement('script');
      element.src = url;
      element.onload = () => resolve();
      element.onerror = () => reject(new Error(url));
      document.head.append(element);
    });
  }

  /**
   * The theme's worker and our fix, started from a Blob: over http it imports both, from a folder it holds both, since
   * a page from a folder may start no other worker.
   */
  async function begin() {
    const theme = new URL(config.search, location.href);
    let source = `importScripts(${JSON.stringify(theme.href)}, ${JSON.stringify(fix)});`;
    if (local) {
      await script(new URL('../../search/worker.js', theme).href);
      source = root.guideSearchWorker;
    }
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    return new Native(url);
  }

  async function read() {
    if (local) {
      await script(new URL('search/search_index.js', base).href);
      return root.__index;
    }
    const answer = await fetch(new URL('search/search_index.json', base));
    if (!answer.ok) throw new Error(`${answer.status} ${answer.url}`);
    return answer.json();
  }

  /**
   * The Chinese words of the index, which the build has set apart with zero-width spaces.
   * @param {{title: string, text: string}[]} docs @returns {Set<string>}
   */
  function words(docs) {
    const found = new Set();
    for (const { title, text } of docs) {
      for (const match of `${title}\u200b${text}`.matchAll(/\p{sc=Han}+/gu)) found.add(match[0]);
    }
    return found;
  }

  /**
   * A run of Chinese as typed -> words that are in the index. What begins a known word stays whole, because a reader
   * may still be typing; otherwise the fewest pieces win, where a character that is in no word counts double.
   * @param {string} run @param {Set<string>} known @returns {string[]}
   */
  function split(run, known) {
    if (known.has(run)) return [run];
    for (const word of known) if (word.startsWith(run)) return [run];
    const characters = Array.from(run);
    /** @type {{cost: number, pieces: string[]}[]} */
    const best = [{ cost: 0, pieces: [] }];
    for (let end = 1; end <= characters.length; end++) {
      best[end] = { cost: best[end - 1].cost + 2, pieces: best[end - 1].pieces };
      for (let start = 0; start < end; start++) {
        const piece = characters.slice(start, end).join('');
        if (known.has(piece) && best[start].cost + 1 < best[end].cost) {
          best[end] = { cost: best[start].cost + 1, pieces: [...best[start].pieces, piece] };
        }
      }
    }
    const { pieces } = best[characters.length];
    return pieces.length ? pieces : [run];
  }

  /** A backslash between characters keeps the worker from cutting a word again at the first shorter one it knows. */
  function typed(/** @type {string} */ query, /** @type {Set<string>} */ known) {
    return query.replace(/\p{sc=Han}+/gu, (run) => ` ${split(run, known).map((word) => Array.from(word).join('\\')).join(' ')} `);
  }

  class SearchWorker extends EventTarget {
    constructor() {
      super();
      /** @type {Promise<void> | null} */
      this.started = null;
      /** @type {Worker | null} */
      this.worker = null;
      /** @type {Set<string>} */
      this.known = new Set();
    }

    start() {
      this.started = this.started || this.load().catch((reason) => {
        this.started = null; // the next focus tries again
        console.warn('Search could not start:', reason);
      });
    }

    async load() {
      const [worker, index] = await Promise.all([begin(), read()]);
      this.known = words(index.docs);
      worker.onmessage = (event) => this.dispatchEvent(new MessageEvent('message', { data: event.data }));
      this.worker = worker;
      worker.postMessage({ type: 0, data: { config: index.config, docs: index.docs, options: { suggest: false } } });
    }

    /** The theme asks (type 2) only after it has heard that the index stands (type 1). */
    postMessage(/** @type {{type: number, data: any}} */ message) {
      if (!this.worker) return;
      this.worker.postMessage(message.type === 2 ? { type: 2, data: typed(message.data, this.known) } : message);
    }

    terminate() {
      if (this.worker) this.worker.terminate();
    }
  }

  const search = new SearchWorker();
  form.addEventListener('focusin', () => search.start());
  // The theme hears keys alone; a pasted, dictated or composed word brings none.
  for (const kind of ['input', 'compositionend']) {
    form.addEventListener(kind, (event) => {
      const composing = event instanceof InputEvent && event.isComposing;
      if (!composing && event.target) event.target.dispatchEvent(new KeyboardEvent('keyup', { bubbles: true }));
    });
  }
  document.getElementById('__search')?.addEventListener('change', () => search.start());

  const theirs = new URL(config.search, location.href).href;
  root.Worker = new Proxy(Native, {
    construct(target, values) {
      if (new URL(values[0], location.href).href !== theirs) return Reflect.construct(target, values);
      root.Worker = target; // the theme makes one; from here on the page has the browser's own
      return search;
    },
  });
})(/** @type {any} */ (self));
