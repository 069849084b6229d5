import { rest } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { list, text, whole } from '../command/option.js';

const args = { folders: rest('run folders, or folders that hold some (default: the current one)') };

const options = {
  data: list('file', 'data to look at, and to rank with models; may be given several times'),
  model: list('file', 'model of any format beside those of the runs; may be given several times'),
  titles: text('file', 'titles of documents: a document and its title a line, a tab between them', { reads: true }),
  link: text('address', 'where documents are on the web: https://…, {document} and {query} in it'),
  port: whole('port of this machine (default: one that is free)', { least: 0 }),
};

export type StudioLine = CommandLine<typeof args, typeof options>;

export const studio = defineCommand({
  arguments: args,
  options,
  examples: [
    'listwise studio runs --data test.txt',
    'listwise studio runs --data test.txt --titles titles.tsv --link "https://shop.example/{document}"',
    'listwise studio --data test.txt --model model.json --model lightgbm.txt',
  ],
  notes: [
    'The page is for this machine alone, and for whoever has its address: the address has a token in it. Ctrl-C ends the studio.',
  ],
  run: async (line, output) => (await import('../commands/studio.js')).studio(line, output),
});
