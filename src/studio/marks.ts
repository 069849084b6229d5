/** Stars and notes of runs, in a file beside them. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ListwiseError } from '../errors.js';
import { unreadable } from '../io/unreadable.js';
import type { Mark } from './answers.js';

export const MARKS_FILE = '.listwise-studio.json';

const mark = z.object({ star: z.boolean(), note: z.string().max(2000) }) satisfies z.ZodType<Mark>;
/** What others have put beside a star stays there. */
const marks = z.record(z.string(), z.looseObject(mark.shape));

/** A file that is not there has none. One that is not as it is written here is refused: it would be lost. */
export async function marksOf(file: string): Promise<Record<string, Mark>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw unreadable(MARKS_FILE, error);
  });
  const found = marks.safeParse(jsonIn(text)).data;
  if (found !== undefined) return found;
  throw new ListwiseError('run-invalid', `${MARKS_FILE} is no list of stars and notes; mend it, or take it away`, {
    file,
  });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a request says. */
export function markIn(json: unknown): Mark | undefined {
  return mark.safeParse(json).data;
}
