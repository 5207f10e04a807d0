/**
 * The long run: thousands of draws of what is uncertain, in steps, with a word on how far it is and a way to stop.
 *
 * In: `[data-simulate]` in a calculator's result, the form's inputs. Out: the answer in the page, resting on all draws; the same
 * button starts and stops, so that the focus stays. Any change of an input stops the run: its answer would be for other inputs.
 */
(function (root) {
  'use strict';

  const gpuguide = root.gpuguide;
  const { runtime, result } = gpuguide;
  /** ms that one step aims at: long enough to be worth a message, short enough to stop at once. */
  const STEP = 60;
  const number = (/** @type {number} */ n) => n.toLocaleString('en-US');

  /** Resolves when Python can be asked, rejects where it cannot start. @returns {Promise<void>} */
  gpuguide.whenReady = () => {
    runtime.start();
    return new Promise((resolve, reject) => {
      let open = true;
      runtime.watch((/** @type {any} */ progress) => {
        if (!open || (progress.stage !== 'ready' && progress.stage !== 'failed')) return;
        open = false;
        if (progress.stage === 'ready') resolve();
        else reject(new Error(progress.reason));
      });
    });
  };

  function bind(/** @type {any} */ calculator) {
    const place = calculator.place.region?.querySelector('[data-simulate]');
    if (!place) return;
    const button = /** @type {HTMLButtonElement} */ (place.querySelector('button'));
    const bar = /** @type {HTMLProgressElement} */ (place.querySelector('progress'));
    const line = /** @type {HTMLElement} */ (place.querySelector('[role="status"]'));
    /** The run that is going on; 0 where none is. */
    let running = 0;
    let turn = 0;
    let inputs = '';
    let of = Number(place.dataset.of);

    const say = (/** @type {string} */ sentence) => (line.textContent = sentence);

    function rest(/** @type {string} */ sentence) {
      running = 0;
      bar.hidden = true;
      place.removeAttribute('data-running');
      button.textContent = gpuguide.text('simulate', { n: number(of) });
      say(sentence);
    }

    async function run() {
      const mine = (running = ++turn);
      const request = calculator.request();
      inputs = JSON.stringify(request);
      bar.hidden = false;
      bar.removeAttribute('value');
      place.setAttribute('data-running', '');
      button.textContent = gpuguide.text('simulate_cancel');
      say(gpuguide.text('simulate_begins'));
      try {
        await gpuguide.whenReady();
        const begun = await runtime.call(calculator.id, { ...request, simulate: 'begin' });
        if (running !== mine) return;
        if (begun.error) rest([begun.error.message, ...begun.error.fields.map((/** @type {any} */ f) => f.message)].join(' '));
        else await draw(mine, request, begun.simulation);
      } catch {
        if (running === mine) rest(gpuguide.text('call_failed'));
      }
    }

    async function draw(/** @type {number} */ mine, /** @type {any} */ request, /** @type {any} */ begun) {
      of = begun.of;
      bar.max = of;
      let draws = 200;
      let told = 0;
      while (running === mine) {
        const before = performance.now();
        const answer = await runtime.call(calculator.id, { ...request, simulate: { run: begun.run, draws } });
        if (running !== mine) return;
        if (answer.error) {
          rest(answer.error.message);
          return;
        }
        if (answer.outputs) {
          const wish = calculator.asked;
          result.show(calculator.place, answer, () => wish === calculator.asked);
          rest(gpuguide.text('simulated', { n: number(of) }));
          calculator.simulated = inputs;
          return;
        }
        const now = performance.now();
        const { done } = answer.simulation;
        bar.value = done;
        // Words that change with every step would be read out without end.
        if (now - told > 400) say(gpuguide.text('simulating', { done: number(done), of: number(of) }));
        if (now - told > 400) told = now;
        draws = Math.round(Math.min(20_000, Math.max(50, draws * Math.min(4, STEP / Math.max(1, now - before)))));
      }
    }

    button.addEventListener('click', () => {
      if (running) rest(gpuguide.text('simulate_stopped'));
      else run();
    });
    calculator.form.addEventListener('gpuguide:changed', () => {
      if (running && JSON.stringify(calculator.request()) !== inputs) rest(gpuguide.text('simulate_changed'));
    });
    calculator.form.addEventListener('gpuguide:answer', (/** @type {CustomEvent} */ event) => {
      calculator.simulated = '';
      of = event.detail.simulation?.of ?? of;
      if (!running) rest('');
      place.hidden = !event.detail.simulation;
    });
  }

  for (const calculator of gpuguide.calculators || []) bind(calculator);
})(self);
