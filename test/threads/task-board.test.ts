import { expect, it } from 'vitest';
import { atOnce, inOneStep } from '#listwise/steps.js';
import { createTaskBoard, playTasks, taskSteps } from '#listwise/threads/task-board.js';

it.each([0, 1, 2, 65_535, 65_536, 140_000])('does each of %d tasks once, in order where one thread does all', count => {
  const board = createTaskBoard();
  const done: number[] = [];
  playTasks(board, (kind, task) => done.push(kind * task), 1, count);
  expect(done).toEqual(Array.from({ length: count }, (_, i) => i));
  done.length = 0;
  if (count > 0) atOnce(taskSteps(board, (kind, task) => inOneStep(() => void done.push(kind * task)), 1, count));
  expect(done).toEqual(Array.from({ length: count }, (_, i) => i));
});

it('tells of a task that failed, after all are done', () => {
  const board = createTaskBoard();
  let done = 0;
  const run = (_: number, task: number) => {
    done++;
    if (task === 2) throw new Error('the third');
  };
  expect(() => playTasks(board, run, 1, 5)).toThrow('the third');
  expect(done).toBe(5);
});

it.each([1, 2, 5, 7, 100])(
  'of %i tasks does each once, those of its own range first, where threads are not up',
  count => {
    const board = createTaskBoard(3);
    for (let round = 0; round < 3; round++) {
      const done: number[] = [];
      playTasks(board, (_, task) => done.push(task), 1, count);
      expect(done).toEqual(Array.from({ length: count }, (_, task) => task));
    }
  },
);
