/**
 * Every format of model files there is, in the order help shows them. A file is read as the first that recognises it.
 */
import type { ModelFormat } from './format.js';
import { catboost } from './formats/catboost.js';
import { elasticsearch } from './formats/elasticsearch.js';
import { javascript } from './formats/javascript.js';
import { lightgbm } from './formats/lightgbm.js';
import { lightgbmDump } from './formats/lightgbm-dump.js';
import { linearJson } from './formats/linear-json.js';
import { listwise } from './formats/listwise.js';
import { onnx } from './formats/onnx.js';
import { ranklib } from './formats/ranklib.js';
import { solr } from './formats/solr.js';
import { xgboost, xgboostRaw, xgboostUbj } from './formats/xgboost.js';
import { xgboostDump } from './formats/xgboost-dump.js';

/**
 * Every format of model files.
 *
 * @example
 * import { formats } from 'listwise/interop';
 *
 * for (const { name, title } of formats) console.log(name, title);
 */
export const formats: readonly ModelFormat[] = [
  listwise,
  lightgbm,
  xgboost,
  xgboostUbj,
  xgboostRaw,
  xgboostDump,
  lightgbmDump,
  catboost,
  ranklib,
  linearJson,
  elasticsearch,
  solr,
  onnx,
  javascript,
];
