/** The page of a model file. */
import type { ModelInspection } from '../interop/inspect.js';
import type { Ranker } from '../models/ranker.js';
import { featureImportance } from './feature-importance.js';
import type { Origin, Report } from './page.js';
import { count, counted } from './words.js';

export interface ModelPage {
  readonly model: Ranker;
  readonly inspection: ModelInspection;
  readonly origin: Origin;
  readonly title?: string | undefined;
}

export function modelPage({ model, inspection, origin, title = 'Model' }: ModelPage): Report {
  const importance = featureImportance(model);
  const used = importance?.bars.filter(({ value }) => value !== 0).length;
  return {
    title: `listwise: ${title}`,
    verdict: verdictOf(inspection, used),
    sections: [
      {
        title: 'Model',
        blocks: [
          {
            kind: 'figures',
            figures: [
              { label: 'kind', value: inspection.kind },
              { label: 'format', value: inspection.format },
              { label: 'features', value: inspection.features.length, style: 'count' },
              ...Object.entries(model.size?.() ?? {}).map(([label, value]) => ({
                label,
                value,
                style: 'count' as const,
              })),
              { label: 'bytes', value: inspection.size, style: 'count' },
            ],
          },
        ],
      },
      {
        title: 'Features',
        blocks:
          importance === undefined
            ? [
                {
                  kind: 'table',
                  title: 'Features',
                  columns: [{ title: 'feature' }],
                  rows: inspection.features.map(name => [name]),
                },
              ]
            : [importance],
      },
    ],
    origin,
  };
}

function verdictOf({ kind, features }: ModelInspection, used: number | undefined): string {
  const model = `A model of the kind ${kind} over ${counted(features.length, 'feature')}`;
  if (used === undefined) return `${model}.`;
  return `${model}; ${used === features.length ? 'all of them count' : `${count(used)} of them count${used === 1 ? 's' : ''}`} in its scores.`;
}
