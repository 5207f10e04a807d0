/**
 * What a page tells its scripts.
 *
 * In: the page's `<script type="application/json" id="gpuguide-config">` and `data-form-spec` blocks.
 * Out: `gpuguide.config`, `gpuguide.text(key, values)`, `gpuguide.url(path)`, `gpuguide.spec(id)`.
 *
 * `base` leads to the site's root and its assets, `home` to the root of the page's language; `page_suffix` ends the
 * address of a page ("/" on a host, ".html" or "/index.html" in a folder).
 *
 * @typedef {{base: string, home: string, page_suffix: string, lang: string, offline: boolean, python: string, charts?: string[], text: Record<string, string>}} Config
 * @typedef {{name: string, type: string, default: unknown, optional?: boolean}} FieldSpec
 * @typedef {{fields: FieldSpec[], version?: number, catalog?: string}} FormSpec
 */
(function (root) {
  'use strict';

  const gpuguide = (root.gpuguide = root.gpuguide || {});

  /** @param {Element | null} element @returns {any} */
  function json(element) {
    return element ? JSON.parse(element.textContent || '{}') : {};
  }

  /** @type {Config} */
  const config = Object.assign(
    { base: './', home: './', page_suffix: '/', lang: 'en', offline: false, python: '', text: {} },
    json(document.getElementById('gpuguide-config')),
  );

  /** A sentence of the page's language; `{name}` is filled from `values`. */
  function text(/** @type {string} */ key, /** @type {Record<string, unknown>} */ values = {}) {
    const sentence = config.text[key] || '';
    return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  }

  /** A path from the site's root -> an absolute URL, wherever the site is mounted. */
  function url(/** @type {string} */ path) {
    return new URL(config.base + path, document.baseURI).href;
  }

  /** @param {string} id @returns {FormSpec} */
  function spec(id) {
    return Object.assign({ fields: [] }, json(document.querySelector(`script[data-form-spec="${CSS.escape(id)}"]`)));
  }

  /** Files of the page come from a folder or from a bundle: what `fetch` may not read is then in script files. */
  const local = config.offline || location.protocol === 'file:';

  Object.assign(gpuguide, { config, text, url, spec, local });
})(self);
