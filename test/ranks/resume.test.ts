/** A checkpoint is of a training, not of the number of ranks that wrote it. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { trainers } from '#listwise/training/all.js';
import { temporaryDirectory } from '../temporary.js';
import { mpirun, root, unlessThere, withoutOpenMpi } from './mpirun.js';

const program = `${root}/test/ranks/programs/resume.mjs`;

const models = (stdout: string) =>
  stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line));

describe.skipIf(withoutOpenMpi !== undefined)(`every trainer${unlessThere(withoutOpenMpi)}`, () => {
  it('goes on with another number of ranks to the model of one process', async () => {
    const folder = temporaryDirectory();
    const one = models(spawnSync(process.execPath, [program, '4'], { cwd: root, encoding: 'utf8' }).stdout);
    expect(one.map(({ model }) => model)).toEqual(Object.keys(trainers));
    const three = models((await mpirun(3, [program, '2', folder])).stdout);
    expect(three.map(({ wentOn }) => wentOn)).toEqual(one.map(() => false));
    expect(three.map(({ iterations }) => iterations)).toEqual(one.map(() => 2));
    const two = models((await mpirun(2, [program, '4', folder])).stdout);
    expect(two).toEqual(one.map(model => ({ ...model, wentOn: true })));
    expect(new Set(two.map(({ digest }) => digest)).size).toBe(one.length);
  }, 600_000);
});
