/** Stars and notes of runs, in a file beside them. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Mark } from './answers.js';

const mark = z.object({ star: z.boolean(), note: z.string().max(2000) }) satisfies z.ZodType<Mark>;
const marks = z.record(z.string(), mark);

/** A file that is not there, or not ours, has none. */
export async function marksOf(file: string): Promise<Record<string, Mark>> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    return marks.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** What a request says. */
export function markIn(json: unknown): Mark | undefined {
  return mark.safeParse(json).data;
}
