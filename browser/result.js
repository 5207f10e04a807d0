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
    const files = gpuguide.config.charts || ['assets/browser/d3.min.js', 'assets/browser/plot.umd.min.js'];
    library = library || Promise.all(files.map(gpuguide.loadScript)).then(() => undefined);
    library.catch(() => (library = null));
    return library;
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
    // A chart that cannot be drawn leaves the table, which holds the same numbers.
    loadLibrary().then(() => requestAnimationFrame(draw), () => undefined);
  }

  function chart(/** @type {Element} */ target, /** @type {any} */ spec) {
    let figure = target.querySelector(`[data-chart="${CSS.escape(spec.id)}"]`);
    if (!figure) {
      figure = document.createElement('figure');
      figure.setAttribute('data-chart', spec.id);
      target.append(figure);
    }
    const width = Math.min(720, Math.max(300, Math.round(figure.clientWidth || target.clientWidth || 640)));
    const svg = root.gpuguideChart.draw(spec, root.Plot, document, { width });
    // Title, drawing, caption: as the page was printed.
    const title = document.createElement('p');
    title.className = 'part-title';
    title.textContent = spec.title;
    const caption = document.createElement('figcaption');
    caption.textContent = spec.text;
    figure.replaceChildren(title, svg, caption);
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
