/** What goes beside a model into an engine: the request that stores it, the features, and a search that uses it. */
import { basename } from 'node:path';
import { few, quote } from '../../errors.js';
import { isObject } from '../../io/is-object.js';
import { hasQuery, queryOf, solrFeature } from '../feature-query.js';
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

/** Says what stands in for features that nobody has described. */
function standIns({ featureNames }: StoredModel, isKnown: (name: string) => boolean, standIn: string): string[] {
  const unknown = featureNames.filter(name => !isKnown(name));
  if (unknown.length === 0) return [];
  return [
    `nothing says how ${few(unknown.map(quote))} ${unknown.length === 1 ? 'is' : 'are'} computed: ${standIn} of the feature's name stands there; write what each is`,
  ];
}

/** By queries, as Elasticsearch and OpenSearch have them. */
function queryStandIns(stored: StoredModel): string[] {
  return standIns(
    stored,
    name => hasQuery(name, stored.queries),
    'for want of a `featureSet` with queries, a match of the words in a field',
  );
}

const SEARCH = 'a search: POST INDEX/_search, with a query of your own for its first pass';

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
      ...queryStandIns(stored),
      `the features: PUT _ltr/_featureset/${name}`,
      `the model: POST _ltr/_featureset/${name}/_createmodel`,
      SEARCH,
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
    notes: [...queryStandIns(stored), `the model: PUT _ml/trained_models/${name}`, SEARCH],
  };
}

function solr(stored: StoredModel): Requests {
  const { name, featureNames, file, queries } = stored;
  const follows = String(file.content).includes('"isNullSameAsZero": false');
  const features = featureNames.map(feature => ({
    name: feature,
    ...(solrFeature(feature, queries) ?? {
      class: 'org.apache.solr.ltr.feature.FieldValueFeature',
      params: { field: feature, ...(follows && { defaultValue: 'NaN' }) },
    }),
  }));
  const zeros = features.filter(({ params }) => !isObject(params) || params.defaultValue !== 'NaN');
  const rq = `{!ltr model=${name} reRankDocs=${WINDOW}}`;
  return {
    files: { features, search: { query: WORDS, params: { rq, fl: 'id,score,[features]' } } },
    notes: [
      ...standIns(
        stored,
        feature => solrFeature(feature, queries) !== undefined,
        'for want of a `featureSet` with classes, the value of a field',
      ),
      ...(follows && zeros.length > 0
        ? [
            `missing values go where the trees say only for features with "defaultValue": "NaN"; without: ${few(zeros.map(feature => quote(feature.name)))}`,
          ]
        : []),
      'the features: PUT /solr/COLLECTION/schema/feature-store',
      'the model: PUT /solr/COLLECTION/schema/model-store',
      'a search: POST /solr/COLLECTION/query',
    ],
  };
}

/** A name that is no rank feature of Vespa's, such as bm25(title), and can be that of a function. */
const FUNCTION = /^[a-z_]\w*$/i;
const isStandIn = (feature: string) => FUNCTION.test(feature) || /^\d+$/.test(feature);

function vespa(stored: StoredModel): Requests {
  const { name, file, format, featureNames } = stored;
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
      ...standIns(stored, feature => !isStandIn(feature), 'an attribute'),
      'the profile: in the schema',
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
