/**
 * Brings the page's calculator forms to life.
 *
 * In: `<form data-calculator>` with its `data-form-spec`, the URL's fragment, what the reader types. Out: answers from
 * Python in the page, the state in the URL, errors beside their fields. The form is never locked and never submits;
 * typed text is never changed; until Python has answered, the printed answer stays as it is.
 */
(function (root) {
  'use strict';

  const gpuguide = root.gpuguide;
  const { state, runtime, result, fields, short, listed } = gpuguide;
  const PAUSE = 120;

  class Calculator {
    constructor(/** @type {HTMLFormElement} */ form, /** @type {number} */ nth) {
      this.form = form;
      this.id = form.dataset.calculator || '';
      this.nth = nth;
      this.spec = gpuguide.spec(this.id);
      const regions = document.querySelectorAll(`[data-result="${CSS.escape(this.id)}"]`);
      this.place = { id: this.id, form, region: regions[nth] || null, first: nth === 0 };
      this.asked = 0;
      this.busy = false;
      /** Whether the inputs differ from those of the answer in the page. */
      this.changed = false;
      this.timer = 0;
      /** Scenarios beside the form, as a link writes them. @type {string[]} */
      this.scenarios = [];
      /** The request that a long run has answered, as JSON. */
      this.simulated = '';
      form.setAttribute('novalidate', '');
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        commit(this);
      });
      form.addEventListener('input', () => this.typed());
      form.addEventListener('change', () => commit(this));
      for (const intent of ['pointerover', 'touchstart', 'focusin', 'keydown']) {
        form.addEventListener(intent, () => runtime.start(), { passive: true });
      }
      form.addEventListener('click', (event) => this.press(event));
      form.addEventListener('reset', (event) => {
        event.preventDefault();
        this.reset();
      });
      runtime.watch((/** @type {any} */ progress) => this.follow(progress));
    }

    /** This form's part of the fragment. */
    written(/** @type {Record<string, unknown>} */ reserved = {}) {
      return state.write(this.id, this.spec.fields, fields.values(this.form, this.spec.fields), reserved);
    }

    say(/** @type {string} */ sentence) {
      const line = this.form.querySelector('[data-status]');
      if (line && line.textContent !== sentence) line.textContent = sentence;
    }

    /** Ends the pause after a key. */
    forget() {
      clearTimeout(this.timer);
      this.timer = 0;
    }

    typed() {
      this.changed = true;
      this.form.dispatchEvent(new CustomEvent('gpuguide:changed'));
      runtime.start();
      this.forget();
      this.timer = setTimeout(() => this.recompute(), PAUSE);
    }

    /** Sets fields, from their defaults where `fresh`, and recomputes. */
    set(/** @type {any} */ change, /** @type {boolean} */ fresh) {
      const base = fresh ? fields.defaults(this.spec.fields) : {};
      fields.fill(this.form, this.spec.fields, Object.assign(base, change));
      this.changed = true;
      runtime.start();
    }

    reset() {
      this.set({}, true);
      commit(this);
    }

    press(/** @type {MouseEvent} */ event) {
      const button = /** @type {Element} */ (event.target).closest('[data-action]');
      const action = button && button.getAttribute('data-action');
      if (action === 'reset' && button && button.getAttribute('type') !== 'reset') this.reset();
      if (action === 'copy-link') this.copy();
    }

    /** A link that says which form version and which edition of the catalog it was made with. */
    link() {
      const own = this.written({ v: this.spec.version, data: this.spec.catalog });
      return `${location.href.split('#')[0]}#${[own, ...this.scenarios].join('/')}`;
    }

    async copy() {
      const link = this.link();
      try {
        await navigator.clipboard.writeText(link);
        this.say(gpuguide.text('copied'));
      } catch {
        this.say(`${gpuguide.text('copy_by_hand')} `);
        const line = this.form.querySelector('[data-status]');
        if (!line) return;
        const shown = document.createElement('input');
        shown.readOnly = true;
        shown.value = link;
        shown.className = 'guide-copy';
        shown.setAttribute('aria-label', gpuguide.text('copy_by_hand'));
        line.append(shown);
        shown.select();
      }
    }

    follow(/** @type {any} */ progress) {
      const { stage } = progress;
      if (stage === 'failed') {
        this.busy = false;
        this.form.dataset.state = 'unavailable';
        this.say(gpuguide.text('unavailable', { reason: progress.reason }));
        return;
      }
      this.form.dataset.state = stage === 'ready' ? 'ready' : 'loading';
      if (stage === 'ready') {
        this.say(gpuguide.text('ready'));
        this.recompute();
      } else if (progress.total) {
        const megabytes = (/** @type {number} */ n) => (n / 1e6).toFixed(1);
        this.say(gpuguide.text('loading_bytes', { loaded: megabytes(progress.loaded), total: megabytes(progress.total) }));
      } else this.say(gpuguide.text(stage));
    }

    /**
     * Asks Python for the present inputs. While an answer is awaited only the newest wish is kept; an answer to
     * anything but the newest wish is dropped. With unchanged inputs the first call warms Python, the page stays.
     * What was typed a moment ago is in the URL by then, whoever asks first: the pause after a key or a Python that is ready.
     */
    async recompute() {
      if (this.timer) {
        this.forget();
        remember(false);
      }
      this.form.dispatchEvent(new CustomEvent('gpuguide:changed'));
      if (!runtime.ready) return;
      const wish = ++this.asked;
      // What a long run has answered is not asked again: the quick answer would take its place.
      if (this.busy || (this.simulated && this.simulated === JSON.stringify(this.request()))) return;
      this.busy = true;
      const show = this.changed;
      try {
        const answer = await runtime.call(this.id, this.request());
        if (wish === this.asked && show) this.accept(answer, wish);
      } catch {
        if (wish === this.asked && runtime.ready) this.refuse(gpuguide.text('call_failed'));
      }
      this.busy = false;
      if (wish !== this.asked) this.recompute();
    }

    /** What Python is asked for the present inputs. */
    request() {
      return { lang: gpuguide.config.lang, view: true, ...fields.asked(this.form, this.spec.fields) };
    }

    accept(/** @type {any} */ answer, /** @type {number} */ wish) {
      const errors = answer.error ? answer.error.fields : [];
      fields.mark(this.form, this.spec.fields, errors);
      if (answer.error) {
        this.simulated = '';
        const named = errors.some((/** @type {any} */ e) => fields.controls(this.form, e.field).length);
        this.refuse(named ? gpuguide.text('stale') : `${answer.error.message} ${gpuguide.text('stale')}`);
        return;
      }
      result.show(this.place, answer, () => wish === this.asked);
      this.say(gpuguide.text('computed'));
      this.form.dispatchEvent(new CustomEvent('gpuguide:answer', { detail: answer }));
      if (this.spec.fields.some((/** @type {any} */ f) => f.type === 'text')) restate();
    }

    refuse(/** @type {string} */ sentence) {
      this.place.region?.setAttribute('data-stale', '');
      this.form.setAttribute('data-stale', '');
      this.say(sentence);
    }

    /** Takes the state a link or the history holds; fields it does not name stand at their default. */
    restore(/** @type {any} */ entry) {
      this.forget();
      const { values, unknown } = state.read(entry ? entry.fields : {}, this.spec.fields);
      const before = this.written();
      const refused = fields.fill(this.form, this.spec.fields, Object.assign(fields.defaults(this.spec.fields), values));
      if (this.written() !== before) {
        this.changed = true;
        this.recompute();
      }
      const notes = [];
      if (unknown.length) notes.push(gpuguide.text('unknown_fields', { names: listed(unknown) }));
      if (refused.length) notes.push(gpuguide.text('refused_fields', { names: listed(refused) }));
      if (entry && entry.v && this.spec.version && entry.v !== String(this.spec.version)) {
        notes.push(gpuguide.text('other_version', { then: short(entry.v), now: this.spec.version }));
      }
      if (entry && entry.data && this.spec.catalog && entry.data !== this.spec.catalog) {
        notes.push(gpuguide.text('other_data', { then: short(entry.data), now: this.spec.catalog }));
      }
      this.note(notes.join(' '));
    }

    /** What a link said that does not hold here; stays until the next link. */
    note(/** @type {string} */ sentence, more = false) {
      let line = this.form.querySelector('[data-link-note]');
      if (!line && sentence) {
        line = document.createElement('p');
        line.setAttribute('data-link-note', '');
        this.form.prepend(line);
      }
      if (line) {
        if (more) sentence = `${line.textContent} ${sentence}`.trim();
        line.textContent = sentence;
        /** @type {HTMLElement} */ (line).hidden = !sentence;
      }
    }
  }

  const seen = new Map();
  /** @type {Calculator[]} */
  const calculators = [...document.querySelectorAll('form[data-calculator]')].map((form) => {
    const id = form.getAttribute('data-calculator');
    const nth = seen.get(id) || 0;
    seen.set(id, nth + 1);
    return new Calculator(/** @type {HTMLFormElement} */ (form), nth);
  });
  if (!calculators.length) return;

  /** @returns {string} the state of all forms, as the fragment holds it */
  function present() {
    return state.join(
      calculators.flatMap((c) => [{ id: c.id, text: c.written() }, ...c.scenarios.map((text) => ({ id: c.id, text, kept: true }))]),
    );
  }

  /** @type {string} what the newest history entry but the one being typed holds */
  let committed = '';

  function write(/** @type {'pushState' | 'replaceState'} */ how, /** @type {string} */ text) {
    const [here] = location.href.split('#');
    const keepsAnchor = !text && how === 'replaceState' && !state.parse(location.hash).length;
    history[how]({ gpuguide: text }, '', keepsAnchor ? location.href : text ? `${here}#${text}` : here);
  }

  /**
   * Keeps the state in the URL. Typing replaces the entry; a committed change first puts the entry back as it was and
   * then adds one, so that Back undoes the change as a whole.
   */
  function remember(/** @type {boolean} */ commits) {
    const text = present();
    if (commits && text !== committed) {
      write('replaceState', committed);
      write('pushState', text);
      committed = text;
    } else if (history.state?.gpuguide !== text) write('replaceState', text);
    report();
  }

  /** The same state in its short form: an answer may have shortened a text. No entry is added. */
  function restate() {
    const held = history.state?.gpuguide;
    const text = present();
    if (held === undefined || held === text) return;
    if (held === committed) committed = text;
    write('replaceState', text);
    report();
  }

  function commit(/** @type {Calculator} */ calculator) {
    calculator.changed = true;
    runtime.start();
    remember(true);
    calculator.recompute();
  }

  /** The links that report a wrong number carry what the reader sees: at the end of their `body`, else as a fragment. */
  function report() {
    for (const calculator of calculators) {
      for (const within of [calculator.form, calculator.place.region]) {
        const link = /** @type {HTMLAnchorElement | null} */ (within?.querySelector('a[data-action="report"]'));
        if (!link) continue;
        link.dataset.href = link.dataset.href || link.href;
        const address = new URL(link.dataset.href);
        const body = address.searchParams.get('body');
        if (body === null) address.hash = calculator.written();
        else address.searchParams.set('body', `${body}\n\n${calculator.link()}`);
        link.href = address.href;
      }
    }
  }

  /** Fills the forms from a fragment. @param {string} text @returns {Calculator | undefined} the first that it names */
  function restore(text) {
    const entries = state.parse(text);
    const count = new Map();
    const named = new Map();
    for (const entry of entries) {
      const nth = count.get(entry.id) || 0;
      count.set(entry.id, nth + 1);
      named.set(`${entry.id} ${nth}`, entry);
    }
    for (const calculator of calculators) calculator.restore(named.get(`${calculator.id} ${calculator.nth}`));
    beside(entries, count);
    committed = present();
    report();
    return calculators.find((c) => count.has(c.id));
  }

  /**
   * What a link holds beyond the forms: further states of a calculator stand as scenarios beside its last form; what finds no
   * place is named. @param {any[]} entries @param {Map<string, number>} count
   */
  function beside(entries, count) {
    for (const calculator of calculators) {
      const forms = seen.get(calculator.id) || 0;
      const further = calculator.nth === forms - 1 ? entries.filter((e) => e.id === calculator.id).slice(forms) : [];
      const { scenarios: most = 0, fields: specs } = calculator.spec;
      const found = further.map((e) => state.read(e.fields, specs));
      calculator.scenarios = found.slice(0, most).map((read) => state.write(calculator.id, specs, read.values));
      const unknown = [...new Set(found.flatMap((read) => read.unknown))];
      if (unknown.length) calculator.note(gpuguide.text('unknown_fields', { names: listed(unknown) }), true);
      if (further.length > most) calculator.note(gpuguide.text('too_many_scenarios', { n: further.length - most, most }), true);
      calculator.form.dispatchEvent(new CustomEvent('gpuguide:scenarios'));
    }
    const strangers = [...count.keys()].filter((id) => !seen.has(id));
    if (strangers.length) calculators[0].note(gpuguide.text('unknown_calculators', { names: listed(strangers) }), true);
  }

  addEventListener('popstate', (event) => {
    const known = event.state?.gpuguide;
    if (known === undefined && !state.parse(location.hash).length) return;
    const first = restore(known ?? location.hash);
    if (first) runtime.start();
    if (known === undefined && first) first.form.scrollIntoView();
  });

  /** Buttons and links that set fields: suggestions change what they name, presets (`data-preset`) start from the defaults. */
  document.addEventListener('click', (event) => {
    const button = /** @type {Element} */ (event.target).closest('[data-set]');
    if (!button || event.ctrlKey || event.metaKey || event.shiftKey || button.closest('select')) return;
    const calculator = owner(button);
    if (!calculator) return;
    event.preventDefault();
    const fresh = button.hasAttribute('data-preset');
    calculator.set(JSON.parse(button.getAttribute('data-set') || '{}'), fresh);
    const inside = calculator.place.region?.contains(button);
    commit(calculator);
    // The pressed suggestion is about to be replaced by new ones: the answer takes the focus, and is read out.
    const target = /** @type {HTMLElement | null} */ (inside ? calculator.place.region : null);
    if (target) {
      target.setAttribute('tabindex', '-1');
      target.focus({ preventScroll: true });
    }
  });

  document.addEventListener('change', (event) => {
    const select = /** @type {HTMLSelectElement} */ (event.target);
    if (!select.matches?.('select[data-presets]')) return;
    const chosen = select.selectedOptions[0]?.getAttribute('data-set');
    const calculator = owner(select);
    if (!chosen || !calculator) return;
    calculator.set(JSON.parse(chosen), true);
    commit(calculator);
  });

  function owner(/** @type {Element} */ element) {
    const form = element.closest('form[data-calculator]');
    const region = element.closest('[data-result]');
    const id = element.getAttribute('data-for') || element.closest('[data-for]')?.getAttribute('data-for');
    return calculators.find((c) => (form && c.form === form) || (region && c.place.region === region)) || calculators.find((c) => c.id === id);
  }

  gpuguide.calculators = calculators;
  gpuguide.commit = commit;

  const linked = state.parse(location.hash).length > 0;
  if (linked) {
    const first = restore(location.hash);
    if (first) {
      first.form.scrollIntoView();
      runtime.start();
    }
  } else {
    // A browser may bring back what was typed before a reload, beside an answer printed for the defaults.
    for (const c of calculators) {
      if (c.form.contains(document.activeElement)) {
        if (!c.written().endsWith('?')) c.typed();
      } else fields.fill(c.form, c.spec.fields, fields.defaults(c.spec.fields));
    }
    report();
  }
})(self);
