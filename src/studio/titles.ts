/** Titles of documents, which data for learning does not have. */
import { readFile } from 'node:fs/promises';

/** A document and its title a line, a tab between them; other lines are left out. */
export async function readTitles(file: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(file, 'utf8');
  const titles = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf('\t');
    if (at > 0) titles.set(line.slice(0, at), line.slice(at + 1));
  }
  return titles;
}
