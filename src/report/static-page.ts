/** A page that is one file: opens from disk without network, light or dark as the reader's system is, on a phone too. */
import { escapeText, type Html, html } from './html.js';

export interface PageSection {
  readonly title: string;
  /** A sentence that says how to read what follows. */
  readonly lead?: string;
  readonly content: Html;
}

export interface Page {
  readonly title: string;
  /** What the reader should know when they read nothing else. */
  readonly verdict: string;
  readonly sections: readonly PageSection[];
  /** How the page came about: data, seed, version. */
  readonly origin: string;
}

const STYLE = `
:root { color-scheme: light dark; --paper: #fdfdfc; --ink: #1d2433; --faint: #5c6577; --line: #d9dde5; --panel: #f3f4f7;
  --better: #1c7c54; --worse: #b3433d; --bar: #3f6fb5; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171d; --ink: #e4e7ee; --faint: #9aa3b5; --line: #323846;
  --panel: #1d212a; --better: #4fb98a; --worse: #e27d76; --bar: #7ba5e0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 56rem; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1rem; font-weight: 600; color: var(--faint); margin: 0 0 .75rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .25rem; }
p { margin: .25rem 0 .75rem; }
.verdict { font-size: 1.35rem; line-height: 1.4; font-weight: 600; margin: 0; text-wrap: pretty; }
.lead, .origin { color: var(--faint); }
.origin { margin-top: 2.5rem; padding-top: .75rem; border-top: 1px solid var(--line); font-size: .875rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .4rem .6rem .4rem 0; text-align: left; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--faint); font-size: .875rem; vertical-align: bottom; }
.number { text-align: right; }
td.number { white-space: nowrap; }
th.number:last-child, td.number:last-child { padding-right: 0; }
.interval { color: var(--faint); font-size: .8125rem; }
.chart { position: relative; height: 15rem; margin: .75rem 0 .25rem 3.25rem; background: var(--panel); }
.chart svg { display: block; width: 100%; height: 100%; }
.chart span { position: absolute; right: calc(100% + .5rem); transform: translateY(-50%); color: var(--faint); font-size: .8125rem;
  font-variant-numeric: tabular-nums; }
.caption { display: flex; justify-content: space-between; gap: 1rem; margin-left: 3.25rem; color: var(--faint); font-size: .875rem; }
.caption span:last-child { text-align: right; }
.better { fill: var(--better); } .worse { fill: var(--worse); } .equal { fill: var(--faint); }
rect:hover { opacity: .6; }
.zero { stroke: var(--ink); stroke-width: 1; vector-effect: non-scaling-stroke; }
.shares { display: grid; grid-template-columns: auto auto 1fr; gap: .35rem .75rem; align-items: center; font-variant-numeric: tabular-nums; }
.shares .bar { height: .9rem; background: var(--bar); border-radius: 2px; min-width: 1px; }
`;

export function renderPage(page: Page): string {
  const sections = page.sections.map(
    section => html`<section>
<h2>${section.title}</h2>
${section.lead === undefined ? html`` : html`<p class="lead">${section.lead}</p>`}
${section.content}
</section>
`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(page.title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeText(page.title)}</h1>
<p class="verdict">${escapeText(page.verdict)}</p>
${sections.map(section => section.html).join('')}<p class="origin">${escapeText(page.origin)}</p>
</body>
</html>
`;
}
