/** From the words of a command line to the command that they name. */

import { alone } from '../ranks/transport.js';
import { follow, isGroup } from './command/group.js';
import { helpText } from './command/help.js';
import { usage } from './command/option.js';
import { program } from './declarations/all.js';
import type { Io } from './io.js';
import { onRanks } from './launched.js';

/** Finds the command that is named and starts it, or shows help. */
export async function dispatch(argv: readonly string[], io: Io, json: boolean): Promise<void> {
  const [first, ...more] = argv;
  const asked = first === 'help' ? [...more, '--help'] : argv.length === 0 ? ['--help'] : argv;
  const ranks = io.ranks ?? alone;
  const route = await onRanks(ranks, () => follow({ ...program, path: [], words: asked }));
  if (route.help) {
    io.stdout.write(helpText(route, io.stdout.columns || 80));
    return;
  }
  const { found, path, words } = route;
  const command = isGroup(found) ? found.alone : found;
  if (command === undefined) {
    if (!json) io.stderr.write(`${helpText(route, io.stderr.columns || 80)}\n`);
    throw usage(`name the ${isGroup(found) ? found.noun : 'command'}: ${['listwise', ...path, 'NAME'].join(' ')}`);
  }
  if (ranks.size > 1 && !command.severalRanks) {
    const { ofAll } = await import('../ranks/together.js');
    throw ofAll(usage(`listwise ${path.join(' ')} runs in one process; start it without a launcher of several`));
  }
  if (ranks.size > 1) (await import('./agreed-ranks.js')).agreeOnWords(ranks, [...path, ...words]);
  await command.start(path, words, io);
}
