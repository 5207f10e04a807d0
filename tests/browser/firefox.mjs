// Firefox through WebDriver BiDi: opens pages, changes an input, asks the page's Python.
//
// In, on standard input: {executable, visits: [{address, field, text, calls: [[id, request JSON], ...]}]}.
// Out, on standard output: for each visit {state, status, hash, outputs, answers, requests, said}.
import puppeteer from 'puppeteer-core';

// read as a stream: a pipe may have nothing yet when it is asked
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const job = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const browser = await puppeteer.launch({ browser: 'firefox', executablePath: job.executable, headless: true });
const results = [];
try {
  for (const visit of job.visits) {
    const page = await browser.newPage();
    page.setDefaultTimeout(90000); // a machine that is busy with other tests
    const said = [];
    const requests = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(visit.address);
    const field = `form[data-calculator] [name="${visit.field}"]`;
    await page.focus(field);
    if (await page.$eval(field, (control) => control.tagName === 'SELECT')) {
      await page.select(field, visit.text);
    } else {
      await page.$eval(field, (control) => control.select());
      await page.keyboard.type(visit.text);
    }
    const end = Date.now() + 90000;
    const answered = () => page.evaluate(() => /Recomputed|已重新计算/.test(document.querySelector('[data-status]').textContent));
    while (Date.now() < end && !(await answered())) await new Promise((done) => setTimeout(done, 50));
    const found = await page.evaluate(async (calls) => {
      const form = document.querySelector('form[data-calculator]');
      const outputs = Object.fromEntries(
        [...document.querySelectorAll('[data-result] [data-output]')].map((e) => [e.dataset.output, e.dataset.value || '']),
      );
      const answers = [];
      if (form.dataset.state === 'ready') {
        for (const [id, request] of calls) answers.push(JSON.stringify(await gpuguide.runtime.call(id, JSON.parse(request))));
      }
      return { state: form.dataset.state, status: `${document.querySelector('[data-status]').textContent} ${gpuguide.runtime.detail}`, hash: location.hash, outputs, answers };
    }, visit.calls);
    results.push({ ...found, requests, said });
    await page.close();
  }
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
