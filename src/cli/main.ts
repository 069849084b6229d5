#!/usr/bin/env node
/** The command line: builds the parser from the declared commands, turns failures into one line and an exit code. */
import { Command, CommanderError } from 'commander';
import { removeTemporaryFiles } from '../data/whole-file.js';
import { ListwiseError } from '../errors.js';
import { commands } from './commands/all.js';
import { interruptCode, onSignals } from './interrupt.js';
import { Output } from './output.js';
import { declare } from './parser.js';
import { clearProgress } from './progress.js';
import { version } from './version.js';

/** One line on stderr; with --json an error object there. Returns the exit code. */
function report(error: unknown, json: boolean): number {
  clearProgress();
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0; // --help and --version
    const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    process.stderr.write(
      json ? `${JSON.stringify({ error: { code: 'usage', message } })}\n` : `listwise: ${message} [usage]\n`,
    );
    return 2;
  }
  if (error instanceof ListwiseError) {
    const { code, message, place } = error;
    process.stderr.write(
      json ? `${JSON.stringify({ error: { code, message, ...place } })}\n` : `listwise: ${message} [${code}]\n`,
    );
    return 2;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (json) process.stderr.write(`${JSON.stringify({ error: { code: 'internal', message } })}\n`);
  else process.stderr.write(`listwise: internal failure: ${error instanceof Error ? error.stack : message}\n`);
  return 1;
}

const program = new Command('listwise')
  .description('Learning to rank: judge and compare rankings, train models, score documents.')
  .version(version)
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

// A closed pipe is no failure: where nobody reads results (`| head`) any more there is nothing left to do, but a model may still
// be wanted where nobody reads notes.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') end(0);
  throw error;
});
process.stderr.on('error', error => {
  if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
});

// Ctrl-C and kill end with the shell's own codes.
onSignals(end);

const args = process.argv.slice(2);
try {
  if (args.length === 0) process.stdout.write(program.helpInformation());
  else await program.parseAsync(args, { from: 'user' });
} catch (error) {
  process.exitCode = report(error, args.includes('--json'));
}
// A command that ended itself after a signal still ends with the signal's code.
process.exitCode = interruptCode() ?? process.exitCode;
