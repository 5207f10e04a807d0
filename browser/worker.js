/**
 * The calculators' Python, in a worker of its own.
 *
 * The build writes one line before this file: `self.GPUGUIDE_RUNTIME = {…}`, the names and sizes of the runtime's files.
 * Over http the files are fetched; from a folder they arrive as messages `{part, text, last}` (base64 of gzip), because
 * a page from a folder may not fetch. Either way Pyodide sees one `fetch` that answers from the same table.
 *
 * In:  `{n, id, request}` - a calculation.                       Out: `{n, response}` or `{n, failure}`.
 *                                                                     `{loaded, total}`, `{stage}`, `{failed}` while starting.
 */
(function () {
  'use strict';

  const runtime = /** @type {any} */ (self).GPUGUIDE_RUNTIME;
  const MIME = { wasm: 'application/wasm', zip: 'application/zip' };
  const local = self.location.protocol === 'blob:';
  const core = local ? 'file:///pyodide/' : new URL(runtime.core, self.location.href).href;

  /** ms to the first byte within which a server is near, or the file in the browser's cache. */
  const NEAR = 40;

  let loaded = 0;
  let told = 0;
  /** Bytes so far; told about ten times a second, since each telling costs the page a little. */
  function count(/** @type {number} */ bytes) {
    loaded += bytes;
    const now = performance.now();
    if (now - told > 100 || loaded >= runtime.total) {
      told = now;
      self.postMessage({ loaded, total: runtime.total });
    }
  }

  /** @param {ReadableStream<Uint8Array>} stream @param {string} name */
  function answer(stream, name) {
    const type = MIME[/** @type {'wasm'|'zip'} */ (name.split('.').pop())];
    return new Response(stream, { headers: { 'content-type': type } });
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
    if (response.headers.get('content-type') === MIME.wasm) {
      if (performance.now() - begun < NEAR) count(runtime.wasm);
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
    const bytes = fromBase64(message.text);
    count(message.text.length);
    const done = writer.write(bytes).then(() => (message.last ? writer.close() : undefined));
    done.catch(fail);
  }

  function fail(/** @type {unknown} */ error) {
    self.postMessage({ failed: String((error instanceof Error && error.message) || error) });
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

  async function start() {
    /** @type {Record<string, Promise<Response>>} */
    const files = {};
    if (local) {
      const glue = new Response(arriving('glue')).text();
      files['pyodide.asm.wasm'] = Promise.resolve(answer(arriving('pyodide.asm.wasm'), 'pyodide.asm.wasm'));
      files[runtime.zip] = Promise.resolve(answer(arriving(runtime.zip), runtime.zip));
      const url = URL.createObjectURL(new Blob([await glue], { type: 'text/javascript' }));
      self.importScripts(url);
      URL.revokeObjectURL(url);
    } else {
      // Both downloads begin before the scripts are asked for: importScripts waits, the network does not.
      files['pyodide.asm.wasm'] = fetched(core + 'pyodide.asm.wasm', 'pyodide.asm.wasm');
      files[runtime.zip] = fetched(new URL(runtime.zip, self.location.href).href, runtime.zip);
      self.importScripts(core + 'pyodide.js', core + 'pyodide.asm.js');
    }
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
    });
    self.fetch = real;
    self.postMessage({ stage: 'starting' });
    call = pyodide.pyimport(runtime.entry).call;
    self.postMessage({ stage: 'ready' });
    waiting.splice(0).forEach(calculate);
  }

  start().catch(fail);
})();
