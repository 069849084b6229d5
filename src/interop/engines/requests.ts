/** What goes beside a model into an engine: the request that stores it, the features, and a search that uses it. */
import { basename } from 'node:path';
import { queryOf } from '../feature-query.js';
import type { WrittenFile } from '../format.js';
import { stemOf } from '../target-name.js';

export interface StoredModel {
  /** The model's file, the body of a request where the engine takes one. */
  readonly file: WrittenFile;
  /** Name of the model in the engine. */
  readonly name: string;
  readonly format: string;
  readonly featureNames: readonly string[];
  /** Queries of features by name, where a feature set has them. */
  readonly queries: Readonly<Record<string, unknown>>;
}

interface Requests {
  /** Companions of the file, by what they are called after it. */
  readonly files: Readonly<Record<string, unknown>>;
  /** How each is sent. */
  readonly notes: readonly string[];
}

const WINDOW = 100;
/** What a user has typed, in templates. */
const WORDS = 'the words of the query';

/** The parameters of the queries' templates. */
function parametersOf({ featureNames, queries }: StoredModel): Record<string, string> {
  const text = JSON.stringify(featureNames.map(name => queryOf(name, queries)));
  return Object.fromEntries(Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, key]) => [key!, WORDS]));
}

function plugin(stored: StoredModel): Requests {
  const { name, featureNames, queries } = stored;
  const params = parametersOf(stored);
  const features = featureNames.map(feature => {
    const template = queryOf(feature, queries);
    return {
      name: feature,
      params: Object.keys(params).filter(key => JSON.stringify(template).includes(`{{${key}}}`)),
      template,
    };
  });
  const sltr = { sltr: { model: name, params } };
  const query = { rescore_query_weight: 1, query_weight: 0, rescore_query: sltr };
  return {
    files: {
      features: { featureset: { name, features } },
      search: { query: { match: { [featureNames[0]!]: WORDS } }, rescore: { window_size: WINDOW, query } },
    },
    notes: [
      `the features: PUT _ltr/_featureset/${name}`,
      `the model: POST _ltr/_featureset/${name}/_createmodel`,
      'a search: POST INDEX/_search',
    ],
  };
}

function elasticsearch(stored: StoredModel): Requests {
  const { name, featureNames } = stored;
  const rescore = {
    window_size: WINDOW,
    learning_to_rank: { model_id: name, params: parametersOf(stored) },
  };
  return {
    files: { search: { query: { match: { [featureNames[0]!]: WORDS } }, rescore } },
    notes: [`the model: PUT _ml/trained_models/${name}`, 'a search: POST INDEX/_search'],
  };
}

function solr({ name, featureNames, file }: StoredModel): Requests {
  const follows = String(file.content).includes('"isNullSameAsZero": false');
  const features = featureNames.map(feature => ({
    name: feature,
    class: 'org.apache.solr.ltr.feature.FieldValueFeature',
    params: { field: feature, ...(follows && { defaultValue: 'NaN' }) },
  }));
  const rq = `{!ltr model=${name} reRankDocs=${WINDOW}}`;
  return {
    files: { features, search: { query: WORDS, params: { rq, fl: 'id,score,[features]' } } },
    notes: [
      'the features: PUT /solr/COLLECTION/schema/feature-store',
      'the model: PUT /solr/COLLECTION/schema/model-store',
      'a search: POST /solr/COLLECTION/query',
    ],
  };
}

/** A name that is no rank feature of Vespa's, such as bm25(title), and can be that of a function. */
const FUNCTION = /^[a-z_]\w*$/i;

function vespa({ name, file, format, featureNames }: StoredModel): Requests {
  const call = format.startsWith('lightgbm') ? 'lightgbm' : format === 'onnx' ? 'onnx' : 'xgboost';
  const expressionOf = (feature: string) => {
    if (FUNCTION.test(feature)) return `attribute(${feature})`;
    return /^\d+$/.test(feature) ? `attribute(feature_${feature})` : feature;
  };
  const row = `tensor<float>(d0[1],d1[${featureNames.length}]):[[${featureNames.map(expressionOf).join(', ')}]]`;
  // A function of the name of an input gives it; files of ONNX have one, `features`.
  const functions: (readonly [string, string])[] =
    format === 'onnx'
      ? [['features', row]]
      : featureNames.filter(feature => FUNCTION.test(feature)).map(feature => [feature, expressionOf(feature)]);
  const profile = [
    `rank-profile ${name} {`,
    ...functions.map(([called, expression]) => `    function ${called}() { expression: ${expression} }`),
    '    first-phase { expression: nativeRank }',
    `    second-phase { expression: ${call}("${basename(file.path)}") rerank-count: ${WINDOW} }`,
    '}',
    '',
  ].join('\n');
  const search = { yql: 'select * from sources * where userQuery()', query: WORDS, 'ranking.profile': name };
  return {
    files: { profile, search },
    notes: [
      'the model: models/ of the application',
      'the profile: in the schema; its functions take attributes of the names of the features, write there what each is',
      'a search: POST /search/',
    ],
  };
}

const requests: Readonly<Record<string, (stored: StoredModel) => Requests>> = {
  elasticsearch,
  'elasticsearch-ltr': plugin,
  opensearch: plugin,
  solr,
  vespa,
};

/** The files beside the model's, and how each is sent; none for libraries, which load the model's file. */
export function requestsFor(engine: string, stored: StoredModel): { files: WrittenFile[]; notes: readonly string[] } {
  const { files, notes } = requests[engine]?.(stored) ?? { files: {}, notes: [] };
  const stem = stemOf(stored.file.path);
  return {
    files: Object.entries(files).map(([what, content]) => ({
      path: typeof content === 'string' ? `${stem}.${what}` : `${stem}.${what}.json`,
      content: typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`,
    })),
    notes,
  };
}
