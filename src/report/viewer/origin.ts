/** How the page came about, at its end. */
import type { Origin } from '../document.js';
import { element } from './element.js';
import { onPrinting, printing } from './printing.js';
import { plainTable } from './table.js';

/** Words that lines do not break inside, at a hyphen, unless a word is longer than a line. */
export function commandWords(command: string): (HTMLElement | string)[] {
  return command.split(/( |\n)/).map((word, i) => (i % 2 === 1 ? word : element('span', { class: 'word' }, word)));
}

export function originFooter({ command, options, version, node, data, seed, created }: Origin): HTMLElement {
  const facts = [
    `listwise ${version}`,
    ...(node === undefined ? [] : [`Node ${node}`]),
    `seed ${seed}`,
    ...(created === undefined ? [] : [created.replace('T', ' ').replace('Z', ' UTC')]),
  ];
  const footer = element(
    'footer',
    {},
    element('h2', {}, 'How this page was made'),
    element('pre', { tabindex: '0', 'aria-label': 'Command' }, ...commandWords(command)),
    element('p', {}, facts.join(' · ')),
  );
  if (data.length > 0) {
    footer.append(
      plainTable({
        kind: 'table',
        title: 'Data',
        columns: [
          { title: 'data' },
          { title: 'fingerprint' },
          ...['queries', 'documents', 'features'].map(title => ({ title, style: 'count' as const })),
        ],
        rows: data.map(({ file, fingerprint, queries, documents, features }) => [
          file,
          fingerprint,
          queries,
          documents,
          features,
        ]),
      }),
    );
  }
  const rows = Object.entries(options).map(([name, value]) => [name, String(value)]);
  if (rows.length > 0) {
    const columns = [{ title: 'option' }, { title: 'value' }];
    const details = element(
      'details',
      { class: 'printed' },
      element('summary', {}, 'Options'),
      plainTable({ kind: 'table', title: 'Options', columns, rows }),
    );
    let open = false;
    onPrinting(details, () => {
      if (printing()) open = details.open;
      details.open = printing() || open;
    });
    footer.append(details);
  }
  return footer;
}
