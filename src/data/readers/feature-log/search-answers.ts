/**
 * Scores out of the answers of search engines: searches of Elasticsearch and OpenSearch (`hits.hits[]._score`, or
 * `_explanation.value` where it is explained), `_explain` of one document, Solr (`response.docs[].score`) and Vespa
 * (`root.children[].relevance`). The query is what stands as `qid` beside them, or what the file is named after.
 */
import { basename } from 'node:path';
import { quoteJson } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import type { JsonPlace } from './json-place.js';
import { responsesIn } from './responses.js';

export interface AnsweredScore {
  readonly query: string;
  readonly document: string;
  /** Other ids that it may go by in data. */
  readonly also?: readonly string[] | undefined;
  readonly score: number;
}

export async function readSearchAnswers(input: Input): Promise<AnsweredScore[]> {
  const file = basename(input.path ?? input.name).replace(/(\.[A-Za-z0-9]+)?(\.gz)?$/, '');
  const scores: AnsweredScore[] = [];
  for await (const answer of responsesIn(input)) {
    if (answer.has('error'))
      throw answer.at('error').error('table-syntax', `the search failed: ${quoteJson(answer.value)}`);
    const query = answer.has('qid') ? textOf(answer.at('qid')) : file;
    for (const { id, score } of documentsIn(answer)) {
      const document = textOf(id);
      scores.push({ query, document, also: ownPart(document), score: numberOf(score) });
    }
  }
  return scores;
}

function* documentsIn(answer: JsonPlace): Iterable<{ id: JsonPlace; score: JsonPlace }> {
  if (answer.has('explanation')) yield { id: answer.at('_id'), score: answer.at('explanation').at('value') };
  else if (answer.has('response'))
    for (const one of answer.at('response').at('docs').list()) yield { id: one.at('id'), score: one.at('score') };
  else if (answer.has('root'))
    for (const one of answer.at('root').at('children').list()) yield { id: vespaId(one), score: one.at('relevance') };
  else
    for (const hit of answer.at('hits').at('hits').list())
      yield {
        id: hit.at('_id'),
        score: hit.has('_explanation') ? hit.at('_explanation').at('value') : hit.at('_score'),
      };
}

/** Where a summary leaves the id out, the hit has one of the index, and the document's may be among the fields. */
function vespaId(hit: JsonPlace): JsonPlace {
  return hit.has('fields') && hit.at('fields').has('documentid') ? hit.at('fields').at('documentid') : hit.at('id');
}

/** Vespa's ids are id:NAMESPACE:TYPE:GROUP:OWN; data has the part of one's own, or all. */
function ownPart(id: string): readonly string[] | undefined {
  const [, own] = /^id:[^:]*:[^:]*:[^:]*:(.+)$/s.exec(id) ?? [];
  return own === undefined ? undefined : [own];
}

function textOf(place: JsonPlace): string {
  return typeof place.value === 'number' ? String(place.value) : place.text();
}

function numberOf(place: JsonPlace): number {
  const { value } = place;
  if (typeof value === 'number') return value;
  throw place.error('score-invalid', `a score is a number, found ${quoteJson(value)}`);
}
