/**
 * The link to the same page in the other language takes the hash along: the section, or a calculator's state.
 *
 * In: a click, or a middle click, on `[data-guide-language]`. Out: its address with the page's current hash.
 */
(function () {
  'use strict';

  for (const link of document.querySelectorAll('a[data-guide-language]')) {
    const plain = link.getAttribute('href') || '';
    const follow = () => link.setAttribute('href', plain + location.hash);
    for (const intent of ['pointerdown', 'keydown', 'focus', 'click']) link.addEventListener(intent, follow);
  }
})();
