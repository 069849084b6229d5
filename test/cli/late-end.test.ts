/** A rank that was asked to end does not wait for others for ever. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary.js';

const folder = temporaryDirectory();

const url = (file: string) => new URL(`../../dist/cli/${file}`, import.meta.url).href;

/** Its main thread sleeps, as within a call of MPI, once a signal came; `ms` are waited for others. */
const program = (ms: number, sleep: number) => `
  import { io } from '${url('process-io.js')}';
  import { endingSoon } from '${url('late-end.js')}';
  const { signals } = io;
  await endingSoon({ rank: 1, size: 2 }, signals, async () => {
    const signal = signals.interruptible();
    console.log('ready');
    while (!signal.aborted) await new Promise(resolve => setTimeout(resolve, 5));
    await new Promise(resolve => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${sleep});
  }, ${ms});
  process.exitCode = signals.code;
`;

async function ended(ms: number, sleep: number) {
  const file = join(folder, `${ms}.mjs`);
  writeFileSync(file, program(ms, sleep));
  const child = spawn(process.execPath, [file]);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'close');
  return { code, signal, stderr };
}

describe('a rank that was asked to end', () => {
  it('ends by its signal where others keep it waiting, and says so', async () => {
    const { signal, stderr } = await ended(300, 120_000);
    expect(signal).toBe('SIGTERM');
    expect(stderr).toMatch(/^rank 1 got a signal, and not all ranks came to the end of their work within 0.3 s: /);
  }, 100_000);

  it('ends by itself where they do not', async () => {
    expect(await ended(60_000, 10)).toEqual({ code: 143, signal: null, stderr: '' });
  }, 50_000);
});
