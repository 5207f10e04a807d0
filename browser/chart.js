/**
 * A chart as plain data -> an SVG element, by Observable Plot. The same function draws in the page and at build.
 *
 * In: a spec from a calculator (kind, axes, series, marks, a sentence), Plot, a document. Out: `<svg role="img">` that
 * names and describes itself. Colours are CSS variables with fall-backs that colour-blind readers can tell apart; text and
 * axes take the page's colour. The table beside a chart holds the same numbers.
 */
(function (root) {
  'use strict';

  /**
   * @typedef {{name: string, points: [number | string, number][], low?: number[], high?: number[]}} Series
   * @typedef {{id: string, kind: 'stack' | 'bar' | 'line' | 'tornado' | 'fan' | 'map', title: string, text: string,
   *   x: {label: string, unit: string}, y: {label: string, unit: string}, series: Series[], lines?: Series[],
   *   marks?: {x?: number | null, y?: number | null, label: string}[]}} ChartSpec
   */

  const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8a8a00', '#7f7f7f'];
  const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 3', '10 4', '4 2 1 2', '3 6'];
  const SVG = 'http://www.w3.org/2000/svg';
  const ROW = 20;

  const colour = (/** @type {number} */ i) => `var(--guide-series-${(i % 8) + 1}, ${COLOURS[i % 8]})`;

  /** Width of a text in em/12 pixels: CJK characters are square, others about half. */
  function measure(/** @type {string} */ text) {
    let width = 0;
    for (const c of text) width += c > '\u2e7f' ? 12 : 6.6;
    return width;
  }

  const axis = (/** @type {{label: string, unit: string}} */ a) => (a.unit ? `${a.label} (${a.unit})` : a.label);

  /** A tick of a large axis: 0, 500, 50k, 1.5M. */
  function short(/** @type {number} */ value) {
    const [by, letter] = value >= 1e6 ? [1e6, 'M'] : value >= 1e4 ? [1e3, 'k'] : [1, ''];
    return `${(value / Number(by)).toLocaleString('en-US', { maximumFractionDigits: 3 })}${letter}`;
  }

  /** Where each entry of the legend stands: left to right, in as many rows as it takes. */
  function legend(/** @type {string[]} */ names, /** @type {number} */ width) {
    let x = 0;
    let y = 0;
    const places = names.map((name) => {
      const needs = measure(name) * 1.08 + 40;
      if (x > 0 && x + needs > width) {
        x = 0;
        y += ROW;
      }
      const place = { x, y };
      x += needs;
      return place;
    });
    return { places, height: y + ROW };
  }

  /** Plot's options for bars that lie: names of any length stay readable on a narrow screen. */
  function bars(/** @type {ChartSpec} */ spec, /** @type {any} */ Plot, /** @type {number} */ width) {
    const rows = spec.series.flatMap((s, i) => s.points.map(([x, y]) => ({ name: String(x), value: y, series: i, label: s.name })));
    const names = [...new Set(rows.map((r) => r.name))];
    const longest = Math.max(0, ...names.map(measure));
    const grouped = spec.kind === 'bar' && spec.series.length > 1;
    const channels = { x: 'value', fill: (/** @type {any} */ r) => colour(r.series), title: (/** @type {any} */ r) => `${r.name}\n${r.label}: ${r.value}` };
    const drawn = grouped
      ? Plot.barX(rows, { ...channels, fy: 'name', y: 'label' })
      : Plot.barX(rows, Plot.stackX({ ...channels, y: 'name', order: 'series' }));
    const marginLeft = Math.min(Math.round(longest) + 12, Math.round(width * 0.42));
    const limits = spec.marks || [];
    const sums = names.map((n) => rows.filter((r) => r.name === n).reduce((sum, r) => (grouped ? Math.max(sum, r.value) : sum + r.value), 0));
    // A label stands to that side of its line where there is room.
    const reach = Math.max(0, ...sums, ...limits.map((m) => Number(m.y)));
    const thickness = grouped ? 18 * spec.series.length + 10 : 34;
    return {
      key: (/** @type {number} */ i) => ({ fill: colour(i) }),
      marginLeft: grouped ? 4 : marginLeft,
      marginRight: grouped ? marginLeft : 24,
      marginTop: 18,
      marginBottom: 40,
      height: names.length * thickness + 62,
      x: { label: axis(spec.y), labelArrow: 'none', grid: true, zero: true },
      y: grouped ? { axis: null, domain: spec.series.map((s) => s.name) } : { label: null, domain: names },
      fy: grouped ? { label: null, domain: names } : undefined,
      marks: [
        drawn,
        Plot.ruleX([0]),
        Plot.ruleX(limits, { x: 'y', strokeDasharray: '4 3', strokeWidth: 1.5 }),
        // With groups, the label stands once, above the first of them.
        ...['start', 'end'].map((textAnchor) =>
          Plot.text(limits.filter((m) => (Number(m.y) * 2 > reach) === (textAnchor === 'end')), {
            x: 'y', text: 'label', frameAnchor: 'top', dy: -14, lineAnchor: 'top', textAnchor, ...(grouped ? { fy: () => names[0] } : {}),
          }),
        ),
      ],
    };
  }

  function lines(/** @type {ChartSpec} */ spec, /** @type {any} */ Plot) {
    const marks = spec.marks || [];
    const upright = marks.filter((m) => m.x !== null && m.x !== undefined);
    const ends = spec.series.flatMap((s) => s.points.map((p) => Number(p[0])));
    // Beside its line, on the side where there is room.
    const late = (/** @type {any} */ m) => m.x > (Math.min(...ends) + Math.max(...ends)) / 2;
    const beside = (/** @type {any[]} */ some, /** @type {string} */ textAnchor, /** @type {number} */ dx) =>
      Plot.text(some, { x: 'x', text: 'label', frameAnchor: 'top', lineAnchor: 'top', textAnchor, dx });
    const level = marks.filter((m) => m.y !== null && m.y !== undefined);
    return {
      marginLeft: 64,
      marginRight: 24,
      marginTop: 30,
      marginBottom: 42,
      height: 320,
      x: { label: axis(spec.x), labelArrow: 'none', tickSpacing: 64, nice: false },
      y: { label: axis(spec.y), labelArrow: 'none', grid: true, zero: true, tickFormat: short },
      marks: [
        Plot.ruleY([0]),
        ...spec.series.map((s, i) =>
          Plot.line(s.points, { x: '0', y: '1', stroke: colour(i), strokeWidth: 2.2, strokeDasharray: DASHES[i % 8] || undefined }),
        ),
        Plot.ruleX(upright, { x: 'x', strokeDasharray: '4 3', strokeWidth: 1.5 }),
        beside(upright.filter((m) => !late(m)), 'start', 5),
        beside(upright.filter(late), 'end', -5),
        Plot.ruleY(level, { y: 'y', strokeDasharray: '4 3', strokeWidth: 1.5 }),
        Plot.text(level, { y: 'y', text: 'label', frameAnchor: 'right', textAnchor: 'end', dy: -8 }),
      ],
    };
  }

  /** @param {Document} document @param {string} tag @param {Record<string, unknown>} attributes @param {string} [text] */
  function element(document, tag, attributes, text) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    if (text !== undefined) made.textContent = text;
    return made;
  }

  /**
   * @param {ChartSpec} spec @param {any} Plot @param {Document} document @param {{width?: number}} [options]
   * @returns {SVGElement}
   */
  function draw(spec, Plot, document, options = {}) {
    const width = options.width || 640;
    const { key: swatch, letter, ...kind } = (kinds[spec.kind] || bars)(spec, Plot, width);
    const names = spec.series.map((s) => s.name);
    const key = names.length > 1 ? legend(names, width - 8) : { places: [], height: 0 };
    const plot = Plot.plot({ ...kind, width, document, className: 'guide-plot', style: { background: 'none', color: 'currentColor' } });
    for (const style of plot.querySelectorAll('style')) style.remove();
    // Plot names its marks in English words of its own ("rule"); the image as a whole is named below, by the spec.
    for (const mark of plot.querySelectorAll('[aria-label]')) mark.removeAttribute('aria-label');
    const height = kind.height + key.height;
    const svg = element(document, 'svg', {
      class: 'guide-chart', role: 'img', 'aria-label': `${spec.title}. ${spec.text}`, width, height,
      viewBox: `0 0 ${width} ${height}`, fill: 'currentColor', 'font-size': 12, 'text-anchor': 'middle', 'data-kind': spec.kind,
    });
    svg.append(element(document, 'title', {}, spec.title), element(document, 'desc', {}, spec.text));
    key.places.forEach((place, i) => {
      const group = element(document, 'g', { transform: `translate(${place.x + 4},${place.y + 4})`, 'text-anchor': 'start' });
      if (!swatch) {
        group.append(element(document, 'path', { d: 'M0,6H18', stroke: colour(i), 'stroke-width': 2.6, 'stroke-dasharray': DASHES[i % 8] || 'none' }));
      } else group.append(element(document, 'rect', { width: 14, height: 12, ...swatch(i) }));
      if (letter) group.append(element(document, 'text', { x: 7, y: 10, 'font-size': 10, 'text-anchor': 'middle' }, letter(i)));
      group.append(element(document, 'text', { x: 22, y: 10 }, names[i]));
      svg.append(group);
    });
    const body = element(document, 'g', { transform: `translate(0,${key.height})` });
    body.append(...plot.childNodes);
    svg.append(body);
    return /** @type {SVGElement} */ (svg);
  }

  /**
   * Kind -> how it is drawn: Plot's options, and `key(i)`, the look of a series in the legend (a line where there is none).
   * @type {Record<string, (spec: ChartSpec, Plot: any, width: number) => any>}
   */
  const kinds = { line: lines, bar: bars, stack: bars };

  root.gpuguideChart = { draw, kinds, colour, axis, short, measure, DASHES };
})(typeof self === 'undefined' ? globalThis : self);
