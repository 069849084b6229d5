#!/usr/bin/env node
/** The command line: builds the parser from the declared commands, turns failures into one line and an exit code. */
import { Command, CommanderError } from 'commander';
import { didYouMean, ListwiseError, quote } from '../errors.js';
import { removeTemporaryFiles } from '../io/whole-file.js';
import { commands } from './commands/all.js';
import { interruptCode, isWatched, onSignals } from './interrupt.js';
import { modelForData } from './model-for-data.js';
import { Output } from './output.js';
import { declare } from './parser.js';
import { clearProgress } from './progress.js';
import { shortMemory } from './short-memory.js';
import { style, takesColour } from './terminal.js';
import { version } from './version.js';

/** The name before an error, red where that shows. */
function name(): string {
  return takesColour(process.stderr, process.env) ? style('red', 'listwise') : 'listwise';
}

/** The parser's message in one line and in the words of all others. */
function usageMessage({ message }: CommanderError): string {
  const line = message.replace(/^error: /, '').replaceAll('\n', ' ');
  const choice = /^option '(?:-\w, )?(--[\w-]+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/.exec(line);
  if (choice !== null) {
    const [flag = '', found = '', choices = ''] = choice.slice(1);
    return `${flag} is one of ${choices}, found ${quote(found)}${didYouMean(found, choices.split(', ')).replace(/\.$/, '')}`;
  }
  const near = /^(.*) \(Did you mean (.*)\?\)$/.exec(line);
  return near === null ? line : `${near[1]}; did you mean ${near[2]}?`;
}

/** One line on stderr; with --json an error object there. Returns the exit code. */
function report(error: unknown, json: boolean): number {
  clearProgress();
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0; // --help and --version
    const message = usageMessage(error);
    process.stderr.write(
      json ? `${JSON.stringify({ error: { code: 'usage', message } })}\n` : `${name()}: ${message} [usage]\n`,
    );
    return 2;
  }
  if (error instanceof ListwiseError) {
    const { code, message, place } = error;
    process.stderr.write(
      json ? `${JSON.stringify({ error: { code, message, ...place } })}\n` : `${name()}: ${message} [${code}]\n`,
    );
    return 2;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (json) process.stderr.write(`${JSON.stringify({ error: { code: 'internal', message } })}\n`);
  else process.stderr.write(`${name()}: internal failure: ${error instanceof Error ? error.stack : message}\n`);
  return 1;
}

const program = new Command('listwise')
  .description('Learning to rank: judge and compare rankings, train models, score documents.')
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'show this')
  .helpCommand('help [command]', 'show what a command takes')
  .configureHelp({ subcommandTerm: command => command.name() })
  .exitOverride()
  .configureOutput({ writeErr: () => {} });
for (const definition of commands) {
  program.addCommand(
    declare(definition, (args, options) => {
      const output = new Output({ json: options.json === true, quiet: options.quiet === true });
      return definition.run(args, options, output);
    }),
  );
}

/** Ends at once, with no half-written file left behind (whole-file.ts). */
function end(code: number): never {
  clearProgress();
  removeTemporaryFiles();
  process.exit(code);
}

// A closed pipe is no failure: where nobody reads results (`| head`) any more there is nothing left to do, unless a run
// is being recorded; and where nobody reads notes a model may still be wanted.
process.stdout.on('error', error => {
  if (!isClosedPipe(error)) throw error;
  if (!isWatched()) end(0);
});
process.stderr.on('error', error => {
  if (!isClosedPipe(error)) throw error;
});

function isClosedPipe({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(code);
}

// Ctrl-C and kill end with the shell's own codes.
onSignals(end);

const args = process.argv.slice(2);
try {
  if (args.length === 0) process.stdout.write(program.helpInformation());
  else await program.parseAsync(args, { from: 'user' });
} catch (error) {
  process.exitCode = report(await modelForData(shortMemory(error)), args.includes('--json'));
}
// A command that ended itself after a signal still ends with the signal's code.
process.exitCode = interruptCode() ?? process.exitCode;
