/**
 * Click labels in [0, 1] beside the grades, as in Svore et al. (2011): mostly zero, higher for better grades, and
 * differing between documents of one grade in a way that the features can partly tell.
 */
import type { Random } from '../../numeric/random.js';

export interface ClickSource {
  /** The pull at which half of the documents are clicked at all. */
  readonly reluctance: number;
  /** Groups of users over which the clicks are averaged: the more, the less chance decides. */
  readonly groups: number;
  /** How much earlier clicks count. */
  readonly habit: number;
}

/**
 * Clicks of few users; click-through rates of many users after the very query, and after similar queries too, with
 * fewer zeros. Only the rates go with the earlier clicks that features tell of.
 */
export const clickSources = {
  clicks: { reluctance: 2.2, groups: 1, habit: 0 },
  exact: { reluctance: 2.2, groups: 10, habit: 1 },
  similar: { reluctance: 1.2, groups: 10, habit: 1 },
} as const satisfies Record<string, ClickSource>;

export type ClickSourceName = keyof typeof clickSources;

/** What a document's clicks depend on; see `QueryRoom`. */
export interface Clickable {
  readonly grade: number;
  readonly appeal: number;
  readonly habit: number;
}

/** The click label of a document, a multiple of 0.001. */
export function clickLabel(source: ClickSource, random: Random, { grade, appeal, habit }: Clickable): number {
  const pull = 0.8 * grade + 0.8 * appeal + source.habit * habit;
  const mean = logistic(pull - 1.5);
  // As many draws whatever comes out, so that documents do not shift each other's.
  const seen = random.uniform() < logistic(pull - source.reluctance);
  let strength = 0;
  // u^(1/m - 1) has mean m.
  for (let group = 0; group < source.groups; group++) {
    strength += random.uniform() ** (1 / mean - 1) / source.groups;
  }
  return seen ? Math.max(1, Math.round(1000 * strength)) / 1000 : 0;
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
