/** What the studio's server answers. */
import type { Document } from '../../report/document.js';

export interface RunRow {
  readonly id: string;
  readonly name: string;
  readonly command: string;
  readonly state: string;
  readonly model: string;
  readonly objective: string;
  readonly best?: { readonly measure: string; readonly value: number };
  readonly started: string;
  readonly ended?: string;
  readonly hasModel: boolean;
  readonly hasReport: boolean;
  readonly mark: { readonly star: boolean; readonly note: string };
}

export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

export interface Overview {
  readonly runs: readonly RunRow[];
  readonly models: readonly NamedThing[];
  readonly data: readonly NamedThing[];
}

export interface ShownDocument {
  readonly document: Document;
  readonly command: string;
}

export interface QueryDocuments {
  readonly query: string;
  readonly documents: readonly { readonly document: string; readonly label?: number; readonly score: number }[];
}

export interface Lambdas {
  readonly objective: string;
  readonly pairs: number;
  readonly lambdas: readonly number[];
}

export async function ask<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(
    `/api/${path}`,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  );
  // JSON has no NaN: what is null in it is a number that does not exist.
  const json = JSON.parse(await response.text(), (_, value) => (value === null ? Number.NaN : value)) as T & {
    error?: { message: string };
  };
  if (!response.ok) throw new Error(json.error?.message ?? response.statusText);
  return json;
}
