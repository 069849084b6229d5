import { rest } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { choice, invalid, list, number, type Parse, parsed, splitPair, text, whole } from '../command/option.js';

const args = {
  models: rest('model files of any format as FILE, NAME=FILE or NAME@VERSION=FILE, or folders of them'),
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, '': 1 };

/** 5ms, 2s, 1m; a number alone is in milliseconds. */
const duration: Parse<number> = (written, named) => {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(written.trim()) ?? [];
  if (amount === undefined) throw invalid(`${named} is a time such as 5ms, 2s or 1m, found "${written}"`);
  return Number(amount) * UNITS[unit]!;
};

/** A time with a default, as it would be written. */
const time = (description: string, shown: string) => ({
  ...parsed('time', description, duration, { default: duration(shown, '') }),
  shown,
});

const shares: Parse<Readonly<Record<string, number>>> = (written, named) => {
  const pairs = written.split(',').map(part => {
    const [name, share] = splitPair(part.trim());
    if (name !== '' && share && Number.isFinite(Number(share))) return [name, Number(share)] as const;
    throw invalid(`${named} is NAME=SHARE,… such as a=90,b=10, found "${written}"`);
  });
  const names = pairs.map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw invalid(`${named} gives ${twice} two shares, found "${written}"`);
  return Object.fromEntries(pairs);
};

const options = {
  port: whole('port to listen on; 0 takes one that is free', { least: 0, default: 8080 }),
  host: text('name', 'address to listen on; 0.0.0.0 lets other machines in', { default: '127.0.0.1' }),
  tokenFile: text('file', 'file with a token that requests must have: Authorization: Bearer TOKEN', { reads: true }),
  share: parsed('name=n,...', 'how requests that name no model are dealt out, by their keys: a=90,b=10', shares),
  shadow: list('model', 'a model that is scored with every request but not served; repeatable'),
  deadline: parsed('time', 'answer in the given order where the model would take longer, such as 5ms', duration),
  log: text('dir', 'folder to log what was ranked to, in files that train reads; made where there is none'),
  logFormat: choice(['jsonl', 'parquet'], 'format', 'files of the log; Parquet is written when a file is full', {
    default: 'jsonl',
  }),
  logShare: number('share', 'part of the requests that is logged', { above: 0, most: 1, default: 1 }),
  logBytes: whole('size of a file of the log, in bytes', { least: 1000, default: 100_000_000 }),
  logFiles: whole('files of the log that are kept', { least: 1, default: 10 }),
  maxBody: whole('largest body of a request, in bytes', { least: 100, default: 1 << 24 }),
  maxDocuments: whole('most documents of a request', { least: 1, default: 10_000 }),
  maxFeatures: whole('most features of a document', { least: 1, default: 10_000 }),
  maxRequests: whole('most requests at a time', { least: 1, default: 512 }),
  timeout: time('time that a request may take to arrive', '10s'),
  grace: time('time that requests have to end when the server is stopped', '10s'),
  watch: time('time between looks at the model files; 0 looks only at SIGHUP', '1s'),
};

export type ServeLine = CommandLine<typeof args, typeof options>;

export const serve = defineCommand({
  arguments: args,
  options,
  needs: {
    logFormat: { one: ['log'] },
    logShare: { one: ['log'] },
    logBytes: { one: ['log'] },
    logFiles: { one: ['log'] },
  },
  examples: [
    'listwise serve model.json --port 8080',
    'listwise serve old=v1.json new=v2.json --share old=90,new=10 --shadow next=v3.json',
    'listwise serve models/ --token-file token.txt --host 0.0.0.0 --log log/ --deadline 5ms',
  ],
  notes: [
    'POST /rank takes {"documents": [{"id", "features": {NAME: VALUE}}]}, or "rows", and gives documents best first; POST /score gives them as they came. GET /models, /health, /ready, /metrics, /openapi.json.',
    'Models are loaded again when their files change, and at SIGHUP; a file that cannot be used leaves the old model in place.',
  ],
  run: async (line, output) => (await import('../commands/serve.js')).serve(line, output),
});
