/** A report as one HTML file: its data as JSON, the viewer that draws it, and nothing from anywhere else. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { Report } from '../document.js';
import { withMinusSigns } from '../numbers.js';
import { shownOn } from '../shown-on.js';

/** Bars on a square, so that the tab stands out. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%231666b0'/%3E%3Cpath d='M3 5h10M3 8h7M3 11h4' stroke='white' stroke-width='1.6'/%3E%3C/svg%3E";

/**
 * Writes a report as one HTML file.
 *
 * @example
 * import { writeReport } from 'listwise/report';
 *
 * await writeReport('page.html', { title: 'Two runs', verdict: 'The second is better.', sections: [], origin });
 */
export async function writeReport(file: string, report: Report): Promise<void> {
  // Most programs that load this write no files.
  const { writeText } = await import('../../io/whole-file.js');
  const page = renderReport(report);
  await writeText(file, sink => sink.write(page));
}

/**
 * A report as one HTML file. The same report gives the same bytes.
 *
 * @example
 * import { renderReport } from 'listwise/report';
 *
 * const html = renderReport({ title: 'Two runs', verdict: 'The second is better.', sections: [], origin });
 */
export function renderReport(report: Report): string {
  const script = viewerFile('viewer.js.br');
  // The script is named by its hash, so that no other can run; there is no address from which anything may be loaded.
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const title = escapeText(report.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${viewerFile('viewer.css')}</style>
</head>
<body>
<header><h1>${title}</h1></header>
<main>
<p class="verdict">${escapeText(withMinusSigns(report.verdict))}</p>
<noscript><p>The charts and tables of this page are drawn by a script that it holds; the browser does not run it.</p></noscript>
</main>
<script type="application/json" id="report">${inlineJson(report)}</script>
<script>${script}</script>
</body>
</html>
`;
}

const files = new Map<string, string>();

/** A file that the build made of viewer/. */
function viewerFile(name: string): string {
  const known = files.get(name);
  if (known !== undefined) return known;
  const bytes = readFileSync(new URL(`../${name}`, import.meta.url));
  const text = (name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString('utf8');
  files.set(name, text);
  return text;
}

/** Numbers that JSON cannot write become null, "none" to the viewer. No text in it can end the script element. */
function inlineJson(report: Report): string {
  return JSON.stringify({ ...report, sections: shownOn('page', report.sections) }).replaceAll('<', '\\u003c');
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`);
}
