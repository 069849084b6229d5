/** The format of this package: see models/model-file.ts. */
import { parseModel, printModel } from '../../models/model-file.js';
import type { Ranker } from '../../models/ranker.js';
import { type ExportJob, type ModelFormat, textOf, type WrittenFile } from '../format.js';

function write(model: Ranker, job: ExportJob): WrittenFile[] {
  return [{ path: job.target, content: printModel(model) }];
}

export const listwise: ModelFormat = {
  name: 'listwise',
  aliases: ['native', 'json'],
  title: 'listwise model file (JSON)',
  rule: 'the model as it is',
  recognise: start => /^\s*\{\s*"format"\s*:\s*"listwise\/model\//.test(start),
  remembers: true,
  reads: ['trees', 'linear', 'net'],
  read: (content, job) => parseModel(textOf(content), job.file),
  writes: { trees: write, linear: write, net: write },
};
