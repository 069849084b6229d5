import { writers } from '../../data/writers/all.js';
import { convertData, parseShares } from '../../data/writers/convert.js';
import type { CommandDefinition } from '../command.js';
import { dataOptions, readOptions, wholeNumber } from '../data-options.js';
import { count } from '../table.js';

export const convertDataCommand: CommandDefinition = {
  name: 'convert-data',
  summary: 'Write data in another format, whole or split by query.',
  arguments: [
    { name: '<data>', description: 'a file, a directory, a glob or - for stdin, plain or .gz' },
    { name: '<out>', description: 'the file to write; .gz compresses' },
  ],
  options: [
    {
      flags: '--to <format>',
      description: "format to write (default: from the output's name)",
      choices: writers.map(writer => writer.name),
    },
    {
      flags: '--split <shares>',
      description: 'split by query, such as 0.6,0.2,0.2: OUT gets .train, .validate, .test',
    },
    { flags: '--sparse', description: 'leave out zeros, in SVMlight' },
    ...dataOptions,
  ],
  examples: [
    'listwise convert-data train.txt train.parquet',
    'listwise convert-data all.csv data.txt --split 0.6,0.2,0.2 --seed 7',
    'listwise convert-data logs.json data.csv --judgments judgments.txt --features feature-set.json',
  ],
  async run([source, target], options, output) {
    const split = options.split as string | undefined;
    const read = readOptions(options, output);
    const writing = output.progress('writing');
    const conversion = await convertData(source!, target!, {
      read,
      write: {
        format: options.to as string | undefined,
        sparse: options.sparse === true,
        threads: read.threads,
        note: read.note,
      },
      split: split === undefined ? undefined : parseShares(split),
      seed: wholeNumber(options, 'seed', 0) ?? 1,
      progress: (done, total) => writing.update(done, total),
    });
    output.result(
      'convert-data',
      { ...conversion },
      () => `${count(conversion.documents)} documents written to ${conversion.files.join(', ')}`,
    );
  },
};
