/**
 * The kinds of chart that show how sure an answer is: tornado, fan and map. Loaded with the drawing library.
 *
 * In: as `chart.js`, which draws them. Out: Plot's options for each kind, in `gpuguideChart.kinds`. What a colour says is said
 * a second time: by an outline, by dashes, by a letter in each cell.
 */
(function (root) {
  'use strict';

  /**
   * @typedef {{name: string, points: [number | string, number][], low?: number[], high?: number[]}} Series
   * @typedef {{x: {label: string, unit: string}, y: {label: string, unit: string}, series: Series[], lines?: Series[],
   *   marks?: {x?: number, y?: number, label: string}[]}} ChartSpec
   */

  const { kinds, colour, axis, short, measure, DASHES } = root.gpuguideChart;
  const ROW = 42;
  /** Text over lines and cells keeps a rim of the page's colour. */
  const RIM = { stroke: 'var(--md-default-bg-color, white)', strokeWidth: 4, paintOrder: 'stroke', fill: 'currentColor' };

  /** A row's name stands above it, from edge to edge: names of any length stay readable on a narrow screen. */
  function names(/** @type {any} */ Plot, /** @type {string[]} */ rows, /** @type {number} */ width) {
    const room = width - 54;
    const fits = (/** @type {string} */ name) => {
      if (measure(name) <= room) return name;
      let cut = name;
      while (cut && measure(`${cut}…`) > room) cut = cut.slice(0, -1);
      return `${cut}…`;
    };
    return Plot.text(rows, {
      y: (/** @type {string} */ n) => n, text: fits, title: (/** @type {string} */ n) => n,
      frameAnchor: 'left', textAnchor: 'start', dx: 2, dy: -19, ...RIM,
    });
  }

  /** @param {ChartSpec} spec @param {string[]} rows */
  function lying(spec, rows) {
    return {
      marginLeft: 26,
      marginRight: 26,
      marginTop: 26,
      marginBottom: 40,
      height: rows.length * ROW + 78,
      x: { label: axis(spec.y), labelArrow: 'none', grid: true, tickFormat: short, tickSpacing: 72, nice: true },
      y: { axis: null, domain: rows, paddingInner: 0.56, paddingOuter: 0.5 },
    };
  }

  /** Bars from the base to the cost at a variable's low (outlined) and at its high (filled). */
  kinds.tornado = (/** @type {ChartSpec} */ spec, /** @type {any} */ Plot, /** @type {number} */ width) => {
    const base = Number((spec.marks || [])[0]?.y);
    const rows = (spec.series[0]?.points || []).map(([name]) => String(name));
    const at = spec.series.map((s) => new Map(s.points.map(([name, y]) => [String(name), y])));
    const bars = spec.series.flatMap((s, i) =>
      rows.map((name) => {
        const value = Number(at[i].get(name));
        const other = Number(at[1 - i]?.get(name));
        // Both ends on one side of the base: each has half of the row, so that neither hides the other.
        return { name, value, series: i, label: s.name, half: (value - base) * (other - base) > 0 };
      }),
    );
    const bar = (/** @type {any[]} */ some, /** @type {number} */ i, /** @type {object} */ insets) =>
      Plot.barX(some, {
        x1: () => base, x2: 'value', y: 'name', fill: colour(i), fillOpacity: i ? 1 : 0.15, stroke: colour(i), strokeWidth: 1.5,
        title: (/** @type {any} */ r) => `${r.name}\n${r.label}: ${r.value}`, ...insets,
      });
    const of = (/** @type {number} */ i, /** @type {boolean} */ half) => bars.filter((b) => b.series === i && b.half === half);
    return {
      ...lying(spec, rows),
      marks: [
        ...[0, 1].map((i) => bar(of(i, false), i, {})),
        ...[0, 1].map((i) => bar(of(i, true), i, i ? { insetTop: 10 } : { insetBottom: 10 })),
        Plot.ruleX(spec.marks || [], { x: 'y', strokeWidth: 1.5 }),
        names(Plot, rows, width),
        Plot.text(spec.marks || [], { x: 'y', text: (/** @type {any} */ m) => `${m.label} ${short(Number(m.y.toPrecision(4)))}`, frameAnchor: 'top', dy: -14, lineAnchor: 'top' }),
      ],
      key: (/** @type {number} */ i) => ({ fill: colour(i), 'fill-opacity': i ? 1 : 0.15, stroke: colour(i), 'stroke-width': 1.5 }),
    };
  };

  /** Over names: an interval and its middle. Over a number: a band and its middle line. */
  kinds.fan = (/** @type {ChartSpec} */ spec, /** @type {any} */ Plot, /** @type {number} */ width) => {
    const points = spec.series.flatMap((s, i) =>
      s.points.map(([x, y], k) => ({ x, y, low: (s.low || [])[k], high: (s.high || [])[k], series: i, label: s.name })),
    );
    const title = (/** @type {any} */ p) => `${p.x}\nP10 ${p.low}\nP50 ${p.y}\nP90 ${p.high}`;
    if (points.length && typeof points[0].x === 'string') {
      const rows = [...new Set(points.map((p) => String(p.x)))];
      return {
        ...lying(spec, rows),
        marks: [
          Plot.barX(points, { x1: 'low', x2: 'high', y: 'x', fill: colour(0), fillOpacity: 0.35, insetTop: 3, insetBottom: 3, title }),
          Plot.tickX(points, { x: 'low', y: 'x', stroke: colour(0), strokeWidth: 2 }),
          Plot.tickX(points, { x: 'high', y: 'x', stroke: colour(0), strokeWidth: 2 }),
          Plot.dot(points, { x: 'y', y: 'x', r: 5, fill: 'currentColor', title }),
          names(Plot, rows, width),
        ],
        key: () => ({ fill: colour(0), 'fill-opacity': 0.35, stroke: colour(0) }),
      };
    }
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
        ...spec.series.map((_, i) =>
          Plot.areaY(points.filter((p) => p.series === i), { x: 'x', y1: 'low', y2: 'high', fill: colour(i), fillOpacity: 0.18 }),
        ),
        ...spec.series.map((_, i) =>
          Plot.line(points.filter((p) => p.series === i), { x: 'x', y: 'y', stroke: colour(i), strokeWidth: 2.2, strokeDasharray: DASHES[i % 8] || undefined }),
        ),
        Plot.ruleX((spec.marks || []).filter((m) => m.x !== undefined), { x: 'x', strokeDasharray: '4 3', strokeWidth: 1.5 }),
        Plot.text((spec.marks || []).filter((m) => m.x !== undefined), { x: 'x', text: 'label', frameAnchor: 'top', lineAnchor: 'top', textAnchor: 'start', dx: 5 }),
      ],
    };
  };

  /** Halfway between neighbours; the outer cells are as wide as their neighbours' half on both sides. @param {number[]} values */
  function edges(values) {
    const sorted = [...new Set(values)].sort((a, b) => a - b);
    const between = sorted.slice(1).map((v, i) => (v + sorted[i]) / 2);
    const first = sorted.length > 1 ? sorted[0] - (between[0] - sorted[0]) : sorted[0] - 0.5;
    const last = sorted.length > 1 ? sorted[sorted.length - 1] * 2 - between[between.length - 1] : sorted[0] + 0.5;
    const bounds = [first, ...between, last];
    return new Map(sorted.map((v, i) => [v, [bounds[i], bounds[i + 1]]]));
  }

  const LETTERS = 'ABCDEFGH';

  /** Cells, each with the colour and the letter of the series that wins it; lines and the reader's own point on top. */
  kinds.map = (/** @type {ChartSpec} */ spec, /** @type {any} */ Plot, /** @type {number} */ width) => {
    const cells = spec.series.flatMap((s, i) => s.points.map(([x, y]) => ({ x: Number(x), y, series: i, label: s.name })));
    const xs = edges(cells.map((c) => c.x));
    const ys = edges(cells.map((c) => c.y));
    const side = (/** @type {Map<number, number[]>} */ of, /** @type {'x' | 'y'} */ key, /** @type {number} */ end) => (/** @type {any} */ c) =>
      (of.get(c[key]) || [0, 0])[end];
    const here = (spec.marks || []).filter((m) => m.x !== undefined && m.y !== undefined);
    const height = 340;
    const room = Math.min((width - 90) / Math.max(1, xs.size), (height - 72) / Math.max(1, ys.size));
    const middle = [...xs.keys()].reduce((sum, x) => sum + x, 0) / Math.max(1, xs.size);
    const inside = (/** @type {any} */ p) => {
      const at = (/** @type {Map<number, number[]>} */ of) => [...of.values()].flat();
      return Number(p[0]) >= Math.min(...at(xs)) && Number(p[0]) <= Math.max(...at(xs)) && p[1] >= Math.min(...at(ys)) && p[1] <= Math.max(...at(ys));
    };
    return {
      marginLeft: 64,
      marginRight: 24,
      marginTop: 30,
      marginBottom: 42,
      height,
      x: { label: axis(spec.x), labelArrow: 'none', tickSpacing: 64, nice: false },
      y: { label: axis(spec.y), labelArrow: 'none', tickFormat: short, nice: false },
      marks: [
        Plot.rect(cells, {
          x1: side(xs, 'x', 0), x2: side(xs, 'x', 1), y1: side(ys, 'y', 0), y2: side(ys, 'y', 1),
          fill: (/** @type {any} */ c) => colour(c.series), fillOpacity: 0.45, inset: 0.5,
          title: (/** @type {any} */ c) => `${c.label}\n${axis(spec.x)}: ${c.x}\n${axis(spec.y)}: ${c.y}`,
        }),
        Plot.text(cells, { x: 'x', y: 'y', text: (/** @type {any} */ c) => LETTERS[c.series % 8], fontSize: Math.max(6, Math.min(11, room * 0.7)), fillOpacity: 0.75 }),
        ...(spec.lines || []).map((l) => Plot.line(l.points.filter(inside), { x: '0', y: '1', stroke: 'currentColor', strokeWidth: 2.5 })),
        Plot.dot(here, { x: 'x', y: 'y', r: 6, fill: 'currentColor', stroke: 'var(--md-default-bg-color, white)', strokeWidth: 2 }),
        ...['start', 'end'].map((textAnchor) =>
          Plot.text(here.filter((m) => (Number(m.x) > middle) === (textAnchor === 'end')), {
            x: 'x', y: 'y', text: 'label', textAnchor, dx: textAnchor === 'end' ? -11 : 11, fontWeight: 600, ...RIM,
          }),
        ),
      ],
      key: (/** @type {number} */ i) => ({ fill: colour(i), 'fill-opacity': 0.45 }),
      letter: (/** @type {number} */ i) => LETTERS[i % 8],
    };
  };
})(typeof self === 'undefined' ? globalThis : self);
