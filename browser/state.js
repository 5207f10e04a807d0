/**
 * A calculator's state in a URL: `#ID?field=value&…`, several joined by `/`.
 *
 * Pure functions: text in, data out, and back. Only what differs from the default is written; lists are joined by
 * commas; `v` (form version) and `data` (catalog edition) are reserved. A fragment without `?` is an ordinary anchor.
 */
(function (root) {
  'use strict';

  /**
   * @typedef {Record<string, string | string[] | boolean>} Values
   * @typedef {{id: string, fields: Record<string, string>, v: string, data: string}} Entry
   * @typedef {{name: string, type: string, default: unknown, optional?: boolean}} FieldSpec
   */

  const RESERVED = ['v', 'data'];
  /** Characters of a text that a link carries; a longer one waits for its short form. */
  const LONGEST = 4000;

  /** Percent-decoding that keeps a text whose escapes are broken, instead of failing. */
  function decode(/** @type {string} */ text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  /**
   * A fragment -> the states it holds, in order; empty where it is an ordinary anchor.
   * Commas that join a list stay literal, commas inside an item are encoded: split before decoding.
   * @param {string} hash @returns {Entry[]}
   */
  function parse(hash) {
    const entries = [];
    for (const part of hash.replace(/^#/, '').split('/')) {
      const mark = part.indexOf('?');
      if (mark < 1) continue;
      /** @type {Entry} */
      const entry = { id: decode(part.slice(0, mark)), fields: Object.create(null), v: '', data: '' };
      for (const pair of part.slice(mark + 1).split('&')) {
        if (!pair) continue;
        const equals = pair.indexOf('=');
        const name = decode(equals < 0 ? pair : pair.slice(0, equals));
        const raw = equals < 0 ? '' : pair.slice(equals + 1);
        if (name === 'v' || name === 'data') entry[name] = decode(raw);
        else entry.fields[name] = raw;
      }
      entries.push(entry);
    }
    return entries;
  }

  /**
   * The raw fields of an entry -> typed values, and the names that the form does not have.
   * @param {Record<string, string>} fields @param {FieldSpec[]} specs @returns {{values: Values, unknown: string[]}}
   */
  function read(fields, specs) {
    /** @type {Values} */
    const values = {};
    const unknown = [];
    for (const [name, raw] of Object.entries(fields)) {
      const spec = specs.find((s) => s.name === name);
      if (!spec) unknown.push(name);
      else if (spec.type === 'choices') values[name] = raw === '' ? [] : raw.split(',').map(decode);
      else if (spec.type === 'bool') values[name] = ['true', '1', 'on', 'yes'].includes(decode(raw).toLowerCase());
      else values[name] = decode(raw);
    }
    return { values, unknown };
  }

  /** Whether a value, as typed, is the field's default. `8192`, `8192.0` and `8.192e3` are the same number. */
  function isDefault(/** @type {FieldSpec} */ spec, /** @type {string | string[] | boolean} */ value) {
    const standard = spec.default;
    if (Array.isArray(value)) {
      return Array.isArray(standard) && value.length === standard.length && value.every((v, i) => v === standard[i]);
    }
    if (typeof value === 'boolean') return value === Boolean(standard);
    if (standard === null || standard === undefined) return value.trim() === '';
    if (spec.type === 'int' || spec.type === 'float') return value.trim() !== '' && Number(value) === Number(standard);
    return value === String(standard);
  }

  /** Percent-encodes all but letters, digits and `_.-~`, as the links that Python writes do. */
  function encode(/** @type {string} */ text) {
    return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  }

  /**
   * One form's values -> `ID?field=value&…`. `reserved` adds `v` and `data` for a link that is handed on.
   * @param {string} id @param {FieldSpec[]} specs @param {Values} values @param {Record<string, unknown>} [reserved]
   */
  function write(id, specs, values, reserved = {}) {
    const pairs = [];
    for (const spec of specs) {
      const value = values[spec.name];
      if (value === undefined || isDefault(spec, value)) continue;
      if (typeof value === 'string' && value.length > LONGEST) continue;
      const text = Array.isArray(value) ? value.map(encode).join(',') : encode(String(value));
      pairs.push(`${encode(spec.name)}=${text}`);
    }
    for (const name of RESERVED) {
      if (reserved[name]) pairs.push(`${name}=${encode(String(reserved[name]))}`);
    }
    return `${encode(id)}?${pairs.join('&')}`;
  }

  /**
   * All forms of a page -> the fragment without `#`; empty where all stand at their defaults. A form at its default is
   * written only where a later scenario of the same calculator follows it, to keep that one's place; a scenario that is
   * `kept` beside its form is always written, whatever it holds.
   * @param {{id: string, text: string, kept?: boolean}[]} written
   */
  function join(written) {
    /** @typedef {{id: string, text: string, kept?: boolean}} Written */
    const stays = (/** @type {Written} */ w) => w.kept || !w.text.endsWith('?');
    return written
      .filter((w, i) => stays(w) || written.some((later, j) => j > i && later.id === w.id && stays(later)))
      .map((w) => w.text)
      .join('/');
  }

  const gpuguide = (root.gpuguide = root.gpuguide || {});
  gpuguide.state = { parse, read, write, join, isDefault };
})(typeof self === 'undefined' ? globalThis : self);
