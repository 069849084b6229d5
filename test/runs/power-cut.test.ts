/** After exit code 0 a power cut takes nothing back: the disk is copied at that moment, and the copy looked at. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listwise } from '../cli/run.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
const at = (name: string) => join(directory, name);
const disk = at('disk.img');

/** Only root may mount a file as a disk, and not in every container. */
function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    writeFileSync(disk, Buffer.alloc(32 << 20));
    execFileSync('mkfs.ext4', ['-q', '-F', disk], { stdio: 'ignore' });
    mounted(disk, () => {});
    return true;
  } catch {
    return false;
  }
}

function mounted<T>(image: string, look: (folder: string) => T): T {
  const folder = at('mounted');
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'ignore' });
  try {
    return look(folder);
  } finally {
    execFileSync('umount', [folder]);
  }
}

const FILES = ['model.json', 'run/run.json', 'run/model.json', 'run/results.json', 'run/report.html', 'run/log.jsonl'];

it.skipIf(!canMount())('files are there, and whole, after a power cut', () => {
  const cut = at('cut.img');
  const train = ['train', join(directory, 'data.txt'), '--model', 'linear', '--set', 'epochs=2', '--quiet'];
  const generate = ['generate', 'cubic', '--queries', '20', '--docs', '5', '--features', '3', '--out', at('data.txt')];
  expect(listwise(generate).code).toBe(0);
  const texts = (folder: string) => FILES.map(file => readFileSync(join(folder, file), 'utf8'));
  const written = mounted(disk, folder => {
    expect(listwise([...train, '--out', 'model.json'], { cwd: folder }).stderr).toBe('');
    expect(listwise([...train, '--dir', 'run'], { cwd: folder }).stderr).toBe('');
    copyFileSync(disk, cut);
    return texts(folder);
  });
  expect(mounted(cut, texts)).toEqual(written);
  expect(JSON.parse(written[1]!).status).toBe('finished');
});
