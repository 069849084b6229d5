/** A command line from its words to its exit code; failures become one line on stderr. */
import { ListwiseError } from '../errors.js';
import { readStandardInput } from '../io/standard-input.js';
import { launchedBy } from '../ranks/launcher.js';
import { alone } from '../ranks/transport.js';
import { style, visibleJson, visibleLines } from '../report/render/screen.js';
import { version } from '../version.js';
import { inFlags } from './flags.js';
import { type Io, resultsWritten } from './io.js';
import { beforeOthers, codesOfAll, launchedRanks, leaveRanks, ofRank } from './launched.js';
import { modelForData } from './model-for-data.js';
import { clearProgress } from './terminal/progress.js';
import { takesColour } from './terminal/terminal.js';
import { shortMemory, withoutWebAssembly } from './what-is-missing.js';

export async function run(argv: readonly string[], io: Io): Promise<number> {
  readStandardInput(io.stdin);
  const json = argv.includes('--json');
  let code = 0;
  let ranks = alone;
  const launched = launchedBy(io.env);
  try {
    if (['--version', '-V', '-v'].includes(argv[0]!)) io.stdout.write(`${version}\n`);
    else {
      ranks = await launchedRanks(io, launched);
      await (await import('./dispatch.js')).dispatch(argv, ofRank(io, ranks), json);
    }
    await resultsWritten(io.stdout);
    await leaveRanks(ranks);
  } catch (error) {
    const shown = await modelForData(shortMemory(withoutWebAssembly(error)));
    const rank = ranks.size > 1 ? ranks.rank : (launched?.rank ?? 0);
    const codes = ranks.size > 1 ? await codesOfAll(ranks, error, io.signals.code) : [];
    await beforeOthers(rank);
    code = report(shown, io, json, rank);
    if (ranks.size > 1) ranks.abort(codes.find(own => own !== undefined) ?? code);
  }
  // A command that ended itself after a signal still ends with the signal's code.
  return io.signals.code ?? code;
}

/** One line on stderr; with --json an error object there. Returns the exit code. */
function report(error: unknown, { stderr, env }: Io, json: boolean, rank: number): number {
  clearProgress();
  const known = error instanceof ListwiseError;
  const from = rank > 0 ? `rank ${rank}: ` : '';
  const message = from + inFlags(error instanceof Error ? error.message : String(error));
  if (json) {
    const written = known ? { code: error.code, message, ...error.place } : { code: 'internal', message };
    stderr.write(`${visibleJson(JSON.stringify({ error: written }))}\n`);
  } else {
    const name = takesColour(stderr, env) ? style('red', 'listwise') : 'listwise';
    const line = known
      ? `${message} [${error.code}]`
      : `${from}internal failure: ${error instanceof Error ? error.stack : message}`;
    stderr.write(`${name}: ${visibleLines(line)}\n`);
  }
  return known ? 2 : 1;
}
