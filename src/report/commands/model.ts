/** The page of a model file. */
import type { ColumnKind } from '../../data/description.js';
import { PRIMARY_LABEL } from '../../data/primary-label.js';
import { kebab } from '../../errors.js';
import type { ModelInspection } from '../../interop/inspect.js';
import type { Ranker } from '../../models/ranker.js';
import { columns } from '../columns.js';
import type { Document, Origin, Report } from '../document.js';
import { featureImportance } from '../feature-importance.js';
import { fixed } from '../numbers.js';
import { wrapped } from '../render/paragraph.js';
import { count, counted } from '../words.js';

export interface ModelInput {
  readonly model: Ranker;
  readonly inspection: ModelInspection;
  readonly title?: string | undefined;
}

/**
 * What the page of a model is made of.
 *
 * @example
 * import { inspectModel } from 'listwise/interop';
 * import type { ModelPage } from 'listwise/report';
 *
 * const input: ModelPage = { ...(await inspectModel('model.json')), origin, title: 'In production' };
 */
export interface ModelPage extends ModelInput {
  readonly origin: Origin;
}

/** Columns that a line of options takes. */
const SETTINGS_WIDTH = 60;

/** Features that the terminal names. */
const SHOWN_FEATURES = 20;

/**
 * The page of a model.
 *
 * @example
 * import { inspectModel } from 'listwise/interop';
 * import { modelPage } from 'listwise/report';
 *
 * const page = modelPage({ ...(await inspectModel('model.json')), origin });
 */
export function modelPage({ origin, ...input }: ModelPage): Report {
  return { ...modelDocument(input), origin };
}

export function modelDocument({ model, inspection, title = 'Model' }: ModelInput): Document {
  const { kind, format, features, used, parts, size } = inspection;
  const importance = featureImportance(model);
  const counts = {
    features: features.length,
    ...(used !== undefined && { 'features used': used }),
    ...parts,
    bytes: size,
  };
  const remembered = [...trainingRows(inspection), ...dataRows(inspection)];
  const more = features.length > SHOWN_FEATURES ? `, … (${count(features.length)} in all)` : '';
  return {
    title: `listwise: ${title}`,
    verdict: verdictOf(inspection),
    sections: [
      {
        title: 'Model',
        blocks: [
          {
            kind: 'table',
            on: 'terminal',
            title: 'Model',
            columns: columns(undefined, 'model', kind),
            rows: [
              ['format', format],
              ...Object.entries(parts).map(([name, value]) => [name, typeof value === 'number' ? count(value) : value]),
              ['features', `${features.slice(0, SHOWN_FEATURES).join(', ')}${more}`],
              ...(used === undefined ? [] : [['features used', `${count(used)} of ${count(features.length)}`]]),
              ...remembered,
              ['size', `${count(size)} bytes`],
            ],
          },
          {
            kind: 'values',
            values: [
              { label: 'kind', value: kind },
              { label: 'format', value: format },
              ...Object.entries(counts).map(([label, value]) => ({ label, value, style: 'count' as const })),
            ],
          },
          ...(remembered.length === 0
            ? []
            : [
                {
                  kind: 'table' as const,
                  on: 'page' as const,
                  title: 'How it was made',
                  columns: columns(undefined, 'what', 'how'),
                  rows: remembered,
                },
              ]),
        ],
      },
      {
        title: 'Features',
        blocks: [
          importance ?? {
            kind: 'table',
            on: 'page',
            title: 'Features',
            columns: columns(undefined, 'feature'),
            rows: features.map(name => [name]),
          },
        ],
      },
    ],
  };
}

/** How it was trained. */
function trainingRows({ training }: ModelInspection): string[][] {
  if (training === undefined) return [];
  const { trainer, objective, select, options, seed, best, iterations, queries, selectedOn, refitted } = training;
  const values = best.values.map(value => fixed(value)).join(' ');
  const on = counted(selectedOn.queries, `${selectedOn.data} query`, `${selectedOn.data} queries`);
  const settings = Object.entries(options)
    .map(([key, value]) => `${kebab(key)}=${String(value)}`)
    .join(' ');
  return [
    ['trainer', trainer],
    ['objective', objective ?? 'none'],
    ['best iteration', `${count(best.iteration)} of ${count(iterations)}: ${select} ${values} on ${on}`],
    refitted === undefined
      ? ['trained on', counted(queries, 'query', 'queries')]
      : [
          'refitted',
          `on all ${counted(refitted.queries, 'query', 'queries')}, to iteration ${count(refitted.iteration)}`,
        ],
    ...wrapped(settings, SETTINGS_WIDTH).map((line, i) => [i === 0 ? 'options' : '', line]),
    ['seed', String(seed)],
  ];
}

/** How the data was read, in so far as there is something to say. */
function dataRows({ data }: ModelInspection): string[][] {
  if (data === undefined) return [];
  const { labels = {}, ...others } = data.roles;
  const roles = [
    ...Object.entries(others).filter(([, column]) => column !== undefined),
    ...Object.entries(labels).map(([name, column]) => [name === PRIMARY_LABEL ? name : `label ${name}`, column]),
  ];
  const ofKind = (kind: ColumnKind) =>
    Object.entries(data.kinds)
      .filter(([, other]) => other === kind)
      .map(([name]) => name);
  const shownCategory = (name: string) => {
    const levels = data.categories[name]?.length;
    return levels === undefined ? name : `${name} (${counted(levels, 'level')})`;
  };
  return [
    ['columns', roles.map(([role, column]) => `${role}=${column}`).join(' ')],
    ['categories', ofKind('category').map(shownCategory).join(', ')],
    ['dates', ofKind('date').join(', ')],
    ['ignored', ofKind('ignore').join(', ')],
    ['normalised', data.normalise === undefined ? '' : `within each query: ${data.normalise}`],
  ].filter(([, text]) => text !== '');
}

function verdictOf({ kind, features, used }: ModelInspection): string {
  const model = `A model of the kind ${kind} over ${counted(features.length, 'feature')}`;
  if (used === undefined) return `${model}.`;
  return `${model}; ${used === features.length ? 'all of them count' : `${count(used)} of them count${used === 1 ? 's' : ''}`} in its scores.`;
}
