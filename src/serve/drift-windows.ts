/** Watches the documents of each model for drift, in windows of so many requests: one comparison a window. */
import { type Drift, DriftWatch } from '../analysis/drift.js';
import { hash32 } from '../numeric/random.js';
import type { Gauge } from './metrics.js';
import type { RankRequest } from './request.js';
import { keyOf, type ServedModel } from './served-models.js';

const WINDOW = 1000;
/** Features that are shown, those with the largest shifts. */
const SHOWN = 20;

interface Window {
  watch: DriftWatch;
  /** Of the window that was full last. */
  found: readonly Drift[] | undefined;
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
    window.found = window.watch.drifts();
    window.watch = new DriftWatch(sketch, served.ranker.featureNames);
    const drifted = window.found.filter(drift => drift.drifted).map(({ feature }) => feature ?? 'the scores');
    if (drifted.length > 0) this.#note?.(`${keyOf(served)}: ${drifted.slice(0, 5).join(', ')} drifted from training`);
  }

  gauges(models: readonly ServedModel[]): Gauge[] {
    const found = models.flatMap(served => {
      const drifts = this.#windows.get(served)?.found;
      return drifts === undefined ? [] : [{ model: keyOf(served), drifts }];
    });
    return [
      {
        name: 'drifted_features',
        help: `Features whose documents do not look as in training, in the last ${WINDOW} requests; without any drift, above 0 in at most 1 window of 100.`,
        values: found.map(({ model, drifts }) => [
          { model },
          drifts.filter(({ feature, drifted }) => drifted && feature !== undefined).length,
        ]),
      },
      {
        name: 'feature_psi',
        help: 'Population stability index against training, of the features that shifted most.',
        values: found.flatMap(({ model, drifts }) =>
          drifts
            .filter(({ feature }) => feature !== undefined)
            .slice(0, SHOWN)
            .map(({ feature = '', psi, drifted }) => [{ model, feature, drifted: String(drifted) }, psi] as const),
        ),
      },
      {
        name: 'score_psi',
        help: 'Population stability index of the scores against those of held-out training data.',
        values: found.map(({ model, drifts }) => [
          { model },
          drifts.find(({ feature }) => feature === undefined)?.psi ?? 0,
        ]),
      },
    ];
  }
}
