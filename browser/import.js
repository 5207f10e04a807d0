/**
 * A model's file -> the text field of a form.
 *
 * In: a file that the reader chooses or drops on the field. Out: its text, or, for safetensors and GGUF files, the short form
 * that Python made of the header's bytes; the file's weights are never read, and nothing leaves the page. What was typed
 * stays until there is something to put in its place.
 */
(function (root) {
  'use strict';

  const gpuguide = root.gpuguide;
  const { runtime, fields } = gpuguide;
  /** Bytes of a header at most; the same limits as in Python, which says so to the reader. */
  const GGUF_HEADER = 20_000_000;
  const SAFETENSORS_HEADER = 16_000_000;
  /** Characters of a text that is shown as it is; longer ones are shortened first. */
  const SHOWN = 100_000;

  /** The bytes of a slice as base64. @param {Blob} blob @returns {Promise<string>} */
  function base64(blob) {
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result).split(',')[1] || '');
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(blob);
    });
  }

  /** What Python is given of a file; null where it is too large to be text. @param {File} file @returns {Promise<string | null>} */
  async function contents(file) {
    const name = `name=${file.name.replace(/;/g, ' ').slice(0, 200)};`;
    const start = new DataView(await file.slice(0, 8).arrayBuffer());
    if (start.byteLength >= 4 && start.getUint32(0) === 0x47475546) {
      return `${name}gguf;base64,${await base64(file.slice(0, GGUF_HEADER))}`;
    }
    if (file.name.endsWith('.safetensors')) {
      const length = start.byteLength === 8 ? Number(start.getBigUint64(0, true)) : 0;
      return `${name}safetensors;base64,${await base64(file.slice(0, 8 + Math.min(length, SAFETENSORS_HEADER)))}`;
    }
    if (file.size > GGUF_HEADER) return null;
    return name + (await file.text());
  }

  /** Resolves when Python can be asked. @returns {Promise<void>} */
  function ready() {
    return new Promise((resolve, reject) => {
      let done = false;
      runtime.watch((/** @type {any} */ progress) => {
        if (done || (progress.stage !== 'ready' && progress.stage !== 'failed')) return;
        done = true;
        if (progress.stage === 'ready') resolve();
        else reject(new Error(progress.reason));
      });
      runtime.start();
    });
  }

  /** @param {HTMLFormElement} form @param {HTMLTextAreaElement} area @param {File} file */
  async function take(form, area, file) {
    const say = (/** @type {string} */ sentence) => {
      const line = form.querySelector('[data-status]');
      if (line) line.textContent = sentence;
    };
    const id = form.dataset.calculator || '';
    const specs = gpuguide.spec(id).fields;
    const fail = (/** @type {string} */ message) => {
      fields.mark(form, specs, [{ field: area.name, message }]);
      say('');
    };
    say(gpuguide.text('importing', { name: file.name }));
    try {
      const text = await contents(file);
      if (text === null) {
        fail(gpuguide.text('import_large', { name: file.name }));
        return;
      }
      const body = text.slice(text.indexOf(';') + 1);
      if (body.length <= SHOWN && !/^(gguf|safetensors);base64,/.test(body)) area.value = body;
      else {
        await ready();
        const answer = await runtime.call(id, { lang: gpuguide.config.lang, [area.name]: text });
        if (answer.error) {
          const own = answer.error.fields.find((/** @type {any} */ e) => e.field === area.name);
          fail(own ? own.message : answer.error.message);
          return;
        }
        area.value = answer.inputs[area.name];
      }
      area.dispatchEvent(new Event('change', { bubbles: true }));
    } catch {
      fail(gpuguide.text('import_failed', { name: file.name }));
    }
  }

  /** The model's name in a short form, empty for any other text. */
  function named(/** @type {string} */ short) {
    try {
      return String(JSON.parse(short).name || '');
    } catch {
      return '';
    }
  }

  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[data-calculator]'))) {
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll('[data-import]'))) {
      const field = place.dataset.import || '';
      const area = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem(field));
      const choice = /** @type {HTMLInputElement} */ (place.querySelector('input[type="file"]'));
      const told = /** @type {HTMLElement | null} */ (form.querySelector(`[data-imported="${CSS.escape(field)}"]`));
      place.hidden = false;
      choice.addEventListener('change', (event) => {
        event.stopPropagation(); // the form changes when the text does
        if (choice.files && choice.files[0]) take(form, area, choice.files[0]);
        choice.value = '';
      });
      choice.addEventListener('input', (event) => event.stopPropagation());
      area.addEventListener('dragover', (event) => {
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
      });
      area.addEventListener('drop', (event) => {
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        take(form, area, file);
      });
      form.addEventListener('gpuguide:answer', (event) => {
        const short = /** @type {CustomEvent} */ (event).detail.inputs[field];
        if (short && area.value.trim()) fields.shorten(area, short);
        const name = short ? named(short) : '';
        if (!told) return;
        told.hidden = !name;
        told.textContent = name ? gpuguide.text('imported', { name }) : '';
      });
    }
  }
})(self);
