/** Watches the documents of each model for drift, in windows of so many requests: one comparison a window. */
import { type Drift, DriftWatch } from '../analysis/drift.js';
import { hash32 } from '../numeric/random.js';
import type { Gauge } from './metrics.js';
import type { RankRequest } from './request.js';
import { keyOf, type ServedModel } from './served-models.js';

const WINDOW = 1000;
/** Features that are shown, those with the largest shifts. */
const SHOWN = 20;

/** What is kept of a window that was full: little, since it lives long enough to wait for a full collection. */
interface Found {
  readonly drifted: number;
  /** The features that shifted most. */
  readonly features: readonly Drift[];
  readonly scorePsi: number;
}

interface Window {
  /** One for all windows, for the same reason. */
  readonly watch: DriftWatch;
  /** Of the window that was full last. */
  found: Found | undefined;
}

export class DriftWindows {
  readonly #windows = new WeakMap<ServedModel, Window>();
  readonly #note: ((text: string) => void) | undefined;
  #requests = 0;

  constructor(note?: (text: string) => void) {
    this.#note = note;
  }

  add({ served, rows, documents }: RankRequest, scores: Float64Array): void {
    const { sketch } = served.ranker.model.training ?? {};
    if (sketch === undefined || documents.length === 0) return;
    let window = this.#windows.get(served);
    if (window === undefined) {
      window = { watch: new DriftWatch(sketch, served.ranker.featureNames), found: undefined };
      this.#windows.set(served, window);
    }
    const i = hash32(this.#requests++, 17) % documents.length;
    window.watch.add(rows, i, scores[i]!);
    if (window.watch.documents < WINDOW) return;
    const drifts = window.watch.drifts();
    window.watch.clear();
    const features = drifts.filter(({ feature }) => feature !== undefined);
    window.found = {
      drifted: features.filter(({ drifted }) => drifted).length,
      features: features.slice(0, SHOWN),
      scorePsi: drifts.find(({ feature }) => feature === undefined)?.psi ?? 0,
    };
    const drifted = drifts.filter(drift => drift.drifted).map(({ feature }) => feature ?? 'the scores');
    if (drifted.length > 0) this.#note?.(`${keyOf(served)}: ${drifted.slice(0, 5).join(', ')} drifted from training`);
  }

  gauges(models: readonly ServedModel[]): Gauge[] {
    const all = models.flatMap(served => {
      const found = this.#windows.get(served)?.found;
      return found === undefined ? [] : [{ model: keyOf(served), ...found }];
    });
    return [
      {
        name: 'drifted_features',
        help: `Features whose documents do not look as in training, in the last ${WINDOW} requests; without any drift, above 0 in at most 1 window of 100.`,
        values: all.map(({ model, drifted }) => [{ model }, drifted]),
      },
      {
        name: 'feature_psi',
        help: 'Population stability index against training, of the features that shifted most.',
        values: all.flatMap(({ model, features }) =>
          features.map(
            ({ feature = '', psi, drifted }) => [{ model, feature, drifted: String(drifted) }, psi] as const,
          ),
        ),
      },
      {
        name: 'score_psi',
        help: 'Population stability index of the scores against those of held-out training data.',
        values: all.map(({ model, scorePsi }) => [{ model }, scorePsi]),
      },
    ];
  }
}
