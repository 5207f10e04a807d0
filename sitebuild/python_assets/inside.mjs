// Runs the calculators inside Pyodide under node.
//
// In, on standard input: {pyodide: folder, lock, library: the trimmed zip or null for the whole library,
//   app: a zip of sources or null, snapshot: gzip of a memory to restore or null, entry: module, requests: [[id, json], ...]}.
// Out, on standard output: {magic, modules: files of the library that were loaded, responses: [json, ...],
//   errors: how uncaught exceptions of many kinds are told, generated: source that `dataclass` wrote, ms: {start, entry, requests}}.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

// An uncaught error would print a megabyte of one-line source before its message.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.message}\n`, () => process.exit(1));
});

// read as a stream: a pipe may have nothing yet when it is asked
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const job = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const { loadPyodide } = await import(pathToFileURL(path.join(job.pyodide, 'pyodide.mjs')).href);

// What may go wrong in Python must be told in Python's words, not as a module that the trimmed library lacks.
const FAULTS = [
  '1 / 0', '{}["x"]', 'undefined_name', 'import no_such_module', 'int("x")', 'b"\\xff".decode()', '"".no_such_attribute',
  'def f(): f()\nf()', 'raise ExceptionGroup("many", [ValueError(1), KeyError(2)])', 'x = (', 'assert False, "why"',
  'try:\n  1 / 0\nexcept Exception as e:\n  raise ValueError("later") from e', 'import warnings; warnings.warn("w", DeprecationWarning); 1 / 0',
  'raise StopIteration', 'import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass A:\n  x: int = 1\nA().x = 2',
];

const lap = { at: performance.now() };
const since = () => {
  const now = performance.now();
  const took = now - lap.at;
  lap.at = now;
  return Math.round(took * 10) / 10;
};

const options = { lockFileContents: job.lock, stderr: () => {} };
if (job.library) options.stdLibURL = job.library;
if (job.snapshot) options._loadSnapshot = gunzipSync(fs.readFileSync(job.snapshot));
const py = await loadPyodide(options);
const ms = { start: since() };
if (job.app) {
  py.FS.writeFile('/app.zip', new Uint8Array(fs.readFileSync(job.app)));
  py.runPython('import sys; sys.path.insert(0, "/app.zip")');
}
// What is compiled from text while modules are loaded; `dataclass` writes functions inside a function of this name.
py.runPython(`
import builtins
_exec, _texts = builtins.exec, []
def _recorded(source, *names):
    if isinstance(source, str) and source.startswith("def __create_fn__("):
        _texts.append(source)
    return _exec(source, *names)
builtins.exec = _recorded
`);
const entry = py.pyimport(job.entry);
ms.entry = since();
const responses = job.requests.map(([id, request]) => entry.call(id, request));
ms.requests = since();
const generated = JSON.parse(py.runPython('import json; builtins.exec = _exec; json.dumps(sorted(set(_texts)))'));
const errors = FAULTS.map((source) => {
  try {
    py.runPython(source);
    return '';
  } catch (error) {
    return String(error.message).trim().split('\n').pop();
  }
});
const found = py.runPython(`
import sys, json, importlib.util
prefix = f"/lib/python{sys.version_info[0]}{sys.version_info[1]}.zip/"
files = {str(getattr(m, "__file__", "") or "") for m in list(sys.modules.values())}
json.dumps([importlib.util.MAGIC_NUMBER.hex(), sorted(f[len(prefix):] for f in files if f.startswith(prefix))])
`);
const [magic, modules] = JSON.parse(found);
// One writeSync to a pipe may take only the first part of a long text.
process.stdout.write(JSON.stringify({ magic, modules, responses, errors, generated, ms }), () => process.exit(0));
