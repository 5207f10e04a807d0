/**
 * Tables that sort and filter: `<table data-table>`, a real table that stays one without this script.
 *
 * In: `th` (with `data-filter` for a list of its values, `data-sort="none"` where order means nothing) and `td`
 * (`data-value` where the text is not the number). Out: buttons in the heads with `aria-sort`, a search box, selects,
 * and the number of rows shown, said aloud politely. Unknown values sort last either way.
 */
(function (root) {
  'use strict';

  const gpuguide = root.gpuguide;

  /** @typedef {{row: HTMLTableRowElement, text: string, values: (string | number | null)[], words: string[]}} Row */

  function cellValue(/** @type {HTMLTableCellElement | undefined} */ cell) {
    const text = (cell?.textContent || '').trim();
    const bare = cell?.getAttribute('data-value') ?? text;
    if (bare === '' || bare === '—' || bare === '–') return null;
    const number = Number(bare);
    return Number.isFinite(number) ? number : bare;
  }

  function compare(/** @type {any} */ a, /** @type {any} */ b) {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === 'number') return -1;
    if (typeof b === 'number') return 1;
    return a.localeCompare(b, gpuguide.config.lang, { numeric: true, sensitivity: 'base' });
  }

  function enhance(/** @type {HTMLTableElement} */ table) {
    const body = table.tBodies[0];
    const heads = /** @type {HTMLTableCellElement[]} */ ([...(table.tHead?.rows[0]?.cells || [])]);
    if (!body || !heads.length || table.dataset.table === 'live') return;
    table.dataset.table = 'live';
    /** @type {Row[]} */
    const rows = [...body.rows].map((row) => {
      const cells = [...row.cells];
      const words = heads.map((_, i) => (cells[i]?.textContent || '').trim());
      return { row, words, text: words.join(' ').toLowerCase(), values: heads.map((_, i) => cellValue(cells[i])) };
    });

    heads.forEach((head, column) => {
      if (head.dataset.sort === 'none') return;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'guide-sort';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const rising = head.getAttribute('aria-sort') !== 'ascending';
        heads.forEach((h) => h.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', rising ? 'ascending' : 'descending');
        const known = rows.filter((r) => r.values[column] !== null);
        const unknown = rows.filter((r) => r.values[column] === null);
        known.sort((a, b) => compare(a.values[column], b.values[column]) * (rising ? 1 : -1));
        body.append(...known.concat(unknown).map((r) => r.row));
      });
    });

    const wanted = table.dataset.filters !== 'none' && rows.length > 5;
    if (!wanted) return;
    const bar = document.createElement('div');
    bar.className = 'guide-filters';
    const search = document.createElement('input');
    search.type = 'search';
    search.placeholder = gpuguide.text('table_search');
    search.setAttribute('aria-label', gpuguide.text('table_search'));
    bar.append(search);
    /** @type {[number, HTMLSelectElement][]} */
    const selects = [];
    heads.forEach((head, column) => {
      if (!head.hasAttribute('data-filter')) return;
      const name = (head.textContent || '').trim();
      const select = document.createElement('select');
      select.setAttribute('aria-label', name);
      select.append(new Option(gpuguide.text('table_all', { column: name }), ''));
      const options = [...new Set(rows.map((r) => r.words[column]).filter(Boolean))].sort(compare);
      for (const option of options) select.append(new Option(option, option));
      selects.push([column, select]);
      bar.append(select);
    });
    const said = document.createElement('p');
    said.className = 'guide-count';
    said.setAttribute('role', 'status');
    bar.append(said);
    (table.closest('.scroll') || table.closest('.md-typeset__scrollwrap') || table).before(bar);

    const count = (/** @type {number} */ shown) => {
      said.textContent = gpuguide.text('table_count', { shown, total: rows.length });
    };
    const filter = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const r of rows) {
        const fits = words.every((w) => r.text.includes(w)) && selects.every(([c, s]) => !s.value || r.words[c] === s.value);
        r.row.hidden = !fits;
        if (fits) shown += 1;
      }
      count(shown);
    };
    bar.addEventListener('input', filter);
    count(rows.length);
  }

  /** Enhances the tables inside an element; again for parts that were replaced. */
  gpuguide.tables = (/** @type {ParentNode} */ within) => {
    within.querySelectorAll('table[data-table]').forEach((t) => enhance(/** @type {HTMLTableElement} */ (t)));
  };
  gpuguide.tables(document);
})(self);
