/**
 * The calculators' Python, in a worker of its own.
 *
 * The build writes one line before this file: `self.GPUGUIDE_RUNTIME = {…}`, the names and sizes of the runtime's files.
 * Over http the files are fetched; from a folder they arrive as messages `{part, text, last}` (base64 of gzip), because
 * a page from a folder may not fetch. Either way Pyodide sees one `fetch` that answers from the same table.
 *
 * Python starts from its library, or, in a worker named "restore", from the memory of one that had started: sooner, for
 * more bytes. Where the line does not carry those in the time that they save, or they do not fit, it is the library.
 *
 * In:  `{n, id, request}` - a calculation.              Out: `{n, response}` or `{n, failure}`.
 *                                                            `{loaded, total}`, `{stage}`, `{failed}` while starting;
 *                                                            `{refused}`: restoring failed, a new worker has to start plainly.
 */
(function () {
  'use strict';

  const runtime = /** @type {any} */ (self).GPUGUIDE_RUNTIME;
  const { sizes } = runtime;
  const WASM = 'pyodide.asm.wasm';
  /** @type {Record<string, string>} */
  const MIME = { [WASM]: 'application/wasm', [runtime.zip]: 'application/zip' };
  const local = self.location.protocol === 'blob:';
  const core = local ? 'file:///pyodide/' : new URL(runtime.core, self.location.href).href;

  /** ms to the first byte within which a server is near, or the file in the browser's cache. */
  const NEAR = 40;

  /** ms that restoring saves in a browser to which it is offered (measured: 350 to 400 on two cores of a server). */
  const SAVED = 350;
  /** ms after its first byte at which the rest of it is judged. */
  const MOMENT = 100;

  let restoring = self.name === 'restore';
  let loaded = 0;
  let told = 0;
  /** Bytes so far; told about ten times a second, since each telling costs the page a little. */
  function count(/** @type {number} */ bytes) {
    loaded += bytes;
    const total = (local ? sizes.glue : 0) + sizes.wasm + (restoring ? sizes.memory : sizes.zip);
    const now = performance.now();
    if (now - told > 100 || loaded >= total) {
      told = now;
      self.postMessage({ loaded, total });
    }
  }

  /** @param {ReadableStream<Uint8Array>} stream @param {string} name */
  function answer(stream, name) {
    return new Response(stream, { headers: { 'content-type': MIME[name] || 'application/octet-stream' } });
  }

  /**
   * The same bytes, counted on their way. Naming the type here makes a host's wrong MIME type harmless. A file that does
   * not come ends the start here: Pyodide, which would go on without it, never hears of it.
   *
   * Only a response as the browser gave it lets WebAssembly that was compiled on an earlier visit be used again (a third of
   * a warm start). It is counted on a copy, and that only where the line is slow enough for a reader to see the count.
   * @returns {Promise<Response>}
   */
  async function fetched(/** @type {string} */ url, /** @type {string} */ name) {
    const begun = performance.now();
    const response = await fetch(url).catch(() => Response.error());
    if (!response.ok || !response.body) {
      fail(`${name}: HTTP ${response.status}`);
      return new Promise(() => {});
    }
    if (response.headers.get('content-type') === MIME[WASM]) {
      if (performance.now() - begun < NEAR) count(sizes.wasm);
      else observe(response.clone()).catch(() => {}); // what breaks off the copy breaks off the file too
      return response;
    }
    const counter = new TransformStream({
      transform(chunk, out) {
        count(chunk.byteLength);
        out.enqueue(chunk);
      },
    });
    return answer(response.body.pipeThrough(counter), name);
  }

  async function observe(/** @type {Response} */ copy) {
    const reader = /** @type {ReadableStream<Uint8Array>} */ (copy.body).getReader();
    for (let piece = await reader.read(); piece.value; piece = await reader.read()) count(piece.value.byteLength);
  }

  /** @param {string} text @returns {Uint8Array} */
  function fromBase64(text) {
    const native = /** @type {any} */ (Uint8Array).fromBase64;
    return native ? native.call(Uint8Array, text) : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  }

  /** Streams that fill as parts arrive, so that WebAssembly compiles while the rest is read. */
  const writers = new Map();
  function arriving(/** @type {string} */ name) {
    const inflate = new DecompressionStream('gzip');
    writers.set(name, inflate.writable.getWriter());
    return inflate.readable;
  }

  function part(/** @type {{part: string, text: string, last: boolean}} */ message) {
    const writer = writers.get(message.part);
    if (!writer) return;
    const bytes = fromBase64(message.text);
    count(message.text.length);
    const done = writer.write(bytes).then(() => (message.last ? writer.close() : undefined));
    done.catch(fail);
  }

  function fail(/** @type {unknown} */ error) {
    const reason = String((error instanceof Error && error.message) || error);
    self.postMessage(restoring ? { refused: reason } : { failed: reason });
  }

  /** @type {((id: string, request: string) => string) | undefined} */
  let call;
  /** @type {{n: number, id: string, request: string}[]} */
  const waiting = [];

  function calculate(/** @type {{n: number, id: string, request: string}} */ message) {
    if (!call) {
      waiting.push(message);
      return;
    }
    try {
      self.postMessage({ n: message.n, response: call(message.id, message.request) });
    } catch (error) {
      self.postMessage({ n: message.n, failure: String(error) });
    }
  }

  self.onmessage = (event) => (event.data.part ? part(event.data) : calculate(event.data));

  /**
   * The memory to restore, over http; null where starting from the library is the quicker way, or the only one. What
   * has come a moment after the first byte tells how fast the line, or the browser's cache, is.
   * @returns {Promise<Uint8Array | null>}
   */
  async function memoryOverLine() {
    const stop = new AbortController();
    const response = await fetch(new URL(runtime.memory, self.location.href).href, { signal: stop.signal });
    if (!response.ok || !response.body) return null;
    const first = performance.now();
    let here = 0;
    const counter = new TransformStream({
      transform(chunk, out) {
        here += chunk.byteLength;
        count(chunk.byteLength);
        out.enqueue(chunk);
      },
    });
    const memory = unpacked(response.body.pipeThrough(counter).pipeThrough(new DecompressionStream('gzip')));
    const moment = new Promise((resolve) => setTimeout(resolve, MOMENT));
    await Promise.race([moment, memory.catch(() => {})]);
    const awaited = ((sizes.memory - here) * (performance.now() - first)) / here;
    if (awaited <= SAVED) return memory;
    memory.catch(() => {});
    stop.abort();
    loaded -= here;
    return null;
  }

  /** @param {ReadableStream<Uint8Array>} stream @returns {Promise<Uint8Array>} */
  async function unpacked(stream) {
    const memory = new Uint8Array(runtime.memorySize);
    const reader = stream.getReader();
    let at = 0;
    for (let piece = await reader.read(); piece.value; piece = await reader.read()) {
      memory.set(piece.value, at);
      at += piece.value.length;
    }
    if (at !== memory.length) throw new Error(`${runtime.memory}: ${at} bytes`);
    return memory;
  }

  /** An empty archive: what a restored Python has for a library. */
  const NOTHING = Uint8Array.of(0x50, 0x4b, 5, 6, ...Array(18).fill(0));

  async function start() {
    /** @type {Record<string, Promise<Response>>} */
    const files = {};
    /** @type {Uint8Array | null} */
    let memory = null;
    if (local) {
      const glue = new Response(arriving('glue')).text();
      compileEarly(Promise.resolve(answer(arriving('wasm'), WASM)));
      const rest = arriving(restoring ? 'memory' : 'zip');
      const url = URL.createObjectURL(new Blob([await glue], { type: 'text/javascript' }));
      self.importScripts(url);
      URL.revokeObjectURL(url);
      if (restoring) memory = await unpacked(rest);
      else files[runtime.zip] = Promise.resolve(answer(rest, runtime.zip));
    } else {
      // The downloads begin before the scripts are run: importScripts waits, the network does not.
      compileEarly(fetched(core + WASM, WASM));
      const library = () => (files[runtime.zip] = fetched(new URL(runtime.zip, self.location.href).href, runtime.zip));
      const restorable = restoring ? memoryOverLine().catch(() => null) : library();
      self.importScripts(core + 'pyodide.js', core + 'pyodide.asm.js');
      if (restoring) {
        memory = /** @type {Uint8Array | null} */ (await restorable);
        restoring = memory !== null;
        if (!memory) library();
      }
    }
    if (memory) files[runtime.zip] = Promise.resolve(new Response(NOTHING));
    files[WASM] = Promise.resolve(new Response());
    const real = self.fetch;
    self.fetch = (resource) => {
      const name = String(resource instanceof Request ? resource.url : resource).split('/').pop() || '';
      return files[name] || Promise.reject(new Error(`${name} is not part of the runtime`));
    };
    const pyodide = await /** @type {any} */ (self).loadPyodide({
      indexURL: core,
      packageBaseUrl: core,
      stdLibURL: core + runtime.zip,
      lockFileContents: runtime.lock,
      ...(memory ? { _loadSnapshot: memory } : {}),
    });
    self.fetch = real;
    self.postMessage({ stage: 'starting' });
    call = pyodide.pyimport(runtime.entry).call;
    self.postMessage({ stage: 'ready', restored: restoring });
    waiting.splice(0).forEach(calculate);
  }

  /**
   * Pyodide asks for its WebAssembly when it has the memory to restore. It is compiled from its first byte on instead,
   * while the rest is on its way; Pyodide then finds it compiled.
   */
  function compileEarly(/** @type {Promise<Response>} */ wasm) {
    const compiling = WebAssembly.compileStreaming(wasm);
    compiling.catch(fail); // Pyodide only warns, and waits for ever
    const real = WebAssembly.instantiateStreaming;
    WebAssembly.instantiateStreaming = async (_, imports) => {
      WebAssembly.instantiateStreaming = real;
      const module = await compiling;
      return { module, instance: await WebAssembly.instantiate(module, imports) };
    };
  }

  start().catch(fail);
})();
