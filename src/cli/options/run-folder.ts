/** The options of commands that record themselves in a run folder. */
import { type AlsoWrites, flag, text } from '../command/option.js';

/** What a run writes that may be an input of it: how data is read, and what starting over takes away. */
const written: AlsoWrites = async (dir, given) => {
  if (dir === undefined || given.has('resume')) return [];
  const { KEPT_FILES, runPath } = await import('../../runs/layout.js');
  return (['description', ...(given.has('force') ? KEPT_FILES : [])] as const).map(file => runPath(dir, file));
};

export const forceOption = { force: flag('start over in a run folder that already holds a run') };

/** Of commands that write a model. */
export const overwriteOption = { force: flag('write over a file that exists') };

export const runFolderOptions = {
  dir: text('dir', 'run folder: options, log, model, results, report and checkpoint are kept there', {
    alsoWrites: written,
  }),
  ...forceOption,
};

/** Of commands that write a model, in a run folder or elsewhere. */
export const modelFolderOptions = {
  ...runFolderOptions,
  force: flag('overwrite an existing model; start over in a run folder that already holds a run'),
};

/** Starting over and going on exclude each other. */
export const forceOrResume = {
  when: 'force',
  not: ['resume'],
  why: '--force: one goes on, the other starts over',
} as const;

export const DEFAULT_OUT = 'model.json';

export const modelOutOption = {
  out: text('file', `where to write the model (default: ${DEFAULT_OUT}; with --dir it is always in the folder)`, {
    writes: true,
    alsoWrites: async (out, given) => (out === undefined && !given.has('dir') ? [DEFAULT_OUT] : []),
    tried: ['output', 'output-model', 'model-out', 'save'],
  }),
};
