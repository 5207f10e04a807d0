/**
 * A form's controls as plain values, and the errors beside them.
 *
 * In: a form and its field list. Out: values as typed (Python judges them), controls filled, errors shown or cleared.
 */
(function (root) {
  'use strict';

  /**
   * @typedef {{name: string, type: string, default: unknown, optional?: boolean}} FieldSpec
   * @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control
   */

  const gpuguide = root.gpuguide;

  /** What Python made of a long text: `short` stands for `text` as long as the control holds it. */
  /** @type {WeakMap<Control, {text: string, short: string}>} */
  const shortened = new WeakMap();

  /** @param {HTMLFormElement} form @param {string} name @returns {Control[]} */
  function controls(form, name) {
    const found = form.elements.namedItem(name);
    if (!found) return [];
    return /** @type {Control[]} */ ('tagName' in found ? [found] : [...found]);
  }

  /** @param {HTMLFormElement} form @param {FieldSpec} spec @returns {string | string[] | boolean | undefined} */
  function value(form, spec) {
    const found = controls(form, spec.name);
    if (!found.length) return undefined;
    const boxes = /** @type {HTMLInputElement[]} */ (found);
    if (spec.type === 'text') {
      const known = shortened.get(found[0]);
      return known && known.text === found[0].value ? known.short : found[0].value;
    }
    if (spec.type === 'bool') return boxes[0].type === 'checkbox' ? boxes[0].checked : found[0].value;
    if (spec.type === 'choices') {
      if (found[0] instanceof HTMLSelectElement) return [...found[0].selectedOptions].map((o) => o.value);
      return boxes.filter((b) => b.checked).map((b) => b.value);
    }
    if (boxes[0].type === 'radio') return boxes.find((b) => b.checked)?.value ?? '';
    return found[0].value;
  }

  /** What stands in the form, as typed. @param {HTMLFormElement} form @param {FieldSpec[]} specs */
  function values(form, specs) {
    /** @type {Record<string, string | string[] | boolean>} */
    const out = {};
    for (const spec of specs) {
      const v = value(form, spec);
      if (v !== undefined) out[spec.name] = v;
    }
    return out;
  }

  /** Remembers the short form of a text field, for links and later requests; the reader's text stays as it is. */
  function shorten(/** @type {Control} */ control, /** @type {string} */ short) {
    shortened.set(control, { text: control.value, short });
  }

  /** @param {FieldSpec[]} specs */
  function defaults(specs) {
    return Object.fromEntries(specs.map((s) => [s.name, s.default]));
  }

  /**
   * What Python is asked. A number field whose text the browser cannot read has the value '', as an empty one has: Python
   * is told the difference, so that a half-typed number is never taken for "not given".
   * @param {HTMLFormElement} form @param {FieldSpec[]} specs
   */
  function asked(form, specs) {
    const out = values(form, specs);
    for (const spec of specs) {
      if (controls(form, spec.name).some((c) => c.validity.badInput)) out[spec.name] = UNREADABLE;
    }
    return out;
  }

  const UNREADABLE = 'unreadable';
  /** What a number control takes; it empties itself of anything else. */
  const NUMBER = /^-?(\d+|\d*\.\d+)(e[-+]?\d+)?$/i;

  /**
   * Puts values into their controls.
   * @param {HTMLFormElement} form @param {FieldSpec[]} specs @param {any} wanted
   * @returns {string[]} the fields that could not take what was wanted
   */
  function fill(form, specs, wanted) {
    const refused = [];
    for (const spec of specs) {
      if (!(spec.name in wanted)) continue;
      const v = wanted[spec.name];
      const chosen = Array.isArray(v) ? v.map(String) : [v === null || v === undefined ? '' : String(v)];
      const number = controls(form, spec.name).some((c) => c.type === 'number');
      if (number) {
        const text = chosen[0].trim();
        chosen[0] = NUMBER.test(text) && Number.isFinite(Number(text)) ? text : '';
        if (text && !chosen[0]) refused.push(spec.name);
      }
      for (const control of controls(form, spec.name)) {
        if (control instanceof HTMLSelectElement && control.multiple) {
          for (const option of control.options) option.selected = chosen.includes(option.value);
        } else if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
          control.checked = spec.type === 'bool' ? v === true || v === 'true' : chosen.includes(control.value);
        } else control.value = chosen[0];
      }
      if (!number && !took(spec, value(form, spec), chosen)) refused.push(spec.name);
    }
    return refused;
  }

  /** Whether a choice, a list or a switch stands as it was wanted. */
  function took(/** @type {FieldSpec} */ spec, /** @type {any} */ stands, /** @type {string[]} */ chosen) {
    if (stands === undefined || spec.type === 'bool' || spec.type === 'text') return true;
    return Array.isArray(stands) ? chosen.every((c) => !c || stands.includes(c)) : stands === chosen[0];
  }

  /**
   * Shows each error beside its field and clears the others.
   * @param {HTMLFormElement} form @param {FieldSpec[]} specs @param {{field: string, message: string}[]} errors
   */
  function mark(form, specs, errors) {
    for (const spec of specs) {
      const error = errors.find((e) => e.field === spec.name);
      const place = /** @type {HTMLElement | null} */ (form.querySelector(`[data-error="${CSS.escape(spec.name)}"]`));
      for (const control of controls(form, spec.name)) {
        if (error) {
          control.setAttribute('aria-invalid', 'true');
          if (place) control.setAttribute('aria-errormessage', place.id);
        } else {
          control.removeAttribute('aria-invalid');
          control.removeAttribute('aria-errormessage');
        }
      }
      // A field out of sight in a folded group would keep its error a secret.
      if (error && place) place.closest('details')?.setAttribute('open', '');
      if (place) {
        place.textContent = error ? error.message : '';
        place.hidden = !error;
      }
    }
  }

  gpuguide.fields = { controls, value, values, asked, defaults, shorten, fill, mark };
})(self);
