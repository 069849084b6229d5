/** Asks the studio's server. */
import { readJson } from '../../report/viewer/pieces.js';

export async function ask<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(
    `/api/${path}`,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  );
  const json = readJson<T & { error?: { message: string } }>(await response.text());
  if (!response.ok) throw new Error(json.error?.message ?? response.statusText);
  return json;
}
