/** What the server takes and gives, as OpenAPI 3.1 says it. */
import { errorCodes } from '../errors.js';
import { version } from '../version.js';
import type { Limits } from './request.js';

const text = { type: 'string' };
const id = { type: ['string', 'number'] };
const value = { type: ['number', 'boolean', 'string', 'null'] };

function object(properties: Record<string, unknown>, required: readonly string[] = []) {
  return { type: 'object', properties, required };
}

function answer(description: string, schema: unknown) {
  return { description, content: { 'application/json': { schema } } };
}

const error = object({
  error: object({ code: { enum: ['internal', ...Object.keys(errorCodes)] }, message: text }, ['code', 'message']),
});
const refusals = Object.fromEntries(
  [
    ['400', 'The request is wrong; the message says how.'],
    ['401', 'The token is missing or wrong.'],
    ['404', 'There is no such model.'],
    ['408', 'The request took too long to arrive.'],
    ['413', 'The body, the list or a document is too large.'],
    ['503', 'Too many requests at a time.'],
  ].map(([status, description]) => [status!, answer(description!, error)]),
);

export function openapi({ documents }: Limits) {
  const row = { type: 'array', items: value, description: "Values in the order of the model's features." };
  const document = object(
    {
      id,
      features: { oneOf: [{ type: 'object', additionalProperties: value }, row] },
      category: { ...id, description: 'For rules.diversify.' },
      label: { type: 'number', description: 'For the feature log.' },
    },
    ['features'],
  );
  const request = object({
    documents: { type: 'array', maxItems: documents, items: document },
    rows: { type: 'array', maxItems: documents, items: row, description: 'Instead of documents.' },
    model: { ...text, description: 'NAME or NAME@VERSION; without it, by shares.' },
    key: { ...id, description: 'What shares are dealt by; the query where it is left out.' },
    request: { ...id, description: 'An id for the feature log.' },
    query: { ...id, description: 'For the feature log.' },
    why: { type: ['boolean', 'integer'], description: 'What features add: all, or so many a document.' },
    rules: object({
      pin: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 }, description: 'Places by id.' },
      drop: { type: 'array', items: id },
      diversify: object({
        lambda: { type: 'number', minimum: 0, maximum: 1, default: 0.7 },
        similarity: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
      }),
    }),
  });
  const part = object({ feature: text, value: { type: ['number', 'null'] }, adds: { type: 'number' } });
  const ranked = object({
    id,
    score: { type: ['number', 'null'] },
    rank: { type: 'integer' },
    why: { type: 'array', items: part },
  });
  const list = object({
    model: text,
    version: text,
    digest: text,
    request: text,
    late: { type: 'boolean', description: 'The model would have been late: documents are in the given order.' },
    documents: { type: 'array', items: ranked },
  });
  const post = (summary: string) => ({
    post: {
      summary,
      requestBody: { required: true, content: { 'application/json': { schema: request } } },
      responses: { '200': answer('The documents.', list), ...refusals },
    },
  });
  const get = (summary: string) => ({ get: { summary, responses: { '200': { description: summary } } } });
  return {
    openapi: '3.1.0',
    info: { title: 'listwise', version },
    paths: {
      '/rank': post('Documents, best first.'),
      '/score': post('Scores of documents, in the given order.'),
      '/models': get('The models.'),
      '/health': get('Whether the process is up.'),
      '/ready': get('Whether it takes requests.'),
      '/metrics': get('Counters for Prometheus.'),
      '/openapi.json': get('This description.'),
    },
    security: [{}, { token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}
