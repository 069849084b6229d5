/** Every format of model files there is, in the order help shows them. A file is read as the first that recognises it. */
import type { ModelFormat } from './format.js';
import { javascript } from './javascript.js';
import { lightgbm } from './lightgbm.js';
import { linearJson } from './linear-json.js';
import { listwise } from './listwise.js';
import { onnx } from './onnx.js';
import { ranklib } from './ranklib.js';
import { xgboost } from './xgboost.js';
import { xgboostDump } from './xgboost-dump.js';

export const formats: readonly ModelFormat[] = [
  listwise,
  lightgbm,
  xgboost,
  xgboostDump,
  ranklib,
  linearJson,
  onnx,
  javascript,
];
