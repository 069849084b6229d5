/** Small words that pages share, and the names and colours of labels. */

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function count(value: number): string {
  return value.toLocaleString('en-GB');
}

/** "1 query", "2 queries". */
export function counted(value: number, one: string, several = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : several}`;
}

/** "a", "a and b", "a, b and c". */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** "95 %" of alpha 0.05. */
export function confidence(alpha: number): string {
  return `${Number((100 * (1 - alpha)).toFixed(6))} %`;
}

/** What queries without relevant documents counted; empty where there are none. */
export function emptyQueries(empty: number, counts: number | 'skip'): string {
  if (empty === 0) return '';
  const verb =
    counts === 'skip' ? (empty === 1 ? 'is left out' : 'are left out') : `count${empty === 1 ? 's' : ''} ${counts}`;
  return `${counted(empty, 'query has', 'queries have')} no relevant document and ${verb}`;
}

/** 4000 ms as "4 s", longer ones as "2 min 05 s". */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** A label as a series of charts. */
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
