'use strict';

/**
 * Makes an HTTP request and retries it a few times when it fails.
 *
 * @param {string} url
 * @param {Object} options as fetch takes them, and "retries"
 */
async function requestWithRetry(url, { retries = 3, ...options } = {}) {
  const response = await fetch(url, options).catch(() => ({ ok: false, status: 0 }));
  if (response.ok) {
    return response;
  }
  if (retries === 0) {
    throw new Error(`request to ${url} failed: ${response.status}`);
  }
  await new Promise((wake) => setTimeout(wake, 500));
  return requestWithRetry(url, { retries: retries - 1, ...options });
}

/**
 * Sends an HTTP request and gives up after some seconds.
 */
async function requestWithTimeout(url, seconds, options = {}) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), seconds * 1000);
  try {
    return await fetch(url, { ...options, signal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Computes the pauses between several tries, each twice the one before.
 */
function retryDelays(tries, first = 250, longest = 8000) {
  const delays = [];
  for (let delay = first; delays.length < tries; delay *= 2) {
    delays.push(Math.min(delay, longest));
  }
  return delays;
}

/**
 * Answers a request with a page that says what was not found.
 */
function notFound(request, response) {
  const body = `<h1>Nothing at ${encodeURI(request.url)}</h1>`;
  response.writeHead(404, { 'Content-Type': 'text/html', 'Content-Length': body.length });
  response.end(body);
}

/**
 * Collects what a browser posts, up to a limit of bytes.
 */
function readBody(request, limit, done) {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', function (piece) {
    body += piece;
    if (body.length > limit) request.destroy();
  });
  request.on('end', () => done(body));
}

function isLocal(url) {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname.startsWith('127.');
}

module.exports = {
  requestWithRetry, requestWithTimeout, retryDelays, notFound, readBody, isLocal,
};
