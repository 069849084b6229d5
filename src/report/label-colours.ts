/** Labels as series of charts: each has one name and one colour in all charts of the same data. */

export function labelSeries(label: number): string {
  return Number.isNaN(label) ? 'unjudged' : `label ${label}`;
}

/** Those that there are, highest first; what has none is the last. */
export function labelOrder(labels: Iterable<number>): number[] {
  return [...new Set(labels)].sort((a, b) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : b - a));
}

/** The number of a label's colour, by all labels of the data, whichever of them a chart shows. */
export function labelColours(labels: Iterable<number>): (label: number) => number {
  const judged = labelOrder(labels).filter(label => !Number.isNaN(label));
  const places = new Map(judged.map((label, place) => [label, place]));
  return label => places.get(label) ?? judged.length;
}
