import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderReport, writeReport } from '#listwise/report/render/html.js';
import { temporaryDirectory } from '../../temporary.js';
import { everyKind } from '../every-kind.js';

const html = renderReport(everyKind);
const [, json, script] = /<script type="application\/json" id="report">(.*?)<\/script>\n<script>(.*)<\/script>/s.exec(
  html,
)!;

describe('renderReport', () => {
  it('is the same every time', () => expect(renderReport(everyKind)).toBe(html));

  it('holds the report, a missing number as null', () => {
    expect(JSON.parse(json!)).toEqual(JSON.parse(JSON.stringify(everyKind)));
  });

  it('lets no text out of its place', () => {
    expect(json).not.toContain('<');
    expect(html).not.toContain('<b>long');
    expect(html).toContain('<h1>Every kind of block, and a &#60;b&#62;long');
  });

  it('names nothing to load, and only its own script to run', () => {
    const outside = html.replace(json!, '').replace(script!, '');
    expect(outside.match(/(?:src|href)="[^"]*"/g)).toEqual([expect.stringMatching(/^href="data:image\/svg\+xml,/)]);
    expect(outside).not.toMatch(/@import|url\((?!data:)/);
    const hash = createHash('sha256').update(script!).digest('base64');
    expect(outside).toContain(`default-src 'none'; script-src 'sha256-${hash}';`);
  });

  it('keeps the licences of what it is drawn with', () => {
    expect(script).toMatch(/^\/\*!\n@observablehq\/plot\n\nCopyright/);
    expect(script).toMatch(/\nd3, d3-array.*\n\nCopyright/);
  });
});

describe('writeReport', () => {
  it('writes the whole page or nothing', async () => {
    const directory = temporaryDirectory();
    await writeReport(join(directory, 'a.html'), everyKind);
    expect(readFileSync(join(directory, 'a.html'), 'utf8')).toBe(html);
    await expect(writeReport(join(directory, 'none', 'b.html'), everyKind)).rejects.toThrow('does not exist');
    expect(readdirSync(directory)).toEqual(['a.html']);
  });
});
