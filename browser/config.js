/**
 * What a page tells its scripts.
 *
 * In: the page's `<script type="application/json" id="gpuguide-config">` and `data-form-spec` blocks.
 * Out: `gpuguide.config`, `gpuguide.text(key, values)`, `gpuguide.url(path)`,
 * `gpuguide.short(words)`, `gpuguide.listed(names)`, `gpuguide.pages(html)`, `gpuguide.spec(id)`.
 *
 * `base` leads to the site's root: its assets, its English pages, and `zh/` with the Chinese ones.
 */
(function (root) {
  'use strict';

  /**
   * @typedef {{base: string, lang: string, offline: boolean, python: string, charts?: string[], text: Record<string, string>}} Config
   * @typedef {{name: string, type: string, default: unknown, optional?: boolean}} FieldSpec
   * @typedef {{fields: FieldSpec[], version?: number, catalog?: string}} FormSpec
   */

  const gpuguide = (root.gpuguide = root.gpuguide || {});

  /** @param {Element | null} element @returns {any} */
  function json(element) {
    return element ? JSON.parse(element.textContent || '{}') : {};
  }

  /** @type {Config} */
  const config = Object.assign(
    { base: './', lang: 'en', offline: false, python: '', text: {} },
    json(document.getElementById('gpuguide-config')),
  );

  /** Files of the page come from a folder or from a bundle: what `fetch` may not read is then in script files. */
  const local = config.offline || location.protocol === 'file:';

  /** A sentence of the page's language; `{name}` is filled from `values`. */
  function text(/** @type {string} */ key, /** @type {Record<string, unknown>} */ values = {}) {
    const sentence = config.text[key] || '';
    return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  }

  /** A link may be long and made by anybody: its words are shown as far as they help. */
  function short(/** @type {string} */ words) {
    return words.length > 40 ? `${words.slice(0, 40)}…` : words;
  }

  function listed(/** @type {string[]} */ names) {
    return names.slice(0, 6).map(short).join(', ') + (names.length > 6 ? ` … (${names.length})` : '');
  }

  /** A path from the site's root -> an absolute URL, wherever the site is mounted. */
  function url(/** @type {string} */ path) {
    return new URL(config.base + path, document.baseURI).href;
  }

  /** Python writes links to the guide's pages as `~/room/id/`, from the root of their language: here they become addresses. */
  function pages(/** @type {string} */ html) {
    const home = config.base + (config.lang === 'en' ? '' : `${config.lang}/`);
    const index = local ? 'index.html' : '';
    return html.replace(/ href="~\/([^"#?]*)/g, (_, path) => ` href="${home}${path}${index}`);
  }

  /** @param {string} id @returns {FormSpec} */
  function spec(id) {
    return Object.assign({ fields: [] }, json(document.querySelector(`script[data-form-spec="${CSS.escape(id)}"]`)));
  }

  Object.assign(gpuguide, { config, text, short, listed, url, pages, spec, local });
})(self);
