/** A training as the address of the page that would begin it, and back. */
import type { WrittenRequest } from '../answers.js';
import { addressOf, type Query } from './address.js';

export function requestAddress(request: WrittenRequest): string {
  return addressOf(['try'], requestQuery(request));
}

export function requestQuery({ data, validate, model, objective, select, seed, set }: WrittenRequest): Query {
  const number = seed === undefined ? undefined : String(seed);
  return { data, validate, model, objective, select, seed: number, set };
}

export function requestIn(query: URLSearchParams, otherwise: { readonly data: string; readonly model: string }) {
  const text = (key: string) => query.get(key) || undefined;
  return {
    data: text('data') ?? otherwise.data,
    validate: text('validate'),
    model: text('model') ?? otherwise.model,
    objective: text('objective'),
    select: text('select'),
    seed: writtenSeed(query.get('seed') ?? ''),
    set: query.getAll('set'),
  } satisfies WrittenRequest;
}

/** What is no whole number stays as it was written: the server says what is wrong with it. */
export function writtenSeed(text: string): number | string | undefined {
  if (text === '') return undefined;
  return /^\d+$/.test(text) ? Number(text) : text;
}
