// node closed-loop.mjs URL BODY SECONDS: sends requests one after another over several connections, as fast as they are
// answered, and prints how many were answered and failed, as JSON. Where this process itself stood still (another took
// the machine, or it was stopped), that time does not count, and requests that were under way then and failed are
// counted apart: the server may have stood still with it. A failed connection is made again.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const [url, file, seconds] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const body = readFileSync(file);
const head = `POST /rank HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${body.length}\r\n\r\n`;
const bytes = Buffer.concat([Buffer.from(head), body]);
const CONNECTIONS = 8;
const LOOK_MS = 100;
/** A timer of this process that is late by so much was late because the process stood still. */
const STOOD_STILL_MS = 1000;
/** An answer that takes longer has failed. */
const LATE_MS = 2000;

const found = { answered: 0, failed: 0, stopped: 0, secondsStopped: 0 };
const open = new Set();
let stoodStill = -Infinity;
let over = false;

function start() {
  const own = { socket: connect(Number(port), hostname), sent: performance.now(), left: 0, ended: false };
  open.add(own);
  own.socket.setNoDelay(true);
  own.socket.on('connect', () => send(own));
  own.socket.on('data', chunk => {
    if (own.left === 0) {
      const text = chunk.latin1Slice(0, 400);
      if (!text.startsWith('HTTP/1.1 200')) return fail(own);
      own.left = text.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(text)[1]);
    }
    own.left -= chunk.length;
    if (own.left > 0) return;
    found.answered++;
    if (!over) send(own);
  });
  own.socket.on('error', () => fail(own));
  own.socket.on('close', () => fail(own));
}

function send(own) {
  own.sent = performance.now();
  own.socket.write(bytes);
}

function fail(own) {
  if (own.ended || over) return;
  own.ended = true;
  open.delete(own);
  if (own.sent <= stoodStill) found.stopped++;
  else found.failed++;
  own.socket.destroy();
  setTimeout(start, 10);
}

for (let i = 0; i < CONNECTIONS; i++) start();
let counted = 0;
for (let last = performance.now(); counted < 1000 * seconds; ) {
  await new Promise(resolve => setTimeout(resolve, LOOK_MS));
  const now = performance.now();
  if (now - last > STOOD_STILL_MS) {
    stoodStill = now;
    found.secondsStopped += (now - last) / 1000;
  } else {
    counted += now - last;
    for (const own of [...open]) if (now - Math.max(own.sent, stoodStill) > LATE_MS) fail(own);
  }
  last = now;
}
over = true;
console.log(JSON.stringify({ ...found, rate: found.answered / (counted / 1000) }));
process.exit();
