/** The options that say how DATA is read, shared by every command that takes data. */
import { normalisations } from '../../data/normalise.js';
import { choice, flag, grouped, list, namedFile, names, splitPair, text } from '../command/option.js';

export const dataOptions = grouped('How data is read:', {
  format: text('name', 'format of the data (default: from the file name)'),
  queryCol: text('column', 'column of query ids, in tables'),
  docCol: text('column', 'column of document ids'),
  labelCol: list('[name=]column', 'column of labels; repeat for several label sources', { parse: labelColumn }),
  weightCol: text('column', 'column of document weights'),
  positionCol: text('column', 'column of positions at which documents were shown'),
  ignore: names('columns', 'columns that are not features, separated by commas; * and ? are wildcards', {
    tried: ['drop', 'drop-col', 'drop-cols', 'drop-columns', 'exclude', 'ignore-col', 'ignore-columns'],
  }),
  keep: names('columns', 'the only columns that are features; * and ? are wildcards'),
  category: names('columns', 'columns of categories: text, or numbers without an order'),
  date: names('columns', 'columns of dates or times: features in days since 1970-01-01'),
  missing: names('words', 'words for missing values in tables, besides empty, na, n/a, nan, null, none and -'),
  dataDescription: text('file', 'how to read the data (data.json, made by listwise inspect DATA --describe data.json)'),
  sql: text('query', 'query to run over a DuckDB file'),
  labels: list('name=file', 'another label source, one value per line; repeatable', { parse: namedFile }),
  group: text('file', 'group sizes, one per line, or one query id per row'),
  absent: choice(
    ['zero', 'missing', 'refuse'],
    'how',
    'value of a feature that a row leaves out (default: zero in sparse data, missing in logs)',
  ),
  judgments: text(
    'file',
    'grades of the documents of a table or feature log: a table, a list "3 qid:1 # doc", or qrels',
  ),
  unjudged: choice(
    ['refuse', 'drop', 'keep'],
    'how',
    'what to do with documents without a judgment or label (default: refuse)',
  ),
  queryFrom: choice(
    ['entry', 'file'],
    'where',
    "what names a response's query in a feature log that has no qid (default: entry)",
  ),
  featureBase: choice(['0', '1'], 'n', 'smallest feature id of SVMlight files', { default: '1' }),
  fillFeatures: flag('features of the model that the data never names count as absent instead of being an error'),
  features: text('file', 'keep only the features named in this file: one per line, or a feature set (JSON)'),
  normalise: choice(normalisations, 'how', 'normalise features within each query'),
});

function labelColumn(written: string): { name: string; column: string } {
  const [name, column] = splitPair(written);
  return { name: column === undefined ? 'label' : name, column: column ?? name };
}
