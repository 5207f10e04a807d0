/**
 * In the search worker, after the theme's own script: words with digits are found as reliably as others.
 *
 * In: `self.lunr`, the theme's search library. Out: its `TokenSet` tells two states apart for certain.
 *
 * The library merges states of its word automaton that print the same. It prints an edge as its character followed by
 * a number, the next edge at once after it, so that the edges `4→5, 6→7` and `4→567` look alike. A guide full of numbers
 * runs into that: the automaton then holds words that the index does not have, and a search that meets one fails.
 */
(function (lunr) {
  'use strict';

  lunr.TokenSet.prototype.toString = function () {
    if (this._str) return this._str;
    const edges = Object.keys(this.edges).sort().map((label) => `${label}${this.edges[label].id};`);
    return `${this.final ? 1 : 0}${edges.join('')}`;
  };
})(/** @type {any} */ (self).lunr);
