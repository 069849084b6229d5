/** A training as the address of the page that would begin it, and back. */
import type { TrainingRequest } from '../answers.js';
import { addressOf, type Query } from './address.js';

export function requestAddress(request: TrainingRequest): string {
  return addressOf(['try'], requestQuery(request));
}

export function requestQuery({ data, validate, model, objective, select, seed, set }: TrainingRequest): Query {
  const number = seed === undefined ? undefined : String(seed);
  return { data, validate, model, objective, select, seed: number, set };
}

export function requestIn(query: URLSearchParams, otherwise: { readonly data: string; readonly model: string }) {
  const text = (key: string) => query.get(key) || undefined;
  const seed = text('seed');
  return {
    data: text('data') ?? otherwise.data,
    validate: text('validate'),
    model: text('model') ?? otherwise.model,
    objective: text('objective'),
    select: text('select'),
    seed: seed === undefined ? undefined : Number(seed),
    set: query.getAll('set'),
  } satisfies TrainingRequest;
}
