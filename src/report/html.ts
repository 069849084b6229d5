/** Small helpers for pages: everything that is text goes through `escapeText`. */

/** A piece of a page that is already HTML. */
export interface Html {
  readonly html: string;
}

/** A template whose values are escaped unless they are HTML themselves: html`<td>${name}</td>`. */
export function html(strings: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  let text = strings[0]!;
  for (const [i, value] of values.entries()) text += insert(value) + strings[i + 1]!;
  return { html: text };
}

function insert(value: string | number | Html | readonly Html[]): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escapeText(value);
  return 'html' in value ? value.html : value.map(part => part.html).join('');
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`);
}

export interface ColumnHead {
  readonly title: string;
  readonly number?: boolean;
}

/** A table that scrolls sideways on its own where the screen is narrow. */
export function htmlTable(columns: readonly ColumnHead[], rows: readonly (readonly (string | Html)[])[]): Html {
  const kind = (c: number) => html`${columns[c]!.number ? 'number' : 'text'}`;
  const head = columns.map((column, c) => html`<th class="${kind(c)}">${column.title}</th>`);
  const body = rows.map(row => html`<tr>${row.map((cell, c) => html`<td class="${kind(c)}">${cell}</td>`)}</tr>\n`);
  return html`<div class="wide"><table><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>`;
}
