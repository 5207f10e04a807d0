/**
 * Put into a page before its own scripts: gives the reader's intent, sees the answer come, keeps the times.
 *
 * In: {want: "live" | "visible" | "quiet", id, field, value, output, expect, ticks, more: [{value, expect}, ...], requests, runs, change, drawn}.
 * Out: `guideBench.found`, a promise. Times are ms since the navigation began (`performance.now()`).
 * - live: as soon as the form takes it, `field` becomes `value`; found when the output's `data-value` is `expect`. A page
 *   without the form is only watched. `ticks` also watches for stalls of the main thread; `more` are further changes,
 *   `requests` are then sent to the page's runtime; `runs` is how often its long run is started by its button
 *   with the inputs of `change`, after which the output `drawn` is read.
 * - visible: when the printed answer was first painted.
 * - quiet: two seconds after the page has loaded.
 */
(job) => {
  if (self !== self.top) return;
  const form = () => document.querySelector(`form[data-calculator="${job.id}"]`);
  const same = (a, b) => Math.abs(a - b) <= 1e-11 * Math.abs(b);

  /** Whether an output of the calculator shows the expected number. */
  function shows(expect) {
    const places = document.querySelectorAll(`[data-output="${job.output}"][data-value]`);
    return [...places].some((e) => same(Number(e.getAttribute('data-value')), expect));
  }

  /** The time at which the output shows `expect`: told by the change itself, in the same task. */
  function shown(expect) {
    return new Promise((resolve) => {
      const check = () => {
        if (!shows(expect)) return false;
        observer.disconnect();
        resolve(performance.now());
        return true;
      };
      const observer = new MutationObserver(check);
      observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-value'] });
    });
  }

  function type(value) {
    const control = form().elements.namedItem(job.field);
    control.value = value;
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** Turns to the form when it first listens: tried until it does, as soon as it stands in the page. */
  async function intent() {
    while (!form()) {
      if (document.readyState === 'complete') return null;
      await new Promise((again) => setTimeout(again, 5));
    }
    for (;;) {
      const at = performance.now();
      form().elements.namedItem(job.field).focus({ preventScroll: true });
      form().dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
      type(job.value);
      if (form().dataset.state !== 'static') return at;
      await new Promise((again) => setTimeout(again, 10));
    }
  }

  /** Gaps between timers that should come every few ms, and what the browser itself calls long tasks. */
  function stalls() {
    const gaps = [];
    const long = [];
    let last = performance.now();
    let on = true;
    const tick = () => {
      const now = performance.now();
      gaps.push({ at: last, ms: now - last });
      last = now;
      if (on) setTimeout(tick, 0);
    };
    tick();
    const observer = new PerformanceObserver((list) => list.getEntries().forEach((e) => long.push({ at: e.startTime, ms: e.duration })));
    if (PerformanceObserver.supportedEntryTypes.includes('longtask')) observer.observe({ type: 'longtask', buffered: true });
    return async (from) => {
      await new Promise((go) => setTimeout(go, 300)); // what follows the answer, and the browser's late word on long tasks
      on = false;
      const since = (list) => Math.max(0, ...list.filter((x) => x.at + x.ms >= from).map((x) => x.ms));
      return { gap: since(gaps), long: since(long) };
    };
  }

  /** Further changes, each from the message to the worker until the answer stands in the page. */
  async function again() {
    const took = [];
    let sent = 0;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (...args) {
      sent = performance.now();
      return post.apply(this, args);
    };
    for (const { value, expect } of job.more) {
      const done = shown(expect);
      type(value);
      took.push((await done) - sent);
      await new Promise((go) => setTimeout(go, 150)); // charts and what else the last answer brought
    }
    return took;
  }

  /** Requests, each from the message to the worker to the parsed answer. */
  async function requests() {
    const found = [];
    for (const request of job.requests) {
      const begun = performance.now();
      const answer = await self.gpuguide.runtime.call(job.id, request);
      found.push({ ms: performance.now() - begun, answer });
    }
    return found;
  }

  /** The long run by its button: from the press until the answer that rests on all draws stands in the page. */
  async function runs() {
    const found = [];
    const place = document.querySelector(`[data-simulate][data-for="${job.id}"]`);
    const calculator = self.gpuguide.calculators.find((c) => c.id === job.id);
    const answered = new Promise((resolve) => form().addEventListener('gpuguide:answer', resolve, { once: true }));
    calculator.set(job.change, true);
    self.gpuguide.commit(calculator);
    await answered;
    await new Promise((go) => setTimeout(go, 300));
    for (let n = 0; n < job.runs; n += 1) {
      const begun = performance.now();
      const ended = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (place.hasAttribute('data-running')) return;
          observer.disconnect();
          resolve(performance.now());
        });
        observer.observe(place, { attributes: true, attributeFilter: ['data-running'] });
      });
      place.querySelector('button').click();
      const ms = (await ended) - begun;
      const shown = document.querySelector(`[data-result] [data-output="${job.drawn}"]`).dataset.value;
      found.push({ ms, shown: Number(shown), said: place.querySelector('[role="status"]').textContent });
      await new Promise((go) => setTimeout(go, 300)); // charts and what else the answer brought
    }
    return found;
  }

  async function live() {
    const done = shown(job.expect);
    const stop = job.ticks ? stalls() : null;
    const from = await intent();
    const found = { intent: from, answer: await done };
    if (stop) Object.assign(found, await stop(from));
    if (job.more) found.again = await again();
    if (job.requests) found.requests = await requests();
    if (job.runs) found.runs = await runs();
    return found;
  }

  /** The first paint of the answer, by the browser's element timing: the mark is set before the element is first drawn. */
  function visible() {
    return new Promise((resolve) => {
      const find = () => {
        const element = document.querySelector(`[data-result="${job.id}"] [data-output], [data-output][data-for="${job.id}"]`);
        if (!element) return;
        observer.disconnect();
        let block = element;
        while (block.parentElement && getComputedStyle(block).display.startsWith('inline')) block = block.parentElement;
        block.setAttribute('elementtiming', 'answer');
      };
      const observer = new MutationObserver(find);
      observer.observe(document, { subtree: true, childList: true });
      new PerformanceObserver((list) => {
        const first = list.getEntries()[0];
        resolve({ visible: first.renderTime || first.startTime, element: first.element?.outerHTML.slice(0, 80) });
      }).observe({ type: 'element', buffered: true });
    });
  }

  function quiet() {
    return new Promise((resolve) => addEventListener('load', () => setTimeout(() => resolve({ loaded: performance.now() }), 2000)));
  }

  self.guideBench = { found: { live, visible, quiet }[job.want]() };
}
