/**
 * An answer as a file: CSV, JSON, Markdown, or on paper.
 *
 * In: `[data-export]` buttons in a calculator's result. Out: a file saved or text copied, as Python wrote it; for print, the page
 * with settings, numbers and working unfolded, as long as it prints.
 */
(function (root) {
  'use strict';

  const gpuguide = root.gpuguide;

  function save(/** @type {{name: string, type: string, text: string}} */ file) {
    const url = URL.createObjectURL(new Blob([file.text], { type: file.type }));
    const link = document.createElement('a');
    link.href = url;
    link.download = file.name;
    link.click();
    // Firefox reads it only after the click has been handled.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  /** Whether the text could be copied. @returns {Promise<boolean>} */
  function copy(/** @type {string} */ text) {
    return navigator.clipboard ? navigator.clipboard.writeText(text).then(() => true, () => false) : Promise.resolve(false);
  }

  async function write(/** @type {any} */ calculator, /** @type {string} */ kind, /** @type {HTMLElement} */ line) {
    if (kind === 'print') {
      root.print();
      return;
    }
    const format = kind === 'copy' ? 'md' : kind;
    const request = calculator.request();
    const long = calculator.simulated === JSON.stringify(request);
    line.textContent = gpuguide.text('export_begins');
    try {
      await gpuguide.whenReady();
      const address = location.href.split('#')[0];
      const asked = { ...request, view: false, ...(long ? { simulate: true } : {}), export: { format, address } };
      const answer = await gpuguide.runtime.call(calculator.id, asked);
      if (answer.error) {
        line.textContent = [answer.error.message, ...answer.error.fields.map((/** @type {any} */ f) => f.message)].join(' ');
        return;
      }
      if (kind === 'copy' && (await copy(answer.export.text))) {
        line.textContent = gpuguide.text('export_copied');
        return;
      }
      save(answer.export);
      line.textContent = gpuguide.text('export_saved', { name: answer.export.name });
    } catch {
      line.textContent = gpuguide.text('export_failed');
    }
  }

  for (const calculator of gpuguide.calculators || []) {
    const place = calculator.place.region?.querySelector('[data-exports]');
    const line = place?.querySelector('[role="status"]');
    place?.addEventListener('click', (/** @type {MouseEvent} */ event) => {
      const button = /** @type {Element} */ (event.target).closest('[data-export]');
      if (button) write(calculator, button.getAttribute('data-export') || '', line);
    });
  }

  /** @type {(() => void)[]} what is undone after printing */
  let undo = [];

  addEventListener('beforeprint', () => {
    undo.forEach((back) => back());
    undo = [];
    for (const calculator of gpuguide.calculators || []) {
      // What was left empty says nothing on paper.
      for (const field of calculator.form.querySelectorAll('.field')) {
        const control = field.querySelector('input:not([type="checkbox"], [type="file"]), select, textarea');
        if (!control || control.value) continue;
        field.setAttribute('data-empty', '');
        undo.push(() => field.removeAttribute('data-empty'));
      }
      for (const within of [calculator.form, calculator.place.region]) {
        for (const folded of within?.querySelectorAll('details:not([open])') || []) {
          folded.open = true;
          undo.push(() => (folded.open = false));
        }
      }
    }
  });
  addEventListener('afterprint', () => {
    undo.forEach((back) => back());
    undo = [];
  });
})(self);
