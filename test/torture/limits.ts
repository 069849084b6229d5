/** Little memory, by a cgroup and by ulimit: the result of before or a coded error, never a killed process. */
import { equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processExists } from '#listwise/io/process-exists.js';
import type { Random } from '#listwise/numeric/random.js';
import { listwise, main } from '../cli/run.js';
import type { Area } from './area.js';

/** Version 1 and version 2 of cgroups, where they may be: a folder for groups and the file of the limit in one. */
const PLACES = [
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ['/sys/fs/cgroup', 'memory.max'],
] as const;

function newGroup(): { folder: string; limit: string } | undefined {
  for (const [root, file] of PLACES) {
    const folder = join(root, `listwise-torture-${process.pid}`);
    try {
      mkdirSync(folder);
      if (existsSync(join(folder, file))) return { folder, limit: join(folder, file) };
      rmdirSync(folder);
    } catch {}
  }
  return undefined;
}

function withoutGroups(): string | undefined {
  const group = newGroup();
  if (group !== undefined) rmdirSync(group.folder);
  return group === undefined ? 'no cgroup can be made here' : undefined;
}

/** Groups of processes that were killed. */
function clearGroups(): void {
  for (const [root] of PLACES) {
    for (const name of existsSync(root) ? readdirSync(root) : []) {
      const pid = Number(/^listwise-torture-(\d+)$/.exec(name)?.[1]);
      if (pid > 0 && !processExists(pid)) rmdirSync(join(root, name));
    }
  }
}

/** Wide rows of few values: 15 MB of text can be 1.6 GB in memory. */
function writeWide(file: string, rows: number, width: number): void {
  const lines = Array.from({ length: rows }, (_, i) => `${i % 3} qid:${i >> 5} 1:${i % 97} 2:${i % 89} ${width}:1`);
  writeFileSync(file, `${lines.join('\n')}\n`);
}

const COMMANDS: readonly (readonly string[])[] = [
  ['inspect', 'wide.txt', '--json'],
  ['train', 'wide.txt', '--set', 'trees=2', '--out', 'wide.json', '--force', '--quiet'],
  ['convert-data', 'wide.txt', 'wide.csv', '--quiet'],
];

/** Data of a random size through a command; `limit` is what a shell does before it. */
async function little(folder: string, random: Random, limit: string): Promise<void> {
  writeWide(join(folder, 'wide.txt'), 1000 * (1 + random.below(40)), 3 + random.below(1500));
  const args = COMMANDS[random.below(COMMANDS.length)]!;
  const { status, signal, stderr } = spawnSync(
    'sh',
    ['-c', `${limit}; exec "$@"`, 'sh', process.execPath, main, ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    },
  );
  const said = `${args[0]} under ${limit}: exit ${status ?? signal}: ${stderr.slice(-1500)}`;
  ok(status === 0 || status === 2, said);
  if (status === 2) match(stderr, /data-too-large/, said);
}

export const limits: readonly Area[] = [
  {
    name: 'memory of a cgroup',
    unit: 'limit',
    share: 1,
    batch: 3,
    missing: withoutGroups,
    clear: clearGroups,
    async open(folder, work) {
      const group = newGroup()!;
      try {
        await work(async random => {
          const megabytes = 200 + random.below(400);
          writeFileSync(group.limit, String(megabytes << 20));
          await little(folder, random, `echo $$ > ${group.folder}/cgroup.procs`);
          return 1;
        });
      } finally {
        rmdirSync(group.folder);
      }
    },
  },
  {
    name: 'address space of ulimit',
    unit: 'limit',
    share: 1,
    batch: 3,
    missing: () => (spawnSync('sh', ['-c', 'ulimit -v 30000000']).status === 0 ? undefined : 'no ulimit -v'),
    async open(folder, work) {
      equal(listwise(['--version']).code, 0);
      await work(async random => {
        await little(folder, random, `ulimit -v ${(20 + random.below(60)) * 1_000_000}`);
        return 1;
      });
    },
  },
];
