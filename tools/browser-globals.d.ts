// The names through which the classic scripts of browser/ meet: each script adds its part when it is loaded.
export {};

declare global {
  // parts are added one file at a time, so no single type holds while a page loads
  var gpuguide: any;
  var gpuguideChart: any;
  var Plot: any;
  var d3: any;
  var loadPyodide: any;
  // a classic worker has it; the DOM's types describe a page
  function importScripts(...urls: string[]): void;
}
