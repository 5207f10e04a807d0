/**
 * Puts an answer where it is read: outputs, HTML parts, charts.
 *
 * In: a calculator's form, its result region and an answer from Python (`outputs`, `ranges`, `view`, `charts`).
 * Out: the page changed. Numbers arrive already formatted: nothing is computed here.
 */
(function (root) {
  'use strict';

  /**
   * @typedef {{id: string, form: HTMLFormElement, region: Element | null, first: boolean}} Place
   */

  const gpuguide = root.gpuguide;

  /**
   * Elements of this calculator: inside its form and region, and, for the page's first of that name, anywhere else.
   * @param {Place} place @param {string} selector @returns {Element[]}
   */
  function find(place, selector) {
    const own = [place.form, place.region].flatMap((e) => (e ? [...e.querySelectorAll(selector)] : []));
    const mine = own.filter((e) => (e.getAttribute('data-for') || place.id) === place.id);
    if (!place.first) return mine;
    const everywhere = [...document.querySelectorAll(`${selector}[data-for="${CSS.escape(place.id)}"]`)];
    const elsewhere = everywhere.filter((e) => !e.closest('[data-result], form[data-calculator]'));
    return [...new Set([...mine, ...elsewhere])];
  }

  function attribute(/** @type {Element} */ element, /** @type {string} */ name, /** @type {unknown} */ value) {
    if (value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, String(value));
  }

  function outputs(/** @type {Place} */ place, /** @type {any} */ answer) {
    for (const element of find(place, '[data-output]')) {
      const field = element.getAttribute('data-output') || '';
      if (!(field in answer.outputs)) continue;
      const [low, high] = (answer.ranges || {})[field] || [null, null];
      attribute(element, 'data-value', answer.outputs[field]);
      attribute(element, 'data-low', low);
      attribute(element, 'data-high', high);
      const text = answer.view.display[field];
      if (text !== undefined && element.textContent !== text) element.textContent = text;
    }
  }

  /** New HTML, where it differs; what the reader had unfolded stays unfolded. */
  function parts(/** @type {Place} */ place, /** @type {any} */ answer) {
    for (const element of find(place, '[data-part]')) {
      const html = answer.view.parts[element.getAttribute('data-part') || ''];
      if (html === undefined || drawn.get(element) === html) continue;
      const open = [...element.querySelectorAll('details')].map((d) => d.open);
      element.innerHTML = gpuguide.pages(html);
      drawn.set(element, html);
      element.querySelectorAll('details').forEach((d, i) => (d.open = open[i] ?? d.open));
      if (gpuguide.tables) gpuguide.tables(element);
      if (gpuguide.ages) gpuguide.ages(element);
    }
  }

  /** @type {WeakMap<Element, string>} */
  const drawn = new WeakMap();

  /** @type {Promise<void> | null} */
  let library = null;
  /** The chart library, asked for when the first live chart is to be drawn. */
  function loadLibrary() {
    const files = gpuguide.config.charts || ['d3.min.js', 'plot.umd.min.js', 'chart-range.js'].map((name) => `assets/browser/${name}`);
    // One after the other: the second breaks where the first is missing.
    const after = (/** @type {Promise<void>} */ before, /** @type {string} */ file) => before.then(() => gpuguide.loadScript(file));
    const loading = (library = library || files.reduce(after, Promise.resolve()));
    loading.catch(() => (library = null));
    return loading;
  }

  /** @param {Place} place @param {any} answer @param {() => boolean} current whether this answer is still the newest */
  function charts(place, answer, current) {
    const targets = find(place, '[data-part="charts"]');
    const specs = JSON.stringify(answer.charts);
    const stale = targets.filter((t) => drawn.get(t) !== specs);
    if (!stale.length || !answer.charts.length) return;
    const draw = () => {
      if (!current()) return;
      for (const target of stale) {
        drawn.set(target, specs);
        answer.charts.forEach((/** @type {any} */ spec) => chart(target, spec));
      }
    };
    // A chart that cannot be drawn takes the picture of earlier inputs away; the table holds the numbers.
    const missing = () => {
      if (!current()) return;
      for (const target of stale) {
        drawn.delete(target);
        answer.charts.forEach((/** @type {any} */ spec) => frame(target, spec));
      }
    };
    loadLibrary().then(() => requestAnimationFrame(draw), missing);
  }

  /** The figure with its title and its sentence, ready for a drawing. */
  function frame(/** @type {Element} */ target, /** @type {any} */ spec) {
    let figure = target.querySelector(`[data-chart="${CSS.escape(spec.id)}"]`);
    if (!figure) {
      figure = document.createElement('figure');
      figure.setAttribute('data-chart', spec.id);
      target.append(figure);
    }
    const title = document.createElement('p');
    title.className = 'part-title';
    title.textContent = spec.title;
    const caption = document.createElement('figcaption');
    caption.textContent = spec.text;
    figure.replaceChildren(title, caption);
    return { width: Math.round(figure.clientWidth || target.clientWidth || 640), title };
  }

  /** Title, drawing, caption: as the page was printed. */
  function chart(/** @type {Element} */ target, /** @type {any} */ spec) {
    const { width, title } = frame(target, spec);
    title.after(root.gpuguideChart.draw(spec, root.Plot, document, { width: Math.min(720, Math.max(300, width)) }));
  }

  /**
   * Shows an answer. `current` is asked again before a chart is drawn, which may be later.
   * @param {Place} place @param {any} answer @param {() => boolean} current
   */
  function show(place, answer, current) {
    outputs(place, answer);
    parts(place, answer);
    charts(place, answer, current);
    for (const element of [place.region, place.form]) if (element) element.removeAttribute('data-stale');
  }

  gpuguide.result = { show };
})(self);
