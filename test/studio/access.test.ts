/** Who may look at the studio, and at what. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview, RunView, View } from '#listwise/studio/answers.js';
import { openStudio } from '#listwise/studio/server.js';
import { inStudio, nasty, nastyFile, type OpenStudio, openTestStudio } from './open.js';

let open: OpenStudio;
beforeAll(async () => {
  open = await openTestStudio();
}, 60_000);
afterAll(() => open?.studio.close());

/** fetch sets the host itself, and mends addresses. */
function answerTo(path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(open.base);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, async response => {
      resolve({ status: response.statusCode!, text: (await response.toArray()).join('') });
    })
      .on('error', reject)
      .end();
  });
}

const statusWith = async (headers: Record<string, string>) => (await answerTo('/', headers)).status;

describe('who may look', () => {
  it('is whoever has the token, and nobody else', async () => {
    const { base, cookie, get } = open;
    expect((await fetch(base)).status).toBe(401);
    expect((await fetch(`${base}/?token=wrong`)).status).toBe(401);
    expect((await fetch(`${base}/api/overview`)).status).toBe(401);
    expect((await fetch(`${base}/api/train`, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await get('/')).status).toBe(200);
    expect(cookie).toBe(`listwise-${new URL(base).port}=${new URL(open.studio.url).searchParams.get('token')}`);
    expect(cookie).toMatch(/=.{32}$/);
  });

  it('is whoever looks at another studio of this machine as well: cookies know no port', async () => {
    await inStudio({ data: [open.file('data.txt')] }, async there => {
      const both = { cookie: `${open.cookie}; ${there.cookie}` };
      for (const one of [open, there]) expect((await one.get('/api/overview', both)).status).toBe(200);
      expect(there.cookie.split('=')[0]).not.toBe(open.cookie.split('=')[0]);
    });
  });

  it('is told what is wrong with an address, whatever is in it', async () => {
    const { host } = new URL(open.base);
    const headers = { host, cookie: open.cookie };
    for (const path of ['//', '//x', '//evil.example/', '/%', '/api/%E0%A4%A']) {
      const answer = await answerTo(path, headers);
      expect([400, 404], path).toContain(answer.status);
      expect(JSON.parse(answer.text), path).toMatchObject({ error: { code: expect.any(String) } });
    }
    // What is no path at all is told apart, too.
    for (const path of ['*', 'http://evil.example/']) expect((await answerTo(path, headers)).status, path).toBe(400);
  });

  it('is no page from elsewhere, whatever it knows', async () => {
    const { base, cookie } = open;
    const { host } = new URL(base);
    expect(await statusWith({ host, cookie })).toBe(200);
    expect(await statusWith({ host: 'evil.example', cookie })).toBe(403);
    // Whoever wrote another name of this machine is told the one that is meant.
    const named = await answerTo('/', { host: `localhost:${new URL(base).port}`, cookie });
    expect(named).toMatchObject({ status: 403, text: expect.stringContaining(base) });
    expect(await statusWith({ host, cookie, origin: 'http://evil.example' })).toBe(403);
    expect(await statusWith({ host, cookie, origin: base })).toBe(200);
  });

  it('is on this machine: nothing answers at another address of it', async () => {
    const { port, hostname } = new URL(open.base);
    expect(hostname).toBe('127.0.0.1');
    const reached = (host: string) =>
      new Promise<boolean>(resolve => {
        const socket = connect({ host, port: Number(port) });
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
        socket.on('connect', () => socket.destroy());
      });
    expect(await reached('127.0.0.1')).toBe(true);
    // One that listened everywhere would answer at these.
    const others = Object.values(networkInterfaces()).flatMap(all => all?.map(({ address }) => address) ?? []);
    for (const host of ['::1', ...others.filter(address => address !== '127.0.0.1')])
      expect(await reached(host), host).toBe(false);
  });

  it('runs no script but ours', async () => {
    const policy = (await open.get('/')).headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const page = await (await open.get('/')).text();
    expect(page).not.toMatch(/<script(?! src)|\son\w+=|javascript:/);
  });

  it('has a page of less than 500 kB, with all that it loads', async () => {
    let bytes = 0;
    for (const path of ['/', '/viewer.js', '/viewer.css', '/app.js', '/app.css'])
      bytes += (await (await open.get(path)).arrayBuffer()).byteLength;
    expect(bytes).toBeLessThan(500_000);
  });

  it('says no more than so much at a time', async () => {
    expect((await open.post('train', 'x'.repeat(2 << 20))).status).toBe(413);
  });
});

describe('what can be looked at', () => {
  it('is the runs right below the folders, no links out of them', async () => {
    const { runs } = await open.json<Overview>('overview');
    expect(runs.map(({ id }) => id).sort()).toEqual([`runs/${nasty}`, 'runs/a', 'runs/b', 'runs/leak']);
  });

  it('has names that tell files and runs of two folders apart', async () => {
    for (const fold of ['fold1', 'fold2']) {
      cpSync(open.file('data.txt'), open.file(`${fold}/test.txt`));
      cpSync(open.file('runs/a'), open.file(`${fold}/runs/a`), { recursive: true });
    }
    const data = ['fold1/test.txt', 'fold2/test.txt', 'other.txt'].map(open.file);
    const folders = ['fold1/runs', 'fold2/runs'].map(open.file);
    const shown = await inStudio({ data, folders }, there => there.json<Overview>('overview'));
    expect(shown.data.map(({ name }) => name)).toEqual([data[0], data[1], 'other.txt']);
    expect(shown.models.map(({ name }) => name)).toEqual(['a', 'a (2)']);
  });

  it('has ids that stay whatever else is named, before or beside it', async () => {
    for (const fold of ['one', 'two']) cpSync(open.file('data.txt'), open.file(`${fold}/test.txt`));
    const [one, two, other] = ['one/test.txt', 'two/test.txt', 'other.txt'].map(open.file) as [string, string, string];
    const idsOf = (data: readonly string[]) =>
      inStudio({ data }, async there => (await there.json<Overview>('overview')).data.map(({ id }) => id));
    expect(await idsOf([one, other])).toEqual(['test.txt', 'other.txt']);
    expect(await idsOf([other, one])).toEqual(['other.txt', 'test.txt']);
    // Of two that have one name neither is taken for the other, and a file that is named twice is one.
    const [first, second, third, ...more] = await idsOf([one, two, other, one]);
    expect([first, second]).toEqual([
      expect.stringMatching(/^test\.txt~\w{6}$/),
      expect.stringMatching(/^test\.txt~\w{6}$/),
    ]);
    expect(first).not.toBe(second);
    expect([third, ...more]).toEqual(['other.txt']);
    const statuses = (data: readonly string[], ...ids: readonly (string | undefined)[]) =>
      inStudio({ data }, there =>
        Promise.all(ids.map(async id => (await there.get(`/api/data/${encodeURIComponent(id!)}`)).status)),
      );
    expect(await statuses([two, one], first, second, 'test.txt')).toEqual([200, 200, 404]);
    expect(await statuses([two], first, second, 'test.txt')).toEqual([404, 200, 200]);
    const folders = ['one', 'two'].map(fold => open.file(`${fold}/runs`));
    for (const folder of folders) cpSync(open.file('runs/a'), `${folder}/a`, { recursive: true });
    const runs = await inStudio({ folders }, async there => {
      const found = (await there.json<Overview>('overview')).runs;
      await there.post(`mark/${found[0]!.id}`, { star: true, note: '' });
      return (await there.json<Overview>('overview')).runs;
    });
    expect(runs.map(({ mark }) => mark.star)).toEqual([true, false]);
    for (const [i, run] of runs.entries())
      await inStudio({ folders: [...folders].reverse() }, async there => {
        const shown = await there.json<RunView>(`run/${run.id}`);
        expect([shown.run.id, shown.run.mark.star]).toEqual([run.id, i === 0]);
      });
  });

  it('is a run by the name of its folder, however that was written', async () => {
    const folders = [`${open.file('runs/a')}/.`, `${open.file('runs/b')}/inner/..`];
    mkdirSync(open.file('runs/b/inner'), { recursive: true });
    await inStudio({ folders }, async there => {
      const { runs } = await there.json<Overview>('overview');
      expect(runs.map(({ id }) => id).sort()).toEqual(['a/a', 'b/b']);
      for (const { id } of runs) expect((await there.get(`/api/run/${id}`)).status).toBe(200);
    });
  });

  it.each([
    'run/runs/..%2Fsecret%2Fc',
    'run/runs/../secret/c',
    'run/runs/linked',
    'run/0/a',
    'run/other/a',
    'data/..%2Fdata.txt',
    'data/d0',
    'data/nosuch.txt',
    'drift/data.txt?against=..%2Fother.txt',
    'query/data.txt/nosuch?model=run/runs/a&model=run/runs/b',
    'document/data.txt/1/nosuch?model=run/runs/a',
    'queries/data.txt?model=%2Fetc%2Fpasswd',
    'queries/data.txt?model=run/runs/leak',
    'training/7',
    'nothing',
    'constructor',
    '__proto__/x',
    '%E0%A4%A',
  ])('is not %s', async path => {
    const response = await open.get(`/api/${path}`);
    expect([400, 404]).toContain(response.status);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: expect.any(String) } });
    expect(text).not.toContain(open.file(''));
  });

  it('is a report, in a sandbox, and none that a link leads to', async () => {
    const report = await open.get('/report/runs/a');
    const policy = report.headers.get('content-security-policy')!;
    expect(policy).toMatch(/^sandbox allow-scripts allow-downloads; default-src 'none'; /);
    expect(policy).not.toMatch(/connect-src|allow-same-origin|https?:|'self'|\*/);
    expect(await report.text()).toBe(readFileSync(open.file('runs/a/report.html'), 'utf8'));
    const leak = await open.get('/report/runs/leak');
    expect(leak.status).toBe(404);
    expect(await leak.text()).not.toContain('secret');
  });

  it('is no log, record or results that a link leads to', async () => {
    cpSync(open.file('runs/a'), open.file('runs/away'), { recursive: true });
    writeFileSync(open.file('secret/log.jsonl'), 'secret\n');
    writeFileSync(open.file('secret/results.json'), '{"best":{"measure":"secret","value":1}}');
    const lead = (file: string) => {
      rmSync(open.file(`runs/away/${file}`));
      symlinkSync(open.file(`secret/${file}`), open.file(`runs/away/${file}`));
    };
    lead('log.jsonl');
    lead('results.json');
    const shown = await open.get('/api/run/runs/away');
    expect(shown.status).toBe(200);
    expect(await shown.text()).not.toContain('secret');
    cpSync(open.file('runs/a/run.json'), open.file('secret/run.json'));
    lead('run.json');
    expect((await open.get('/api/run/runs/away')).status).toBe(404);
    rmSync(open.file('runs/away'), { recursive: true });
  });

  it('is no file of stars that is a link, which is neither read nor written', async () => {
    writeFileSync(open.file('secret/marks.json'), '{"a":{"star":true,"note":"secret"}}');
    const marks = open.file('runs/.listwise-studio.json');
    rmSync(marks, { force: true });
    symlinkSync(open.file('secret/marks.json'), marks);
    expect((await open.post('mark/runs/a', { star: true, note: 'mine' })).status).toBe(400);
    expect(readFileSync(open.file('secret/marks.json'), 'utf8')).toContain('secret');
    const shown = await (await open.get('/api/overview')).text();
    expect(shown).toContain('"name":"a"');
    expect(shown).not.toContain('secret');
    rmSync(marks);
    const names = ['runs/a', 'runs/b'];
    await Promise.all(names.map(name => open.post(`mark/${name}`, { star: true, note: '' })));
    expect(Object.keys(JSON.parse(readFileSync(marks, 'utf8')))).toEqual(['a', 'b']);
    rmSync(marks);
  });

  it('has commands that a shell takes as they are, whatever files are called', async () => {
    const { command } = await open.json<View>(`data/${encodeURIComponent(nastyFile)}`);
    expect(command).toBe(`listwise inspect '${open.file(nastyFile)}'`);
    const { command: compare } = await open.json<View>(
      `compare?data=data.txt&run=runs/a&run=runs/${encodeURIComponent(nasty)}`,
    );
    expect(compare).toContain(`'${nasty}=${open.file(`runs/${nasty}/model.json`)}'`);
  });

  it('opens again, titles and addresses of documents with it, by the command that it names', async () => {
    const [titles, link] = [open.file('titles.tsv'), 'https://shop.example/{document}'];
    const { command } = await inStudio({ titles, link }, there => there.json<Overview>('overview'));
    expect(command).toBe(`listwise studio --titles ${titles} --link '${link}'`);
    const runs = `${open.file('runs/a')} ${open.file('runs/b')}`;
    expect((await open.json<View>('compare?run=runs/a&run=runs/b')).command).toBe(`listwise runs ${runs}`);
    expect((await open.json<Overview>('overview')).list).toBe(`listwise runs ${open.file('runs')}`);
  });

  it('needs addresses of documents that are on the web', async () => {
    const link = 'javascript:alert(1)';
    await expect(openStudio({ folders: [], data: [], models: [], link })).rejects.toThrow(/begins with http/);
    const asked = `query/data.txt/1?model=run/runs/a&link=${encodeURIComponent(link)}`;
    expect(JSON.stringify(await open.json(asked))).not.toContain('"link":"javascript');
  });
});
