/** The newest release of each engine whose sources, notes or own scores the rules were held against. */
import { compareVersions } from './version.js';

const newest: Readonly<Record<string, string>> = {
  elasticsearch: '9.4',
  'elasticsearch-ltr': '9.0.8',
  opensearch: '3.8',
  solr: '10.0',
  vespa: '8.738',
  onnxruntime: '1.30',
  lightgbm: '4.6',
  xgboost: '3.4',
  catboost: '1.2',
};

/** What is to be said of a version that is later than any that was looked at; patch releases of the newest are not. */
export function beyondKnown(engine: string, version: string): string | undefined {
  const known = newest[engine];
  if (known === undefined) return undefined;
  const sameDepth = version.split('.').slice(0, known.split('.').length).join('.');
  if (compareVersions(sameDepth, known) <= 0) return undefined;
  return `${engine} ${version} is later than ${known}, the newest whose rule is known here, and is taken to score as that one; deploy verify compares with the scores it returns`;
}
