/** The `model/linear` of Elasticsearch and OpenSearch: a weight a name. No intercept, missing is 0, 32-bit sums. */
import { shortestFloat32 } from '../../data/writers/shortest-float.js';
import { LinearModel } from '../../models/linear/linear.js';
import { placesIn } from '../features.js';
import type { ExportJob, ImportJob, ModelFormat, WrittenFile } from '../format.js';
import { JsonReader } from '../json-reader.js';
import { linearFor, loseBias, type Normaliser } from '../linear-folding.js';

function read(content: Uint8Array, job: ImportJob): LinearModel {
  const file = JsonReader.parse(content, job);
  const used = Object.keys(file.object());
  const featureNames = job.featureSet ?? used;
  const places = placesIn(featureNames, used);
  const weights = new Float64Array(featureNames.length);
  used.forEach((name, i) => {
    weights[places[i]!] = file.at(name).float32();
  });
  job.changes.notice('sums are 64-bit here, 32-bit in the engines');
  return new LinearModel({ featureNames, weights });
}

function write(model: LinearModel, job: ExportJob): WrittenFile[] {
  if (job.featureSet !== undefined) placesIn(job.featureSet, model.featureNames);
  const { weights, bias, normalisers } = linearFor(model, job);
  loseBias(bias, job.changes);
  job.changes.notice('weights and sums are 32-bit in the engines');
  const lines = model.featureNames.map(
    (name, f) => `  ${JSON.stringify(name)}: ${shortestFloat32(Math.fround(weights[f]!))}`,
  );
  const beside = normalisers && { feature_normalizers: byName(model.featureNames, normalisers) };
  return [{ path: job.target, content: `{\n${lines.join(',\n')}\n}\n`, beside }];
}

function byName(names: readonly string[], normalisers: readonly Normaliser[]): object {
  const standard = ({ mean, scale }: Normaliser) => ({ standard: { mean, standard_deviation: scale } });
  return Object.fromEntries(names.map((name, f) => [name, standard(normalisers[f]!)]));
}

export const linearJson: ModelFormat = {
  name: 'linear',
  aliases: ['model/linear'],
  title: "The engines' model/linear (JSON)",
  rule: 'a weight a feature; no intercept; a missing value counts as 0; float32 sums',
  // Responses of search engines begin with a number, too, but do not go on with numbers alone.
  recognise: start => /^\s*\{\s*"[^"]*"\s*:\s*[-+\d.]/.test(start) && !/"\s*:\s*["{[a-z]/.test(start),
  namesUsedOnly: true,
  reads: ['linear'],
  read,
  writes: { linear: write },
  engine: { type: 'model/linear' },
};
