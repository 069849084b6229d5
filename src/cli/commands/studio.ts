/** A local web page over run folders, data and models. */
import { resolve } from 'node:path';
import type { RunFolder } from '../../runs/run-folder.js';
import { openStudio } from '../../studio/server.js';
import { resumable } from '../declarations/all.js';
import type { StudioLine } from '../declarations/studio.js';
import type { Output } from '../output.js';
import { type Started, startCommand } from '../start-command.js';

/** Milliseconds in which a command that cannot go on with a run has mostly said so. */
const TO_BEGIN = 2000;

export async function studio({ args, options }: StudioLine, output: Output): Promise<void> {
  const signal = output.signals.interruptible();
  const started: Started[] = [];
  const opened = await openStudio({
    folders: args.folders.length === 0 ? ['.'] : args.folders,
    data: options.data,
    models: options.model,
    titles: options.titles,
    link: options.link,
    port: options.port,
    note: text => output.note(text),
    resume: {
      commands: await resumable(),
      async start({ record, directory }: RunFolder) {
        const words = [record.command, '--dir', resolve(directory), '--resume'];
        const one = startCommand(words, record.workingDirectory);
        started.push(one);
        return one.failure(TO_BEGIN);
      },
    },
  });
  output.result('studio', { url: opened.url }, () => `open ${opened.url}\nCtrl-C ends it`);
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
  for (const one of started) one.stop();
  await Promise.all([opened.close(), ...started.map(({ ended }) => ended)]);
}
