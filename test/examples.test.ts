/** The programs in examples/ run as their pages say. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, reason, withoutBrowser } from './chromium.js';
import { temporaryDirectory } from './temporary.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const example = (...path: string[]) => join(root, 'examples', ...path);
const directory = temporaryDirectory();

function run(...args: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

/** Of the documents that the page shows. */
const BEST_FIRST = ['Blue shoes, new', 'Blue shoes, worn', 'A book on shoes'];
const documents = JSON.parse(readFileSync(example('browser', 'documents.json'), 'utf8')) as {
  title: string;
  features: Record<string, number>;
}[];

describe('service.mjs', () => {
  const child = spawn(process.execPath, [example('service.mjs'), example('model.json'), '0']);
  let url: string;

  beforeAll(async () => {
    const [said] = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
    url = String(said).trim();
  });
  afterAll(() => {
    child.kill();
  });

  const post = async (body: string) => {
    const response = await fetch(url, { method: 'POST', body });
    return {
      status: response.status,
      ...((await response.json()) as { documents?: { id: string }[]; error?: string }),
    };
  };

  it('ranks the documents it is sent', async () => {
    const sent = documents.map(({ title, features }) => ({ id: title, features }));
    const { status, documents: ranked } = await post(JSON.stringify({ documents: sent }));
    expect(status).toBe(200);
    expect(ranked!.map(({ id }) => id)).toEqual(BEST_FIRST);
  });

  it('says what is wrong', async () => {
    expect(await post('{"documents": [{}]}')).toMatchObject({
      status: 400,
      error: expect.stringContaining('features'),
    });
    expect(await post('{"documents": [')).toMatchObject({ status: 400, error: expect.stringContaining('JSON') });
    expect((await fetch(url)).status).toBe(404);
  });
});

describe.skipIf(withoutBrowser)(`browser/index.html${reason}`, () => {
  it('shows the documents best first', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const failed: string[] = [];
      page.on('pageerror', error => failed.push(error.message));
      await page.route('**/*', route => {
        const { pathname } = new URL(route.request().url());
        return route.fulfill({ path: join(root, pathname.replace('/node_modules/listwise/', '/')) });
      });
      await page.goto('http://localhost/examples/browser/index.html');
      await page.waitForSelector('li:nth-child(3)', { timeout: 20_000 }).catch(() => {});
      expect(failed).toEqual([]);
      const shown = await page.$$eval('li', items => items.map(item => item.textContent!.replace(/ \(.*/, '')));
      expect(shown).toEqual(BEST_FIRST);
    } finally {
      await browser.close();
    }
  });
});

it('elasticsearch/requests.mjs prints three requests', () => {
  const files = [example('model.json'), example('elasticsearch', 'feature-set.json')];
  const requests = run(example('elasticsearch', 'requests.mjs'), ...files, 'products-1')
    .trim()
    .split('\n\n');
  const bodies = requests.map(request => JSON.parse(request.split('\n')[1]!));
  expect(requests.map(request => request.split('\n')[0])).toEqual([
    'PUT _ltr/_featureset/products',
    'POST _ltr/_featureset/products/_createmodel',
    'POST products/_search',
  ]);
  expect(bodies[0]).toEqual(JSON.parse(readFileSync(files[1]!, 'utf8')));
  expect(bodies[1].model).toMatchObject({ name: 'products-1', model: { type: 'model/xgboost+json' } });
  expect(JSON.parse(bodies[1].model.model.definition).length).toBeGreaterThan(1);
  expect(bodies[2].rescore.query.rescore_query.sltr.model).toBe('products-1');
});

it('notebook.mjs trains, compares and writes a report', () => {
  expect(run(example('notebook.mjs'))).toMatch(
    new RegExp(
      [
        '^210 queries to train on, 90 to test on',
        'trees: iteration \\d+ is the best',
        'trees: ndcg@10 0\\.\\d{3}, ap 0\\.\\d{3}',
        'ridge: ndcg@10 0\\.\\d{3}, ap 0\\.\\d{3}',
        'ndcg@10: trees better by 0\\.\\d{3}, p 0\\.0+1',
        'ap: trees better by 0\\.\\d{3}, p 0\\.0+1',
        'report written to notebook\\.html\n$',
      ].join('\n'),
    ),
  );
  expect(existsSync(join(directory, 'notebook.html'))).toBe(true);
});
