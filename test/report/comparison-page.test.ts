import { describe, expect, it } from 'vitest';
import { compareSystems } from '#listwise/analysis/compare.js';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { parseMeasures } from '#listwise/measures/parse.js';
import { comparisonPage, verdict } from '#listwise/report/comparison-page.js';
import { html } from '#listwise/report/html.js';

const data = generateDataset('cubic', { queries: 30, documents: 20, features: 3, seed: 1 });
const measures = parseMeasures('ndcg@10,ap');

/** The labels themselves against no order at all, under names that need escaping. */
function comparison(better: Float64Array, worse: Float64Array) {
  const systems = [
    { name: 'a <b> & "c"', data, scores: better },
    { name: 'plain', data, scores: worse },
  ];
  return compareSystems(systems, measures, { seed: 1 });
}

const none = new Float64Array(data.rows);
const clear = comparison(data.label(), none);
const page = comparisonPage({ title: 'A <title>', comparison: clear, data, origin: 'made by a test' });

describe('comparisonPage', () => {
  it('says the verdict in one sentence, first', () => {
    expect(verdict(clear)).toMatch(
      /^A <b> & "c" ranks better than plain: ndcg@10 1\.000 against 0\.\d{3}, a difference that chance hardly explains \(randomisation test, p\u00a0<\u00a00\.001\)\.$/,
    );
    const order = [
      'class="verdict"',
      '>Means<',
      '>Differences<',
      '>Query by query: ndcg@10<',
      '>Labels<',
      'made by a test',
    ];
    const places = order.map(text => page.indexOf(text));
    expect(places.every(place => place > 0)).toBe(true);
    expect(places).toEqual([...places].sort((x, y) => x - y));
  });

  it('names the better one whichever is given first, and claims nothing where nothing can be', () => {
    expect(verdict(comparison(none, data.label()))).toMatch(/^Plain ranks better than a <b>/);
    expect(verdict(comparison(none, none))).toMatch(/^No difference can be claimed between .* p\u00a0=\u00a01\.000\)/);
  });

  it('is one file that needs no network and no script', () => {
    expect(page.replace(/<link rel="icon" href="data:,">/, '')).not.toMatch(
      /(src|href)=|url\(|@import|<script|https?:/,
    );
    expect(page).toMatch(/prefers-color-scheme: dark/);
    expect(page).toMatch(/name="viewport"/);
  });

  it('draws one bar a query with its figures', () => {
    const bars = page.match(/<rect [^>]*><title>query [^<]*<\/title>/g)!;
    expect(bars).toHaveLength(30);
    expect(bars[0]).toMatch(
      /class="better".*query \d+: a &#60;b&#62; &#38; &#34;c&#34; 1\.0000, plain 0\.\d{4} \(\+[01]\.\d{4}\)/,
    );
  });

  it('escapes whatever names hold', () => {
    expect(page).not.toContain('<b>');
    expect(page).toContain('A &#60;title&#62;');
    expect(html`<p>${'<'}${html`<i>${'&'}</i>`}${2}</p>`.html).toBe('<p>&#60;<i>&#38;</i>2</p>');
  });

  it('is the same every time', () => {
    expect(comparisonPage({ title: 'A <title>', comparison: clear, data, origin: 'made by a test' })).toBe(page);
  });
});
