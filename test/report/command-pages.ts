/** A page of every kind, as the commands write them with --report: on small data, in this process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../cli/run.js';

/** Data and models are in the directory that the commands are run in. */
const files = {
  data: ['generate', 'cubic', '--queries', '30', '--docs', '10', '--features', '5', '--out', 'data.txt'],
  test: ['generate', 'cubic', '--queries', '12', '--docs', '10', '--features', '5', '--seed', '2', '--out', 'test.txt'],
  linear: ['train', 'data.txt', '--model', 'linear', '--set', 'epochs=4', '--out', 'linear.json'],
  first: ['train', 'data.txt', '--model', 'linear', '--set', 'epochs=3', '--dir', 'runs/first'],
  second: ['train', 'data.txt', '--model', 'linear', '--set', 'epochs=4', '--dir', 'runs/second'],
};

const systems = ['--system', 'trees=trees.json', '--system', 'net=net.json'];
const two = ['--measure', 'ndcg@5,ap'];

/** By the name of the page; `--report` is added to the words. */
const pages: Readonly<Record<string, readonly string[]>> = {
  'train trees': [
    'train',
    'data.txt',
    '--validate',
    'test.txt',
    '--model',
    'trees',
    '--set',
    'trees=5',
    '--set',
    'diagnostics=true',
    '-m',
    'ap',
    '--out',
    'trees.json',
  ],
  'train net': ['train', 'data.txt', '--model', 'net', '--set', 'epochs=3', '--out', 'net.json'],
  compare: ['compare', 'test.txt', ...systems, '--system', 'linear=linear.json', ...two],
  runs: ['runs', 'runs/first', 'runs/second'],
  evaluate: ['evaluate', 'trees.json', 'test.txt', ...two],
  inspect: ['inspect', 'test.txt'],
  'inspect a model': ['inspect', 'trees.json'],
  cv: ['cv', 'data.txt', '--model', 'linear', '--set', 'epochs=2', '--folds', '3', ...two],
  'cv against another': [
    'cv',
    'data.txt',
    '--model',
    'linear',
    '--set',
    'epochs=2',
    '--folds',
    '2',
    '--against',
    'config.json',
    ...two,
  ],
  tune: [
    'tune',
    'data.txt',
    '--space',
    'space.json',
    '--trials',
    '4',
    '--folds',
    '2',
    '--test',
    'test.txt',
    '--out',
    'tuned.json',
  ],
  reproduce: ['reproduce', 'burges-2006-figure-2', '--scale', 'tiny'],
  importance: ['analyse', 'importance', 'trees.json', 'test.txt', '--repeats', '2'],
  shap: ['analyse', 'shap', 'trees.json', 'test.txt', '--interactions', '--documents', '40'],
  dependence: ['analyse', 'dependence', 'trees.json', 'test.txt', '--feature', '1', '--feature', '3'],
  tree: ['analyse', 'tree', 'trees.json', '--tree', '2'],
  optimality: [
    'analyse',
    'optimality',
    'linear.json',
    'net.json',
    'test.txt',
    '-m',
    'ap',
    '--directions',
    '20',
    '--weights',
    '2',
  ],
  field: ['analyse', 'field', 'test.txt', '--queries', '2', '--points', '1'],
  informativeness: ['analyse', 'informativeness', 'test.txt', ...systems],
  approximation: [
    'analyse',
    'approximation',
    'data.txt',
    '--model',
    'linear',
    '--set',
    'epochs=3',
    '--objective',
    'approx(ndcg)',
    '--vary',
    'alpha=10,100',
  ],
  'approximation at a model': [
    'analyse',
    'approximation',
    'linear.json',
    'test.txt',
    '--objective',
    'softrank(ndcg@5)',
    '--vary',
    'sigma=0.1,1',
  ],
  queries: ['analyse', 'queries', 'test.txt', ...systems],
  'queries of one system': ['analyse', 'queries', 'test.txt', '--system', 'trees=trees.json'],
  why: ['analyse', 'why', 'linear.json', 'trees.json', 'test.txt', '--query', '1'],
  'why of a document': ['analyse', 'why', 'net.json', 'test.txt', '--query', '1', '--document', '6'],
  'why of two documents': [
    'analyse',
    'why',
    'trees.json',
    'test.txt',
    '--query',
    '1',
    '--document',
    '6',
    '--document',
    '3',
  ],
  advise: [
    'analyse',
    'advise',
    'data.txt',
    '--test-measure',
    'p@3',
    '--candidates',
    'ap,ndcg',
    '--seeds',
    '2',
    '--model',
    'linear',
    '--set',
    'epochs=2',
  ],
  'npm start': ['demo', '--queries', '20'],
};

export const pageNames = Object.keys(pages);

/** The commands and analyses that have a page here. */
export const covered = new Set(Object.values(pages).map(([command, name]) => (command === 'analyse' ? name : command)));

/** Of the others they have the models. */
const FIRST = ['train trees', 'train net'];

/** Writes them all, or some, into a directory: NAME.html. */
export async function writePages(directory: string, names: readonly string[] = pageNames): Promise<void> {
  const write = (name: string, value: unknown) => writeFileSync(join(directory, name), JSON.stringify(value));
  write('config.json', { model: 'linear', objective: 'ranknet', options: { epochs: 2 } });
  const search = { rate: { from: 0.001, to: 1, scale: 'log' }, standardise: { choices: [true, false] } };
  write('space.json', { model: 'linear', options: { epochs: 2 }, search });
  const page = ([name, words]: [string, readonly string[]]) => [...words, '--report', join(directory, `${name}.html`)];
  const wanted = Object.entries(pages).filter(([name]) => FIRST.includes(name) || names.includes(name));
  for (const words of [...Object.values(files), ...wanted.map(page)]) {
    const { code, stderr } = await run([...words, '--threads', '1', '--quiet'], { cwd: directory });
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  }
}
