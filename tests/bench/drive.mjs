// One browser with a fresh profile, some visits one after the other.
//
// In, on standard input, a line each: {browser: "chrome" | "firefox", executable, viewport}, then visits: {url, probe, patience,
// settle: ms after it, cpu: how many times slower (Chromium), same: true to go on in the last visit's tab}; `probe` is handed
// to probe.js. Out: one JSON line a visit, {"result": what the probe found} or {"error": why not}. After the last visit: null.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import puppeteer from 'puppeteer-core';

const QUIET = [
  '--no-sandbox', '--no-first-run', '--disable-gpu', '--disable-quic', '--disable-sync', '--disable-background-networking',
  '--disable-component-update', '--disable-features=Translate,OptimizationHints,MediaRouter',
];
/** Firefox's own start pages and updates would be asked for in the middle of a measurement. */
const FIREFOX = {
  'app.update.enabled': false, 'browser.startup.page': 0, 'browser.newtabpage.enabled': false, 'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false, 'toolkit.telemetry.enabled': false, 'datareporting.healthreport.uploadEnabled': false,
  'dom.ipc.processPrelaunch.enabled': true, 'security.sandbox.content.level': 0,
};
const CALM = 800;

const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => JSON.parse((await lines.next()).value || 'null');
const say = (/** @type {unknown} */ message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const probe = fs.readFileSync(path.join(import.meta.dirname, 'probe.js'), 'utf8');
const job = await read();
const chromium = job.browser === 'chrome';
const browser = await puppeteer.launch({
  browser: job.browser,
  executablePath: job.executable,
  headless: true,
  args: chromium ? QUIET : [],
  extraPrefsFirefox: FIREFOX,
  defaultViewport: job.viewport,
});

/** Slows the page and the workers that it starts alike. */
async function slow(/** @type {puppeteer.Page} */ page, /** @type {number} */ rate) {
  const session = await page.createCDPSession();
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

let failed = 0;
try {
  await pause(CALM);
  /** @type {puppeteer.Page | undefined} */
  let page;
  /** @type {puppeteer.NewDocumentScriptEvaluation | undefined} */
  let watching;
  for (let visit = await read(); visit; visit = await read()) {
    if (page && !visit.same) await page.close();
    if (!page || !visit.same) page = await browser.newPage();
    else if (watching) await page.removeScriptToEvaluateOnNewDocument(watching.identifier);
    if (visit.cpu > 1) await slow(page, visit.cpu);
    watching = await page.evaluateOnNewDocument(`(${probe})(${JSON.stringify(visit.probe)})`);
    page.setDefaultTimeout(visit.patience);
    await page.goto(visit.url, { waitUntil: 'domcontentloaded', timeout: visit.patience });
    const late = pause(visit.patience).then(() => Promise.reject(new Error(`${visit.url}: nothing after ${visit.patience} ms`)));
    const result = await Promise.race([page.evaluate('self.guideBench.found'), late]);
    await pause(visit.settle);
    say({ result });
  }
} catch (error) {
  say({ error: String(error) });
  failed = 1;
}
await browser.close();
process.exit(failed);
