/** The options that name systems to be evaluated: runs against qrels, or scores and models over data. */
import { flag, keysOf, list, namedFile, text } from '../command/option.js';
import { dataOptions } from './data.js';

/** Of TREC runs. */
export const runOptions = {
  qrels: text('file', 'TREC judgments; they go with run files', { reads: true }),
  complete: flag('for runs: evaluate every query of the qrels, including those missing from a run (trec_eval -c)'),
};

export const systemOptions = {
  ...runOptions,
  system: list('name=file', 'a system: a run, a score file or a model of any format; repeatable', {
    parse: namedFile,
    reads: true,
  }),
};

/** Qrels and runs are read in one way. */
export const withQrels = {
  when: 'qrels',
  not: keysOf(dataOptions),
  why: '--qrels: qrels and run files have one layout',
} as const;
