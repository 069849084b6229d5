/** Counters and histograms as Prometheus reads them (text format 0.0.4). */

type Labels = Readonly<Record<string, string>>;

/** Upper bounds in seconds. */
const BOUNDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];

/** Labels that come again and again are written once. */
const keys = new WeakMap<Labels, string>();

function keyOf(labels: Labels): string {
  let key = keys.get(labels);
  if (key === undefined) keys.set(labels, (key = written(labels)));
  return key;
}

class Counter {
  readonly values = new Map<string, number>();

  add(labels: Labels = {}, by = 1): void {
    const key = keyOf(labels);
    this.values.set(key, (this.values.get(key) ?? 0) + by);
  }

  get total(): number {
    let total = 0;
    for (const value of this.values.values()) total += value;
    return total;
  }
}

class Histogram {
  readonly buckets = new Float64Array(BOUNDS.length + 1);
  sum = 0;

  add(seconds: number): void {
    let b = 0;
    while (b < BOUNDS.length && seconds > BOUNDS[b]!) b++;
    this.buckets[b]!++;
    this.sum += seconds;
  }
}

export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly values: readonly (readonly [Labels, number])[];
}

export class Metrics {
  readonly requests = new Counter();
  readonly documents = new Counter();
  readonly late = new Counter();
  readonly reloads = new Counter();
  readonly logged = new Counter();
  readonly shadowed = new Counter();
  readonly #seconds = new Map<string, Histogram>();

  took(route: string, seconds: number): void {
    let histogram = this.#seconds.get(route);
    if (histogram === undefined) this.#seconds.set(route, (histogram = new Histogram()));
    histogram.add(seconds);
  }

  text(gauges: readonly Gauge[]): string {
    const lines: string[] = [];
    const counters = {
      requests: [this.requests, 'Requests answered, by route and status.'],
      documents: [this.documents, 'Documents scored, by model.'],
      late: [this.late, 'Requests answered in the given order because the model would have been late.'],
      reloads: [this.reloads, 'Model files loaded again, by result.'],
      logged: [this.logged, 'Documents of the feature log: written, or lost to a full disk or a full queue.'],
      shadow_requests: [this.shadowed, 'Requests scored by shadow models, by model and result.'],
    } as const;
    for (const [name, [counter, help]] of Object.entries(counters)) {
      lines.push(...heading(`listwise_${name}_total`, help, 'counter'));
      for (const [labels, value] of counter.values) lines.push(`listwise_${name}_total${labels} ${value}`);
    }
    lines.push(
      ...heading('listwise_request_seconds', 'Time from the arrival of a request to its answer.', 'histogram'),
    );
    for (const [route, { buckets, sum }] of this.#seconds) {
      let count = 0;
      for (const [b, n] of buckets.entries()) {
        count += n;
        lines.push(`listwise_request_seconds_bucket${written({ route, le: String(BOUNDS[b] ?? '+Inf') })} ${count}`);
      }
      lines.push(`listwise_request_seconds_sum${written({ route })} ${sum}`);
      lines.push(`listwise_request_seconds_count${written({ route })} ${count}`);
    }
    for (const { name, help, values } of gauges) {
      lines.push(...heading(`listwise_${name}`, help, 'gauge'));
      for (const [labels, value] of values) lines.push(`listwise_${name}${written(labels)} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

function heading(name: string, help: string, type: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
    return `${name}="${escaped}"`;
  });
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
