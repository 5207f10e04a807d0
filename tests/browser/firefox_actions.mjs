// Firefox through WebDriver BiDi: runs thousands of draws, writes files, keeps a scenario.
//
// In, on standard input: {executable, address, run: RegExp source that the finished run says}.
// Out: {said, words, outputs, files: {kind: text}, hash, columns}.
import puppeteer from 'puppeteer-core';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const job = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const browser = await puppeteer.launch({ browser: 'firefox', executablePath: job.executable, headless: true });
const result = { said: [], files: {} };
try {
  const page = await browser.newPage();
  page.on('console', (message) => result.said.push(message.text()));
  page.on('pageerror', (error) => result.said.push(String(error)));
  await page.goto(job.address);
  const until = async (question, ...given) => {
    const end = Date.now() + 90000;
    while (Date.now() < end) {
      const answer = await page.evaluate(question, ...given);
      if (answer) return answer;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`never true: ${question}`);
  };
  const status = "[data-simulate] [role='status']";
  await page.click("[data-action='simulate']");
  result.words = await until((at, run) => {
    const words = document.querySelector(at).textContent;
    return new RegExp(run).test(words) && words;
  }, status, job.run);
  result.outputs = await page.evaluate(() =>
    Object.fromEntries([...document.querySelectorAll('[data-result] [data-output]')].map((e) => [e.dataset.output, e.dataset.value || ''])),
  );
  // What the page hands to the browser for saving, read before it is saved.
  await page.evaluate(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      window.kept = blob;
      return make.call(URL, blob);
    };
  });
  for (const kind of ['csv', 'json', 'md']) {
    await page.evaluate(() => (window.kept = null));
    await page.click(`[data-export='${kind}']`);
    result.files[kind] = await until(async () => window.kept && [...new Uint8Array(await window.kept.arrayBuffer())]);
  }
  await page.click("[data-action='compare']");
  result.columns = await until(() => document.querySelectorAll("[data-part='scenarios'] thead th").length);
  result.hash = await page.evaluate(() => location.hash);
  await page.close();
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(result), () => process.exit(0));
