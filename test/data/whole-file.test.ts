import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeFolder } from '#listwise/io/durable.js';
import { longText } from '#listwise/io/long-text.js';
import { sight, thisProcess } from '#listwise/io/process-exists.js';
import { unwritable } from '#listwise/io/unwritable.js';
import { replaceFile, writeText, writeTogether } from '#listwise/io/whole-file.js';
import { withoutLinks, withoutOwners, withoutPipes } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
const at = (name: string) => join(directory, name);

const write = (target: string) => writeText(target, sink => sink.write('new'));

describe('writeText', () => {
  it('leaves the old file and nothing else where writing fails', async () => {
    writeFileSync(at('old'), 'old');
    const failing = writeText(at('old'), async sink => {
      await sink.write('half');
      throw new Error('stopped');
    });
    await expect(failing).rejects.toThrow('stopped');
    expect(readFileSync(at('old'), 'utf8')).toBe('old');
    expect(readdirSync(directory)).toEqual(['old']);
  });

  it.skipIf(withoutLinks)('replaces the file that a link points to, and keeps the link', async () => {
    writeFileSync(at('real'), 'old');
    symlinkSync('real', at('link'));
    await writeText(at('link'), sink => sink.write('new'));
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('real'), 'utf8')).toBe('new');
  });

  it.skipIf(withoutPipes)('writes to a pipe instead of replacing it', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const reader = spawn('cat', [at('pipe')]);
    const [read] = await Promise.all([text(reader.stdout), writeText(at('pipe'), sink => sink.write('through'))]);
    expect(read).toBe('through');
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
  });
});

/** Both ways to write a file: in pieces, and at once where a process is about to end. */
describe.each([
  ['in pieces', (target: string) => write(target)],
  ['at once', async (target: string) => replaceFile(target, 'new')],
])('a file written %s', (way, put) => {
  it.skipIf(withoutOwners)('keeps mode and owner of the file that it replaces', async () => {
    writeFileSync(at('secret'), 'old');
    chmodSync(at('secret'), 0o640);
    const root = process.getuid?.() === 0;
    if (root) chownSync(at('secret'), 1234, 1234);
    await put(at('secret'));
    const { mode, uid } = statSync(at('secret'));
    expect((mode & 0o777).toString(8)).toBe('640');
    expect(uid).toBe(root ? 1234 : process.getuid?.());
  });

  it.skipIf(withoutLinks)('goes where a link to nothing leads, and is refused where links go round', async () => {
    const folder = at(`links ${way}`);
    mkdirSync(folder);
    symlinkSync('goal', join(folder, 'link'));
    await put(join(folder, 'link'));
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'goal'), 'utf8')).toBe('new');
    symlinkSync('round', join(folder, 'round'));
    await expect(put(join(folder, 'round'))).rejects.toMatchObject({
      code: 'file-unwritable',
      detail: 'cannot be written: its links lead round in a circle',
    });
    expect(readdirSync(folder).sort()).toEqual(['goal', 'link', 'round']);
  });

  it('may have the longest name that there is, not a longer one', async () => {
    await put(at('n'.repeat(255)));
    expect(readFileSync(at('n'.repeat(255)), 'utf8')).toBe('new');
    await expect(put(at('n'.repeat(256)))).rejects.toMatchObject({
      code: 'file-unwritable',
      detail: 'cannot be written: its name is too long',
    });
  });

  it.skipIf(withoutLinks)('does not write through a link that somebody made', async () => {
    writeFileSync(at('victim'), 'untouched');
    symlinkSync('victim', at(`${way}.${process.pid}.tmp`));
    await put(at(way));
    expect(readFileSync(at('victim'), 'utf8')).toBe('untouched');
  });

  it('takes away what a process that was killed left behind, not what another is writing', async () => {
    const folder = at(`left ${way}`);
    mkdirSync(folder);
    const { pid, started } = thisProcess();
    const write = (name: string, secondsAgo: number) => {
      writeFileSync(join(folder, name), 'half');
      const then = Date.now() / 1000 - secondsAgo;
      utimesSync(join(folder, name), then, then);
      return name;
    };
    write('model.4194305.01234567.0123456789ab.tmp', 600);
    // Another process had the number of this one.
    if (process.platform === 'linux') write(`model.${pid}.00000000.0123456789ab.tmp`, 600);
    const stay = [
      write(`model.${pid}.${started}.0123456789ab.tmp`, 600),
      // A file that is out of the way keeps its time, which may be before the process.
      write(`model.${pid}.${started}.000000000000.tmp`, 1e9),
      write('model.4194305.tmp', 600),
      write('model.4194305.01234567.ba9876543210.tmp', 0), // by another host
    ];
    await put(join(folder, 'model'));
    expect(readdirSync(folder).sort()).toEqual(['model', ...stay].sort());
  });

  it('is on disk before it has its name, and its name before anybody hears of it', async () => {
    const handle = await open(at('any'), 'w');
    const prototype: typeof handle = Object.getPrototypeOf(handle);
    await handle.close();
    const calls: string[] = [];
    const { sync } = prototype;
    vi.spyOn(prototype, 'sync').mockImplementation(function (this: typeof handle) {
      calls.push('sync');
      return sync.call(this);
    });
    for (const name of ['fsyncSync', 'renameSync'] as const) {
      const real: (...args: never[]) => void = fs[name];
      vi.spyOn(fs, name).mockImplementation((...args: unknown[]) => {
        calls.push(name.replace('Sync', '').replace('fsync', 'sync'));
        real(...(args as never[]));
      });
    }
    syncBuiltinESMExports();
    await put(at('durable'));
    expect(calls).toEqual(['sync', 'rename', 'sync']);
  });

  it('says in words that a folder could not be synced', async () => {
    vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
      throw Object.assign(new Error('no'), { code: 'ENOSPC', syscall: 'fsync' });
    });
    syncBuiltinESMExports();
    await expect(put(at('unsynced'))).rejects.toMatchObject({
      code: 'file-unwritable',
      place: { file: at('unsynced') },
    });
  });
});

describe('files that belong together', () => {
  const names = ['set.a', 'set.b', 'set.c'];
  const found = () => names.map(name => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : 'none'));
  const writeSet = () =>
    writeTogether(async files => {
      for (const name of names) await files.text(at(name), sink => sink.write('new'));
    });
  /** What is there after each rename; the one of this number fails. */
  const watchRenames = (failing?: number) => {
    const seen: string[][] = [];
    const real = fs.renameSync;
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (seen.length === failing) {
        seen.push([]);
        throw Object.assign(new Error('no'), { code: 'EIO', syscall: 'rename' });
      }
      real(from, to);
      seen.push(found());
    });
    syncBuiltinESMExports();
    return seen;
  };
  /** No file is put into its place. */
  const writeInVain = async () => {
    const real = fs.renameSync;
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (String(from).endsWith('.tmp')) throw Object.assign(new Error('no'), { code: 'EIO', syscall: 'rename' });
      real(from, to);
    });
    syncBuiltinESMExports();
    await expect(writeSet()).rejects.toMatchObject({ code: 'file-unwritable' });
  };
  const begin = () => {
    for (const name of names.slice(0, 2)) writeFileSync(at(name), 'old');
    rmSync(at('set.c'), { force: true });
  };

  it('are never old and new ones beside each other, so that a process may be killed at any moment', async () => {
    begin();
    const seen = watchRenames();
    await writeSet();
    expect(seen.filter(texts => texts.includes('old') && texts.includes('new'))).toEqual([]);
    expect(found()).toEqual(['new', 'new', 'new']);
    expect(readdirSync(directory).filter(name => /^set\.\w\./.test(name))).toEqual([]);
  });

  it.each([0, 1, 2, 3, 4, 5])('are the old ones again for who comes after a kill at change %i', async number => {
    begin();
    // Of another process, which is gone: its names are as ours with another number.
    const script = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      let changes = 0;
      for (const name of ['renameSync', 'rmSync', 'openSync']) {
        const real = fs[name];
        fs[name] = (...args) => {
          const counts = name === 'renameSync' || (name === 'rmSync' && /old$|none$/.test(args[0])) || /none$/.test(args[0]);
          if (counts && changes++ === ${number}) process.kill(process.pid, 'SIGKILL');
          return real(...args);
        };
      }
      syncBuiltinESMExports();
      const { writeTogether } = await import(${JSON.stringify(new URL('../../dist/io/whole-file.js', import.meta.url).href)});
      await writeTogether(async files => {
        for (const name of ${JSON.stringify(names.map(at))}) await files.text(name, sink => sink.write('new'));
      });`;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    expect(signal ?? 'SIGKILL').toBe('SIGKILL');
    const whole = found().every(text => text === 'new');
    // Whoever writes them finds them all as they were, and leaves them so where that fails.
    await writeInVain();
    expect(found()).toEqual(whole ? ['new', 'new', 'new'] : ['old', 'old', 'none']);
    const left = readdirSync(directory).filter(name => /^set\..*(old|none)$/.test(name));
    expect(left).toEqual([]);
    for (const name of readdirSync(directory)) if (/^set\./.test(name)) rmSync(at(name));
  });

  describe('names that look like files out of the way', () => {
    const aside = (name: string, kind: string) => at(`${name}.${2 ** 22 + 1}.00000000.${sight()}.0123456789ab.${kind}`);

    it.skipIf(withoutOwners)('and were new files, are as new files are', async () => {
      for (const name of names) rmSync(at(name), { force: true });
      for (const name of names) writeFileSync(aside(name, 'none'), '');
      writeFileSync(at('new'), '');
      await writeSet();
      expect(names.map(name => statSync(at(name)).mode)).toEqual(names.map(() => statSync(at('new')).mode));
      expect(readdirSync(directory).filter(name => name.endsWith('.none'))).toEqual([]);
    });

    it('of files that are not written now are left alone', async () => {
      begin();
      writeFileSync(at('kept'), 'kept');
      writeFileSync(aside('kept', 'none'), '');
      writeFileSync(aside('other', 'old'), 'planted');
      await writeInVain();
      expect(readFileSync(at('kept'), 'utf8')).toBe('kept');
      expect(existsSync(at('other'))).toBe(false);
      for (const path of [aside('kept', 'none'), aside('other', 'old')]) rmSync(path);
    });

    it.skipIf(withoutLinks).each([
      [
        'files of another user',
        (path: string) => {
          writeFileSync(path, 'planted');
          const { uid } = statSync(path);
          vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
        },
      ],
      ['links', (path: string) => symlinkSync(at('real'), path)],
      ['second names of a file', (path: string) => linkSync(at('real'), path)],
      ['folders', (path: string) => mkdirSync(path)],
    ])('%s are left alone', async (_, plant) => {
      begin();
      writeFileSync(at('real'), 'planted');
      const paths = [aside('set.a', 'old'), aside('set.b', 'none'), aside('set.c', 'old')];
      for (const path of paths) plant(path);
      await writeInVain();
      expect(found()).toEqual(['old', 'old', 'none']);
      for (const path of paths) {
        expect(lstatSync(path)).toBeDefined();
        rmSync(path, { recursive: true });
      }
    });
  });

  it.each([0, 1, 2, 3, 4])('are the old ones where rename %i fails', async number => {
    begin();
    watchRenames(number);
    await expect(writeSet()).rejects.toMatchObject({ code: 'file-unwritable' });
    expect(found()).toEqual(['old', 'old', 'none']);
    expect(readdirSync(directory).filter(name => /^set\.\w\./.test(name))).toEqual([]);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('makes folders that a power cut leaves', () => {
  const synced: string[] = [];
  const real = fs.openSync;
  vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
    synced.push(String(path));
    return real(path, ...rest);
  });
  syncBuiltinESMExports();
  makeFolder(at('one/two/three'));
  expect(synced).toEqual([directory, at('one'), at('one/two')]);
  synced.length = 0;
  makeFolder(at('one/two'));
  expect(synced).toEqual([]);
});

it.skipIf(process.platform !== 'linux')('makes no folder where the system has none, and does not try forever', () => {
  expect(() => makeFolder('/proc/listwise/one')).toThrow('cannot be written: its directory does not exist');
  writeFileSync(at('file'), '');
  expect(() => makeFolder(at('file'))).toThrow('a file is in the way');
  expect(() => makeFolder(at('file/below'))).toThrow('its directory is a file');
});

it('refuses text that is longer than a string can be', () => {
  expect(longText('model.json', () => 'short')).toBe('short');
  expect(() => longText('model.json', () => 'long'.repeat(2 ** 28))).toThrow(
    'model.json: cannot be written: it would hold more than 511 MiB of text',
  );
});

describe('a failure of the system', () => {
  it.each([
    ['EDQUOT', 'the disk quota is used up'],
    ['EFBIG', 'it would be larger than a file may be here'],
    ['EIO', 'the device reports an error'],
    ['EPERM', 'permission denied, or another program has it open'],
    ['EOVERFLOW', 'EOVERFLOW'],
  ])('%s has a code and words', (code, words) => {
    const failure = Object.assign(new Error('no'), { code, syscall: 'write' });
    expect(unwritable('x', failure)).toMatchObject({
      code: 'file-unwritable',
      message: `x: cannot be written: ${words}`,
    });
  });

  it('is not hidden, nor seen in failures of other kinds', async () => {
    const reading = Object.assign(new Error('a read'), { code: 'EIO', syscall: 'read' });
    await expect(writeText(at('x'), () => Promise.reject(reading))).rejects.toBe(reading);
    expect(unwritable('x', new TypeError('a mistake of ours'))).toBeInstanceOf(TypeError);
  });
});
