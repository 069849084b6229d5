/** What keeps the steps of leaves short. */
import { describe, expect, it } from 'vitest';
import { nodeStep } from '#listwise/training/boosting/growth/node-step.js';
import { train } from '#listwise/training/train.js';
import { treeData } from './tree-data.js';

const none = { l1: 0, l2: 0, maxStep: Infinity, pathSmoothing: 0 };
const sums = { lambda: -6, hessian: 2, documents: 10 };

describe('the step of a node', () => {
  it('is lambda over hessian', () => {
    expect(nodeStep(sums, 1, none)).toBe(-3);
    expect(nodeStep(sums, 1, { ...none, l2: 1 })).toBe(-2);
    expect(nodeStep(sums, 1, none, 0.5)).toBe(-1.5);
    expect(nodeStep({ ...sums, hessian: 0 }, 1, none)).toBe(0);
  });

  it('is drawn to zero by l1, and is zero below it', () => {
    expect(nodeStep(sums, 1, { ...none, l1: 2 })).toBe(-2);
    expect(Math.abs(nodeStep(sums, 1, { ...none, l1: 6 }))).toBe(0);
    expect(Math.abs(nodeStep(sums, 1, { ...none, l1: 7 }))).toBe(0);
  });

  it('is at most so long', () => {
    expect(nodeStep(sums, 1, { ...none, maxStep: 0.7 })).toBe(-0.7);
    expect(nodeStep({ ...sums, lambda: 6 }, 1, { ...none, maxStep: 0.7 })).toBe(0.7);
    expect(nodeStep(sums, 1, { ...none, maxStep: 0.7 }, 0.1)).toBeCloseTo(-0.07, 15);
  });

  it('is drawn to the step of the node above, the more the fewer documents it has; the root to none', () => {
    expect(nodeStep(sums, 1, { ...none, pathSmoothing: 10 })).toBe(-1);
    expect(nodeStep({ ...sums, documents: 30 }, 1, { ...none, pathSmoothing: 10 })).toBe(-2);
    expect(nodeStep(sums, undefined, { ...none, pathSmoothing: 10 })).toBe(-3);
  });
});

describe('leaves of trained trees', () => {
  const values = async (options: object) => {
    const { model } = await train({
      model: 'trees',
      data: treeData(1),
      objective: 'ranknet',
      options: { trees: 3, leaves: 15, minDocuments: 5, rate: 0.5, ...options },
      threads: 1,
    });
    return model.trees.flatMap(({ value }) => Array.from(value, Math.abs));
  };

  it('are kept short', async () => {
    const plain = await values({});
    const largest = Math.max(...plain);
    expect(Math.max(...(await values({ maxStep: largest })))).toBeCloseTo(largest / 2, 6);
    const mean = (all: readonly number[]) => all.reduce((sum, value) => sum + value, 0) / all.length;
    expect(mean(await values({ l1: 3 }))).toBeLessThan(mean(plain));
    expect(mean(await values({ pathSmoothing: 50 }))).toBeLessThan(mean(plain));
  });

  it('are zero, all of them, where l1 takes off every lambda', async () => {
    expect(await values({ l1: 1e6 })).toEqual([0]);
  });
});
