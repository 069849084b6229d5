/** Runs an experiment of the papers, or lists them. */
import { join } from 'node:path';
import { readDataset } from '../../data/read/read.js';
import type { Report } from '../../report/page.js';
import { type Experiment, type Scale, scales } from '../../reproduce/experiment.js';
import { experiments } from '../../reproduce/experiments/all.js';
import { collectionDirectory } from '../../reproduce/lab.js';
import { configOf, experimentOf, type Reproduced, reproduce as runExperiment } from '../../reproduce/reproduce.js';
import { StepStore } from '../../reproduce/step-store.js';
import type { RunRecording } from '../../runs/recording.js';
import type { CommandDefinition } from '../command.js';
import { usage } from '../contradictions.js';
import { wholeNumber } from '../data-options.js';
import { interruptible } from '../interrupt.js';
import { type Output, printJson } from '../output.js';
import { type NamedData, originOf, reportOption, reportTarget, writePage, writeQuietly } from '../report-option.js';
import { type RecordedRun, recorded, recordedCommandLine, runFolderOptions } from '../run-folder.js';
import { pValue, table } from '../table.js';

export const reproduce: CommandDefinition = {
  name: 'reproduce',
  summary: 'Reproduce a result of the papers; without a name, list them.',
  arguments: [{ name: '[name]', description: 'the experiment' }],
  options: [
    {
      flags: '--scale <scale>',
      description: 'tiny takes seconds, small minutes on two cores, paper has the paper’s own sizes',
      choices: scales,
      default: 'small',
    },
    { flags: '--data <directory>', description: 'where the collections are that an experiment reads, such as ohsumed' },
    ...runFolderOptions,
    { flags: '--resume', description: 'go on with the run in --dir; what was finished is not run again' },
    { flags: '--out <file>', description: 'write the result to this file' },
    reportOption,
  ],
  examples: [
    'listwise reproduce',
    'listwise reproduce burges-2006-figure-2 --scale tiny --report figure-2.html',
    'listwise reproduce qin-2010-ohsumed --data letor --dir runs/ohsumed --resume',
  ],
  async run(args, options, output) {
    if (args.length === 0 && options.dir === undefined) {
      const stray = ['data', 'force', 'resume', 'report'].find(option => options[option] !== undefined);
      if (stray !== undefined) throw usage(`--${stray} needs the name of an experiment; listwise reproduce lists them`);
      return list(options.out as string | undefined, output);
    }
    const request = await recordedCommandLine(reproduce, args, options);
    const [name] = request.args;
    if (name === undefined) throw usage('name an experiment; listwise reproduce lists them');
    const experiment = experimentOf(name);
    if (request.options.resume && request.options.dir === undefined) throw usage('--resume needs --dir DIR');
    await reportTarget(request.options);
    const scale = request.options.scale as Scale;
    const seed = wholeNumber(request.options, 'seed', 0)!;
    const settled = { scale, config: configOf(experiment, scale) };
    await recorded(request, { seed, options: settled }, run =>
      runRecorded(experiment, scale, seed, request, run, output),
    );
  },
};

async function runRecorded(
  experiment: Experiment,
  scale: Scale,
  seed: number,
  { options }: RecordedRun,
  run: RunRecording | undefined,
  output: Output,
): Promise<void> {
  const signal = interruptible();
  const identity = { experiment: experiment.name, scale, seed, config: configOf(experiment, scale) };
  const store = run && new StepStore(join(run.path('checkpoint'), 'steps.jsonl'), identity);
  const report = options.report as string | undefined;
  // Read for their fingerprints, once more: experiments take from them what they need.
  const collections: NamedData[] = [];
  if (report !== undefined || run !== undefined) {
    for (const file of experiment.collections) {
      const directory = collectionDirectory(options.data as string | undefined, file);
      const data = await readDataset(directory);
      collections.push({ file, data });
      run?.addData('collection', directory, data);
    }
  }
  const progress = output.progress(experiment.name, { atOnce: true });
  const result = await runExperiment(experiment, scale, {
    seed,
    store,
    signal,
    threads: wholeNumber(options, 'threads', 1)!,
    collections: options.data as string | undefined,
    onBegin: (done, total, key) => progress.update(done, total, key),
    onStep(done, total, key) {
      progress.update(done, total, key);
      run?.log({ iteration: done, step: key });
    },
  }).finally(() => {
    progress.finish();
    store?.close();
    if (signal.aborted && run !== undefined) {
      output.note(`what is done is kept: listwise reproduce --dir ${run.directory} --resume goes on`);
    }
  });
  const page = reportOf(experiment, result, originOf({ ...options, scale }, collections, seed));
  if (report !== undefined) await writePage(report, page, output);
  if (run !== undefined) {
    await writeQuietly(run.path('report'), page);
    run.writeResults(printJson('reproduce', { ...result }));
  }
  await output.resultTo(options.out as string | undefined, 'reproduce', { ...result }, () => text(experiment, result));
}

function reportOf(experiment: Experiment, { outcome, findings, scale }: Reproduced, origin: Report['origin']): Report {
  const tested = findings.some(({ p }) => p !== null && !Number.isNaN(p));
  return {
    title: `listwise: ${experiment.title}`,
    verdict: verdict(findings, scale),
    sections: [
      {
        title: 'What was found there, and what is found here',
        lead: `${experiment.paper}. Scale: ${scale}.`,
        blocks:
          findings.length === 0
            ? []
            : [
                {
                  kind: 'table',
                  title: 'Findings',
                  columns: [
                    { title: 'holds' },
                    { title: 'claim' },
                    { title: 'theirs' },
                    { title: 'here' },
                    ...(tested ? [{ title: 'p', style: 'p' as const }] : []),
                  ],
                  rows: findings.map(({ claim, paper, ours, p, holds }) => [
                    holds ? 'yes' : 'no',
                    claim,
                    paper,
                    ours,
                    ...(tested ? [p] : []),
                  ]),
                },
              ],
      },
      ...experiment.sections(outcome),
    ],
    origin,
  };
}

function verdict(findings: Reproduced['findings'], scale: Scale): string {
  const [held, all] = [findings.filter(({ holds }) => holds).length, findings.length];
  const here = `here, at the scale ${scale}`;
  if (all === 0) return `At the scale ${scale} there is no finding to hold it against.`;
  if (all === 1) return `The finding ${held === 1 ? 'holds' : 'does not hold'} ${here}.`;
  if (held === all) return `All ${all} findings hold ${here}.`;
  return `${held === 0 ? 'None' : held} of the ${all} findings ${held < 2 ? 'holds' : 'hold'} ${here}.`;
}

function text(experiment: Experiment, { findings, scale }: Reproduced): string {
  return [
    `${experiment.title} (${experiment.paper}), scale ${scale}`,
    ...findings.map(({ claim, paper, ours, p, holds }) =>
      [
        `${holds ? 'holds' : 'does not hold'}: ${claim}`,
        `  theirs: ${paper}`,
        `  here:   ${ours}${p === null || Number.isNaN(p) ? '' : ` (p ${pValue(p)})`}`,
      ].join('\n'),
    ),
    verdict(findings, scale),
  ].join('\n\n');
}

async function list(out: string | undefined, output: Output): Promise<void> {
  const rows = experiments.map(({ name, title, paper, collections }) => ({ name, title, paper, collections }));
  await output.resultTo(out, 'reproduce', { experiments: rows }, () =>
    table(
      [{ title: 'experiment' }, { title: 'what' }, { title: 'reads' }],
      rows.map(({ name, title, collections }) => [name, title, collections.join(', ') || 'generated data']),
    ),
  );
}
