/** Asks the studio's server. */
import { readJson } from '../../report/viewer/pieces.js';
import type { Choices } from '../answers.js';

export async function ask<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(
    `/api/${path}`,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  );
  const json = readJson<T & { error?: { message: string } }>(await response.text());
  if (!response.ok) throw new Error(json.error?.message ?? response.statusText);
  return json;
}

let choices: Promise<Choices> | undefined;

/** What can be chosen is the same as long as the studio is up. */
export function choicesOnce(): Promise<Choices> {
  choices ??= ask<Choices>('choices').catch((error: Error) => {
    choices = undefined;
    throw error;
  });
  return choices;
}
