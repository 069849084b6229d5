/** Mutated inputs through the real reader: whatever comes in, it must come to what the plain reference says. */
import { deepStrictEqual } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSvmlight } from '#listwise/data/readers/svmlight/svmlight.js';
import { type Input, memoryInput } from '#listwise/io/inputs.js';
import type { Random } from '#listwise/numeric/random.js';
import { numberText, pick } from './number-texts.js';
import { datasetText, errorText, expectedOutcome } from './svmlight-model.js';

const MISSING = ['nan', 'NaN', 'NULL', 'null', 'Null', ''];

function idText(random: Random): string {
  const rare = [
    '0',
    '00',
    '007',
    '-1',
    '+2',
    '1.5',
    'a',
    '',
    '1048576',
    '1048577',
    '1099511627776',
    '99999999999999999999',
  ];
  return random.uniform() < 0.02 ? pick(random, rare) : String(1 + random.below(pick(random, [4, 12, 40, 300])));
}

/** A line; with `wild`, one that often has something wrong. */
function line(random: Random, wild: boolean): string {
  const blank = () => pick(random, [' ', ' ', ' ', '\t', '  ', ' \t ']);
  const kind = random.uniform();
  if (kind < 0.05) return pick(random, ['', ' ', '\t', '# only a comment', '  #x', '#']);
  const parts = [random.uniform() < 0.9 ? String(random.below(5)) : numberText(random, wild)];
  if (!wild || random.uniform() < 0.95) parts.push(`qid:${pick(random, ['1', '2', '3', 'abc', 'é', '10', '1:2'])}`);
  const features = random.below(12);
  let id = 0;
  const shuffled = random.uniform() < 0.2;
  for (let f = 0; f < features; f++) {
    id += 1 + random.below(3);
    const kind = random.uniform();
    const value = kind < 0.6 ? random.below(1000) / 8 : kind < 0.65 ? pick(random, MISSING) : numberText(random, wild);
    parts.push(`${shuffled && wild ? idText(random) : id}:${value}`);
  }
  if (shuffled && !wild) parts.splice(2, features, ...random.shuffle(parts.slice(2)));
  let text = (random.uniform() < 0.05 ? blank() : '') + parts.join(blank());
  if (random.uniform() < 0.4) {
    const comments = [
      '#docid = D1',
      '# docid=D2 inc = 1',
      '#D3',
      '# a b',
      '# ',
      '#xdocid = 1',
      '# a docid  =  Ü9 ',
      '#docid =',
    ];
    text += pick(random, ['', ' ', '\t']) + pick(random, comments);
  }
  return text + (random.uniform() < 0.1 ? blank() : '');
}

function document(random: Random): Buffer {
  const end = pick(random, ['\n', '\n', '\r\n']);
  const wild = random.uniform() < 0.15;
  const lines = Array.from({ length: random.below(9) }, () => line(random, wild));
  const mark = random.uniform() < 0.05 ? '\ufeff' : '';
  return Buffer.from(mark + lines.join(end) + (random.uniform() < 0.7 ? end : ''));
}

const PIECES = [
  '\0',
  '\0',
  '\0',
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\t',
  ':',
  '#',
  '-',
  '.',
  'e',
  'qid:',
  'qid:9',
  'é',
  '\ufeff',
  '\v',
  '0',
  '9',
];

function mutate(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random.below(8));
  const splice = (from: number, to: number, middle: Uint8Array) =>
    Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]);
  switch (random.below(11)) {
    case 0: // delete
      return splice(at, end, Buffer.alloc(0));
    case 1: // duplicate
      return splice(end, end, bytes.subarray(at, end));
    case 2: // truncate
      return bytes.subarray(0, at);
    case 3: // any byte
      return splice(at, at, Buffer.of(random.below(256)));
    case 4: // overwrite
      return splice(at, Math.min(bytes.length, at + 1), Buffer.of(random.below(256)));
    case 5:
      return splice(at, at, Buffer.from(pick(random, PIECES)));
    case 6: // a number into the middle of anything
      return splice(at, end, Buffer.from(numberText(random)));
    case 7:
      return splice(at, at, Buffer.from(` ${idText(random)}:${numberText(random)} `));
    case 8: // a very long token
      return random.below(5) > 0
        ? bytes
        : splice(at, at, Buffer.alloc(1 + random.below(5000), pick(random, ['0', '1', '9', 'x', ' ', '#'])));
    case 9: {
      // swap two tokens
      const tokens = bytes.toString('latin1').split(' ');
      const a = random.below(tokens.length);
      const b = random.below(tokens.length);
      [tokens[a], tokens[b]] = [tokens[b]!, tokens[a]!];
      return Buffer.from(tokens.join(' '), 'latin1');
    }
    default:
      return Buffer.concat([bytes, document(random)]);
  }
}

/** The bytes as an input: a file of which threads read ranges, or a stream in parts. */
function inputOf(bytes: Buffer, folder: string | undefined, part: number): Input {
  const input = memoryInput('mutated', bytes, part);
  if (folder === undefined) return input;
  const path = join(folder, 'mutated');
  writeFileSync(path, bytes);
  return { ...input, path };
}

async function readOutcome(
  input: Input,
  options: { featureBase: 0 | 1; outside: boolean; absent: number; threads: number },
  chunkBytes: number,
  rows: number,
): Promise<string[]> {
  try {
    const data = await readSvmlight(
      [input],
      {
        threads: options.threads,
        featureBase: options.featureBase,
        absent: Number.isNaN(options.absent) ? 'missing' : 'zero',
        outsideQueries: options.outside ? { file: 'groups', runs: [{ id: 'outside', rows }] } : undefined,
      },
      chunkBytes,
    );
    return datasetText(data, options.absent);
  } catch (error) {
    return [errorText(error)];
  }
}

/** Reads an input that chance makes, from a file where there is a folder, and gives what came of it. */
export async function readMutated(random: Random, threads: number, folder?: string): Promise<string[]> {
  let bytes: Buffer = document(random);
  for (let m = random.below(3); m > 0; m--) bytes = mutate(random, bytes);
  const options = {
    featureBase: pick(random, [0, 1] as const),
    outside: random.uniform() < 0.2,
    absent: pick(random, [0, Number.NaN]),
    threads,
  };
  const input = inputOf(bytes, folder, pick(random, [1, 2, 3, 7, 50, 1000]));
  const chunkBytes = pick(random, [1, 5, 30, 200, 1 << 20]);
  const lineOptions = { featureBase: options.featureBase, needQuery: !options.outside };
  const expected = expectedOutcome(bytes, lineOptions, options.absent);
  const rows = expected.filter(text => /^\d+: /.test(text)).length;
  const outcome = await readOutcome(input, options, chunkBytes, rows || 1e9);
  if (outcome.join('\n') !== expected.join('\n')) {
    const text = bytes.toString('latin1');
    deepStrictEqual({ text, options, outcome }, { text, options, outcome: expected });
  }
  return expected;
}
