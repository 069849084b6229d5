/** A local web page over run folders, data and models. */
import { openStudio } from '../../studio/server.js';
import type { StudioLine } from '../declarations/studio.js';
import type { Output } from '../output.js';

export async function studio({ args, options }: StudioLine, output: Output): Promise<void> {
  const signal = output.signals.interruptible();
  const opened = await openStudio({
    folders: args.folders.length === 0 ? ['.'] : args.folders,
    data: options.data,
    models: options.model,
    port: options.port,
  });
  output.result('studio', { url: opened.url }, () => `open ${opened.url}\nCtrl-C ends it`);
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
  await opened.close();
}
