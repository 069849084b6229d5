/** The experiments there are. */
import { columns } from '../columns.js';
import type { Section } from '../document.js';

export interface ListedExperiment {
  readonly name: string;
  readonly title: string;
  readonly collections: readonly string[];
}

export function experimentsSection(experiments: readonly ListedExperiment[]): Section {
  const title = 'Experiments';
  return {
    title,
    blocks: [
      {
        kind: 'table',
        title,
        columns: columns(undefined, 'experiment', 'what', 'reads'),
        rows: experiments.map(({ name, title, collections }) => [
          name,
          title,
          collections.join(', ') || 'generated data',
        ]),
      },
    ],
  };
}
