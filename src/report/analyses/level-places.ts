/** Where charts put levels of categories, which have names and no order. */

/** What a page names: more of them say no more. */
const MOST = { places: 20, series: 6 };

/** Levels along an axis by what they add on average, the most frequent ones. */
export interface LevelPlaces {
  readonly texts: readonly string[];
  /** How many there are, those that are not shown included. */
  readonly different: number;
  /** The place of each document's level among the texts; NaN where it is not shown. */
  readonly of: readonly number[];
}

export function levelPlaces(levels: readonly string[], adds: readonly number[]): LevelPlaces {
  const sums = new Map<string, number>();
  levels.forEach((level, i) => {
    sums.set(level, (sums.get(level) ?? 0) + adds[i]!);
  });
  const counts = byFrequency(levels);
  const shown = counts
    .slice(0, MOST.places)
    .map(([level, documents]) => ({ level, mean: sums.get(level)! / documents }));
  const texts = shown.sort((a, b) => a.mean - b.mean).map(({ level }) => level);
  const places = new Map(texts.map((level, place) => [level, place]));
  return { texts, different: counts.length, of: levels.map(level => places.get(level) ?? Number.NaN) };
}

/** A series a level, as many as have a colour each: the rarer ones are one together, the last. */
export interface LevelSeries {
  readonly names: readonly string[];
  /** Of each document. */
  readonly of: readonly string[];
}

export function levelSeries(levels: readonly string[]): LevelSeries {
  const found = byFrequency(levels).map(([level]) => level);
  if (found.length <= MOST.series) return { names: found, of: levels };
  const kept = new Set(found.slice(0, MOST.series - 1));
  const others = `${found.length - kept.size} others`;
  return { names: [...kept, others], of: levels.map(level => (kept.has(level) ? level : others)) };
}

/** The most frequent first; of as many, as they come. */
function byFrequency(levels: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const level of levels) counts.set(level, (counts.get(level) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
