// Charts at build: JSON lines of specs on standard input -> one JSON string of SVG per line on standard output.
// The same `browser/chart.js` and `browser/chart-range.js` draw in the reader's page.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { JSDOM } from 'jsdom';
import * as Plot from '@observablehq/plot';

for (const name of ['chart.js', 'chart-range.js']) {
  const script = createRequire(import.meta.url).resolve(`../browser/${name}`);
  vm.runInThisContext(fs.readFileSync(script, 'utf8'), { filename: script });
}
const { document } = new JSDOM('').window;
// read as a stream: a pipe may have nothing yet when it is asked
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const lines = Buffer.concat(chunks).toString('utf8').split('\n').filter(Boolean);
const drawn = lines.map((line) => {
  const { width = 640, ...spec } = JSON.parse(line);
  const svg = globalThis.gpuguideChart.draw(spec, Plot, document, { width });
  if (width < 640) svg.classList.add('narrow');
  // A line break inside an HTML block would end it for a Markdown parser.
  return JSON.stringify(svg.outerHTML.replace(/\s*\n\s*/g, ' '));
});
process.stdout.write(drawn.map((d) => `${d}\n`).join(''));
