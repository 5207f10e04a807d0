/**
 * One Python for a page, started when a reader turns to a calculator.
 *
 * In: `gpuguide.runtime.start()`, `call(id, request)`. Out: answers as promises; the stages of starting to `watch`ers.
 * Over http the worker is a file; from a folder it is a Blob, and the runtime comes in script files that call
 * `gpuguide.part`. After a failure the next `start` tries again from nothing.
 */
(function (root) {
  'use strict';

  /**
   * @typedef {{stage: 'loading' | 'starting' | 'ready' | 'failed', loaded?: number, total?: number, reason?: string, detail?: string, restored?: boolean}} Progress
   */

  const gpuguide = root.gpuguide;

  /** @type {Worker | null} */
  let worker = null;
  /** @type {Progress | null} */
  let progress = null;
  let number = 0;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (reason: Error) => void, send: () => void}>} */
  const calls = new Map();
  /** @type {((progress: Progress) => void)[]} */
  const watchers = [];

  function tell(/** @type {Progress} */ news) {
    progress = news;
    for (const watcher of watchers) watcher(news);
  }

  /** `detail` is for whoever looks into it: it stands in `gpuguide.runtime.detail`, not in the page. */
  function fail(/** @type {string} */ reason, /** @type {string} */ detail = '') {
    if (worker) worker.terminate();
    worker = null;
    for (const waiting of calls.values()) waiting.reject(new Error(reason));
    calls.clear();
    tell({ stage: 'failed', reason, detail });
  }

  function hear(/** @type {MessageEvent} */ event) {
    const message = event.data;
    if (message.n !== undefined) {
      const waiting = calls.get(message.n);
      calls.delete(message.n);
      if (!waiting) return;
      if (message.failure) waiting.reject(new Error(message.failure));
      else waiting.resolve(JSON.parse(message.response));
    } else if (message.refused) plainly();
    else if (message.failed) fail(gpuguide.text('load_failed'), message.failed);
    else if (message.stage) tell({ stage: message.stage, restored: message.restored });
    else if (progress && progress.stage === 'loading') tell({ stage: 'loading', loaded: message.loaded, total: message.total });
  }

  /** The scripts that bring a folder's runtime. @type {Promise<unknown>} */
  let arrived = Promise.resolve();

  /**
   * Whether Python is to be restored from a memory that the build took, rather than started: it pays in Chromium's
   * family and not in Firefox, by measurement. After one refusal the page starts Python plainly.
   */
  let restores = /Chrome\//.test(navigator.userAgent);

  /** A new start without the memory, once what was sent for is here and dropped. The calls that wait are sent again. */
  async function plainly() {
    restores = false;
    if (worker) worker.terminate();
    worker = null;
    await arrived.catch(() => {});
    progress = null;
    start();
  }

  function begin(/** @type {string} */ url) {
    worker = new Worker(url, { name: restores ? 'restore' : 'start' });
    worker.onmessage = hear;
    for (const waiting of calls.values()) waiting.send();
    worker.onerror = (event) => {
      event.preventDefault();
      fail(gpuguide.text('load_failed'), event.message);
    };
  }

  /** @param {string} path @returns {Promise<void>} */
  function script(path) {
    return new Promise((resolve, reject) => {
      const element = document.createElement('script');
      element.src = gpuguide.url(path);
      element.async = false;
      element.onload = () => {
        element.remove();
        resolve();
      };
      element.onerror = () => {
        element.remove();
        reject(new Error(path));
      };
      document.head.append(element);
    });
  }

  /** Part files call this; the text goes on to the worker at once and is not kept. */
  function part(/** @type {string} */ name, /** @type {string} */ text, /** @type {boolean} */ last) {
    if (worker) worker.postMessage({ part: name, text, last });
  }

  async function beginLocal() {
    const folder = gpuguide.config.python + 'local/';
    await script(folder + 'worker.js');
    const { source, parts } = gpuguide.localRuntime;
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    begin(url);
    const files = ['glue', 'wasm', restores ? 'memory' : 'zip'].flatMap((name) => parts[name]);
    arrived = Promise.all(files.map((file) => script(folder + file)));
    await arrived;
    URL.revokeObjectURL(url);
  }

  /** Starts Python unless it is starting or started. */
  function start() {
    if (progress && progress.stage !== 'failed') return;
    if (typeof Worker === 'undefined' || typeof WebAssembly === 'undefined' || typeof DecompressionStream === 'undefined') {
      fail(gpuguide.text('no_worker'));
      return;
    }
    tell({ stage: 'loading' });
    try {
      if (gpuguide.local) beginLocal().catch((error) => fail(gpuguide.text('load_failed'), String(error)));
      else begin(gpuguide.url(gpuguide.config.python + 'worker.js'));
    } catch {
      fail(gpuguide.text('no_worker'));
    }
  }

  /**
   * One calculation. Rejects where Python failed to start or the call itself failed.
   * @param {string} id @param {object} request @returns {Promise<any>}
   */
  function call(id, request) {
    if (!worker) return Promise.reject(new Error('not started'));
    const message = { n: ++number, id, request: JSON.stringify(request) };
    return new Promise((resolve, reject) => {
      const send = () => worker?.postMessage(message);
      calls.set(message.n, { resolve, reject, send });
      send();
    });
  }

  gpuguide.part = part;
  gpuguide.loadScript = script;
  gpuguide.runtime = {
    start,
    call,
    /** Calls `watcher` at each step of starting, and at once with the present one. */
    watch(/** @type {(progress: Progress) => void} */ watcher) {
      watchers.push(watcher);
      if (progress) watcher(progress);
    },
    get detail() {
      return progress ? progress.detail || '' : '';
    },
    /** Whether this Python was restored from memory rather than started from its library. */
    get restored() {
      return Boolean(progress?.restored);
    },
    get ready() {
      return progress !== null && progress.stage === 'ready';
    },
  };
})(self);
