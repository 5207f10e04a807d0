/**
 * Dates that age in front of the reader: `<time datetime="2026-07-01" data-age>` gets "5 months old" beside it.
 *
 * In: the date in the page and the reader's clock. Out: a `<span class="guide-age">` after it; older than half a year is
 * marked `data-old`. A clock that stands before the date says nothing.
 */
(function (root) {
  'use strict';

  const gpuguide = (root.gpuguide = root.gpuguide || {});
  const DAY = 86400000;

  /** Whole months between two days, as people count them. */
  function months(/** @type {Date} */ from, /** @type {Date} */ to) {
    const whole = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
    return whole - (to.getUTCDate() < from.getUTCDate() ? 1 : 0);
  }

  /** @param {string} date @param {Date} now @returns {{key: string, n: number, old: boolean} | null} */
  function age(date, now) {
    const then = new Date(date.length === 7 ? `${date}-01` : date);
    const days = Math.floor((now.getTime() - then.getTime()) / DAY);
    if (Number.isNaN(days) || days < 0) return null;
    const m = months(then, now);
    const old = m >= 6;
    if (days === 0) return { key: 'age_today', n: 0, old };
    if (m < 1) return { key: days === 1 ? 'age_day' : 'age_days', n: days, old };
    if (m < 24) return { key: m === 1 ? 'age_month' : 'age_months', n: m, old };
    return { key: 'age_years', n: Math.floor(m / 12), old };
  }

  gpuguide.age = age;
  gpuguide.ages = (/** @type {ParentNode} */ within) => {
    for (const time of within.querySelectorAll('time[data-age]')) {
      const found = age(time.getAttribute('datetime') || '', new Date());
      if (!found || time.nextElementSibling?.className === 'guide-age') continue;
      const span = document.createElement('span');
      span.className = 'guide-age';
      span.textContent = gpuguide.text(found.key, { n: found.n });
      if (found.old) span.setAttribute('data-old', '');
      time.after(' ', span);
    }
  };
  if (typeof document !== 'undefined') gpuguide.ages(document);
})(self);
