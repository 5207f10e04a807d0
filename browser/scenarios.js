/**
 * Scenarios beside a calculator's form: kept inputs, what differs, what comes out, one link for all.
 *
 * In: a calculator's `scenarios` (texts as a link writes them), the buttons `compare`, `open-scenario`, `remove-scenario`. Out: the
 * table that Python makes, in `[data-part=scenarios]`; the link, which `form.js` writes.
 */
(function (root) {
  'use strict';

  const gpuguide = root.gpuguide;
  const { state, fields, runtime } = gpuguide;

  function bind(/** @type {any} */ calculator) {
    const place = calculator.place.region?.querySelector('[data-part="scenarios"]');
    const button = calculator.form.querySelector('[data-action="compare"]');
    if (!place || !button) return;
    const { fields: specs, scenarios: most } = calculator.spec;
    let asked = 0;
    /** What is said when the table stands: earlier, the answer's own words would take its place. */
    let news = '';

    /** A scenario's fields as they are asked; what a link does not name stands at its default. */
    const values = (/** @type {string} */ text) => state.read(state.parse(`#${text}`)[0].fields, specs).values;

    async function show() {
      const wish = ++asked;
      button.disabled = calculator.scenarios.length >= most;
      if (!calculator.scenarios.length) {
        place.replaceChildren();
        return;
      }
      if (!runtime.ready) return;
      try {
        const request = { ...calculator.request(), view: false, compare: calculator.scenarios.map(values) };
        const answer = await runtime.call(calculator.id, request);
        if (wish !== asked || answer.error) return;
        const at = document.activeElement?.closest('[data-scenario]');
        const same = at && place.contains(at) ? `[data-action="${at.getAttribute('data-action')}"][data-scenario="${at.getAttribute('data-scenario')}"]` : '';
        place.innerHTML = gpuguide.pages(answer.compare.html);
        if (news) calculator.say(news);
        news = '';
        // The pressed button was replaced by its like: the focus goes on to it, else to the table.
        if (same) (place.querySelector(same) || place.querySelector('.scroll'))?.focus({ preventScroll: true });
      } catch {
        if (wish === asked) calculator.say(gpuguide.text('call_failed'));
      }
    }

    button.addEventListener('click', () => {
      if (calculator.scenarios.length >= most) return;
      calculator.scenarios.push(calculator.written());
      gpuguide.commit(calculator);
      news = gpuguide.text('scenario_kept', { name: 'ABCDEFGH'[calculator.scenarios.length] });
      show();
    });

    place.addEventListener('click', (/** @type {MouseEvent} */ event) => {
      const pressed = /** @type {Element} */ (event.target).closest('[data-scenario]');
      if (!pressed) return;
      const nth = Number(pressed.getAttribute('data-scenario'));
      if (pressed.getAttribute('data-action') === 'remove-scenario') calculator.scenarios.splice(nth, 1);
      else {
        const wanted = values(calculator.scenarios[nth]);
        calculator.scenarios[nth] = calculator.written();
        calculator.set(Object.assign(fields.defaults(specs), wanted), false);
      }
      gpuguide.commit(calculator);
      show();
    });

    calculator.form.addEventListener('gpuguide:answer', show);
    calculator.form.addEventListener('gpuguide:scenarios', show);
    runtime.watch((/** @type {any} */ progress) => progress.stage === 'ready' && show());
    show();
  }

  for (const calculator of gpuguide.calculators || []) bind(calculator);
})(self);
