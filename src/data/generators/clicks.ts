/**
 * Click labels in [0, 1] beside the grades, as in Svore et al. (2011): mostly zero, higher for better grades, and differing
 * between documents of one grade in a way that the features can partly tell.
 */
import type { Random } from '../../random.js';

export interface ClickSource {
  /** The pull at which half of the documents are clicked at all. */
  readonly reluctance: number;
  /** Groups of users over which the clicks are averaged: the more, the less chance decides. */
  readonly groups: number;
}

/** Clicks after the very query, and those after similar queries too: fewer zeros, less noise. */
export const clickSources = {
  clicks: { reluctance: 2.2, groups: 1 },
  similar: { reluctance: 1.2, groups: 3 },
} as const satisfies Record<string, ClickSource>;

export type ClickSourceName = keyof typeof clickSources;

/** The click label of a document, a multiple of 0.001. */
export function clickLabel({ reluctance, groups }: ClickSource, random: Random, grade: number, appeal: number): number {
  const pull = 0.8 * grade + 0.8 * appeal;
  const mean = logistic(pull - 1.5);
  // As many draws whatever comes out, so that documents do not shift each other's.
  const seen = random.uniform() < logistic(pull - reluctance);
  let strength = 0;
  // u^(1/m - 1) has mean m.
  for (let group = 0; group < groups; group++) strength += random.uniform() ** (1 / mean - 1) / groups;
  return seen ? Math.max(1, Math.round(1000 * strength)) / 1000 : 0;
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
