/** A lane's thread: trains what it is given, one job at a time. */
import { fromPortable } from '../data/portable.js';
import type { Service } from '../threads/crew.js';
import { type FoldJob, type FoldOutcome, runFold } from './fold-job.js';
import type { LaneData, LaneReport } from './fold-runner.js';

/** Progress is for people: more often would only cost. */
const REPORT_MS = 200;

export function serve({ folds, threads }: LaneData): Service<FoldJob, FoldOutcome, LaneReport> {
  const own = folds.map(({ fold, train, validate, test }) => ({
    fold,
    train: fromPortable(train),
    validate: validate && fromPortable(validate),
    test: fromPortable(test),
  }));
  return {
    answer({ fold, configuration }, { signal, report }) {
      let reported = performance.now();
      const onProgress = (progress: number) => {
        if (performance.now() - reported < REPORT_MS) return;
        reported = performance.now();
        report({ progress });
      };
      return runFold(own[fold]!, configuration, {
        threads,
        signal,
        onProgress,
        note: (note, code) => report({ note, code }),
      });
    },
  };
}
