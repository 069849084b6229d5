import { convertData, parseShares } from '../../data/writers/convert.js';
import { count } from '../../report/words.js';
import type { ConvertDataLine } from '../declarations/convert-data.js';
import type { Output } from '../output.js';
import { readOptions } from '../settings/data.js';

export async function convertDataFile({ args, options }: ConvertDataLine, output: Output): Promise<void> {
  const read = await readOptions(options, output);
  const writing = output.progress('writing');
  const conversion = await convertData(args.data, args.out, {
    read,
    write: { format: options.to, sparse: options.sparse, threads: read.threads, note: read.note },
    split: options.split === undefined ? undefined : parseShares(options.split),
    splitBy: options.splitBy,
    seed: options.seed,
    progress: (done, total) => writing.update(done, total),
  });
  output.result(
    'convert-data',
    { ...conversion },
    () => `${count(conversion.documents)} documents written to ${conversion.files.join(', ')}`,
  );
}
