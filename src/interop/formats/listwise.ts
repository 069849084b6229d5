/** The format of this package: see models/model-file.ts. */
import { constants } from 'node:buffer';
import { modelBytes, parseModel } from '../../models/model-file.js';
import type { Ranker } from '../../models/ranker.js';
import type { ExportJob, ModelFormat, WrittenFile } from '../format.js';

function write(model: Ranker, job: ExportJob): WrittenFile[] {
  const bytes = modelBytes(model);
  return [{ path: job.target, content: bytes.length < constants.MAX_STRING_LENGTH ? bytes.toString() : bytes }];
}

export const listwise: ModelFormat = {
  name: 'listwise',
  aliases: ['native', 'json'],
  title: 'listwise model file (JSON)',
  rule: 'the model as it is',
  recognise: start => /^\s*\{\s*"format"\s*:\s*"listwise\/model\//.test(start),
  remembers: true,
  reads: ['trees', 'linear', 'net'],
  read: (content, job) => parseModel(content, job.file),
  writes: { trees: write, linear: write, net: write },
};
