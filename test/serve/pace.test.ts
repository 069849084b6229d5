import { expect, it } from 'vitest';
import { Pace } from '#listwise/serve/pace.js';

it('a slow first list, or one that was stopped in between, does not send short lists to threads', () => {
  const pace = new Pace();
  expect(pace.isLong(100)).toBe(false);
  expect(pace.isLong(5000)).toBe(true);
  pace.took(50, 100); // the first compiles
  expect(pace.isLong(100)).toBe(true);
  pace.took(0.2, 16);
  expect(pace.isLong(100)).toBe(false);
  for (let i = 0; i < 100; i++) pace.took(i % 10 === 0 ? 60 : 0.5, 100);
  expect(pace.isLong(100)).toBe(false);
  expect(pace.isLong(10_000)).toBe(true);
});

it('a model that has become slower is seen to be', () => {
  const pace = new Pace();
  pace.took(0.1, 100);
  for (let i = 0; i < 1000; i++) pace.took(40, 100);
  expect(pace.isLong(100)).toBe(true);
  expect(pace.expected(100)).toBeCloseTo(40, 0);
});

it('a list that is not tried makes the next more likely to be', () => {
  const pace = new Pace();
  pace.took(10, 10);
  for (let i = 0; i < 100; i++) pace.skipped();
  expect(pace.expected(10)).toBeLessThan(5);
});

it('many requests of one document do not make longer lists wait for threads', () => {
  const pace = new Pace();
  pace.took(1, 100);
  for (let i = 0; i < 10_000; i++) pace.took(0.2, 1);
  expect(pace.isLong(500)).toBe(false);
});
