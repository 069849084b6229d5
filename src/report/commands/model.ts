/** The page of a model file. */
import type { ModelInspection } from '../../interop/inspect.js';
import type { Ranker } from '../../models/ranker.js';
import { columns } from '../columns.js';
import type { Document, Origin, Report } from '../document.js';
import { featureImportance } from '../feature-importance.js';
import { count, counted } from '../words.js';

export interface ModelInput {
  readonly model: Ranker;
  readonly inspection: ModelInspection;
  readonly title?: string | undefined;
}

export interface ModelPage extends ModelInput {
  readonly origin: Origin;
}

/** Features that the terminal names. */
const SHOWN_FEATURES = 20;

export function modelPage({ origin, ...input }: ModelPage): Report {
  return { ...modelDocument(input), origin };
}

export function modelDocument({ model, inspection, title = 'Model' }: ModelInput): Document {
  const { kind, format, features, size } = inspection;
  const importance = featureImportance(model);
  const used = importance?.bars.filter(({ value }) => value !== 0).length;
  const counts = { features: features.length, ...model.size?.(), bytes: size };
  const more = features.length > SHOWN_FEATURES ? `, … (${count(features.length)} in all)` : '';
  return {
    title: `listwise: ${title}`,
    verdict: verdictOf(inspection, used),
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
              ['features', `${features.slice(0, SHOWN_FEATURES).join(', ')}${more}`],
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

function verdictOf({ kind, features }: ModelInspection, used: number | undefined): string {
  const model = `A model of the kind ${kind} over ${counted(features.length, 'feature')}`;
  if (used === undefined) return `${model}.`;
  return `${model}; ${used === features.length ? 'all of them count' : `${count(used)} of them count${used === 1 ? 's' : ''}`} in its scores.`;
}
