/** One feature that was asked for by its name: how it is distributed, label by label. */
import type { Dataset } from '../data/dataset.js';
import { decidingSource } from '../data/inspect.js';
import type { Section } from './document.js';
import { featureByLabel } from './feature-by-label.js';
import { featureSample, SAMPLE_ROWS } from './feature-profile.js';
import { count } from './words.js';

export function featureSection(data: Dataset, feature: number): Section {
  const source = decidingSource(data);
  const { sample, labels } = featureSample(data, source === undefined ? undefined : data.label(source), feature);
  const name = data.featureNames[feature]!;
  const missing = sample.reduce((sum, value) => sum + (Number.isNaN(value) ? 1 : 0), 0);
  const of = data.rows > SAMPLE_ROWS ? `The picture is of ${count(SAMPLE_ROWS)} documents` : 'All documents';
  const lacking = missing === 0 ? '' : `; ${count(missing)} of them lack it`;
  return { title: `Feature ${name}`, lead: `${of}${lacking}.`, blocks: [featureByLabel(name, sample, labels)] };
}
