// Makes a memory snapshot: Pyodide with the calculators imported, as its memory then stands.
//
// In, on standard input: {pyodide: folder, lock, library: the trimmed zip, modules: names to import, out: file}.
// Out: the file, gzip of what Pyodide's own `_loadSnapshot` takes; on standard output {size: bytes unpacked}.
// A snapshot holds memory and no files, so every module that a calculation may want is imported before it is taken.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.message}\n`, () => process.exit(1));
});

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const job = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const { loadPyodide } = await import(pathToFileURL(path.join(job.pyodide, 'pyodide.mjs')).href);

const py = await loadPyodide({
  _makeSnapshot: true,
  stdLibURL: job.library,
  lockFileContents: job.lock,
  env: { PYTHONHASHSEED: '0' }, // the same sets in the same order in each build
});
py.globals.set('names', job.modules.join(' '));
py.runPython(`
import gc
from importlib import import_module
for name in names.split():
    import_module(name)
del name, names, import_module
gc.unfreeze()
gc.collect()
gc.freeze()
`);
const snapshot = py.makeMemorySnapshot();
fs.writeFileSync(job.out, gzipSync(snapshot, { level: 6 }));
process.stdout.write(JSON.stringify({ size: snapshot.length }), () => process.exit(0));
