/** Every objective with many operands and parameters: what the suites run over. */
import { ListwiseError } from '#listwise/errors.js';
import { measureDefinitions } from '#listwise/measures/all.js';
import { objectiveDefinitions } from '#listwise/objectives/all.js';
import type { Objective, ObjectiveDefinition } from '#listwise/objectives/objective.js';
import { parseObjective } from '#listwise/objectives/parse.js';

/** Parameters to try beside the defaults; a new parameter must be added here. */
const trials: Readonly<Record<string, readonly string[]>> = {
  lambdarank: ['pairs=misranked', 'factor=printed', 'top=2'],
  sigmoid: ['mu=1.5', 'mu=-2'],
  localgradient: ['margin=0.5'],
  hinge: ['margin=2', 'margin=0'],
  spring: ['rest=0.5'],
  plackettluce: ['samples=4', 'seed=5'],
  listnet: ['k=2'],
  softrank: ['sigma=0.1', 'sigma=3'],
  approx: ['alpha=100', 'beta=1', 'cut=k+1/2', 'sigmoid=normal', 'sigmoid=arctan'],
  rankcosine: ['gain=exp', 'gain=0/1/3/7/20'],
  xendcg: ['gamma=half', 'seed=5'],
  logistic: ['highest=4', 'highest=0.5'],
};

const combinations: Readonly<Record<string, readonly string[]>> = {
  graded: [
    'graded(lambdarank(ndcg),lambdarank(cndcg,labels=clicks),w=0.3)',
    'graded(lambdarank(ndcg),lambdarank(cndcg,labels=clicks,factor=printed),zeros=keep)',
    'graded(approx(ndcg),ranknet(labels=clicks),w=0)',
    'graded(ranknet,schedule(ranknet(labels=clicks),sigmoid(cndcg,labels=clicks),linear=0.1),w=0.1)',
    'graded(ranknet,ranknet(labels=clicks),hinge(labels=clicks),w=0.2/0.1)',
  ],
  schedule: [
    'schedule(lambdarank(ndcg),sigmoid(ndcg),from=0.25,linear=0.01)',
    'schedule(lambdarank(ndcg),sigmoid(ndcg@3),exponential=250)',
    'schedule(ranknet,listnet,curve=5)',
  ],
  sum: ['sum(ranknet,listnet,approx(ap,alpha=5),w=1/0.5/2)', 'sum(ranknet,squared)', 'sum(hinge,w=0.5)'],
  regularise: [
    'regularise(ranknet,alpha=0.1)',
    'regularise(approx(ndcg))',
    'regularise(sum(ranknet,hinge(labels=clicks)))',
  ],
  debias: [
    'debias(ranknet(labels=clicks))',
    'debias(ranknet(labels=clicks),positions=additive)',
    'graded(lambdarank(ndcg),debias(ranknet(labels=clicks)))',
    'debias(lambdarank(ndcg@3),positions=additive,rate=0.5,l2=0.1)',
    'debias(listnet)',
    'debias(listnet,positions=additive)',
    'debias(ranknet(labels=clicks),positions=ratios)',
    'debias(sum(lambdarank(ap),ranknet(labels=clicks),w=1/2),positions=ratios,p=1)',
    'debias(logistic(labels=clicks),positions=joint)',
    'debias(lambdarank(ndcg,labels=clicks),positions=joint,rate=0.5)',
    'debias(ranknet(labels=clicks),positions=power,eta=2)',
    'debias(lambdarank(ndcg,labels=clicks),positions=power)',
    'debias(approx(ndcg),positions=power)',
    `debias(xendcg,positions=${Array.from({ length: 30 }, (_, k) => 1 / (k + 1)).join('/')})`,
    'graded(lambdarank(ndcg),debias(ranknet(labels=clicks),positions=ratios))',
  ],
  normalise: ['normalise(lambdarank(ndcg))', 'normalise(schedule(lambdarank(ndcg),sigmoid(ndcg),linear=0.1))'],
};

/** Objectives that take a measure and need none. */
const withoutMeasure = new Set(['hinge', 'spring']);

/** Measures by name and with a cut-off where they may have one; those of clicks by their own source. */
const measures: readonly string[] = measureDefinitions.flatMap(({ name, cutoff }) => {
  const written = name === 'cndcg' ? 'cndcg(labels=clicks)' : name;
  return [...(cutoff === 'required' ? [] : [written]), ...(cutoff === 'none' ? [] : [`${written}@3`])];
});

export interface Refusal {
  spec: string;
  measure: string;
  message: string;
}

function written(definition: ObjectiveDefinition): string[] {
  if (definition.operands === 'objective' || definition.operands === 'objectives')
    return [...(combinations[definition.name] ?? [])];
  const more = trials[definition.name] ?? [];
  if (definition.operands === 'none') {
    return [definition.name, ...more.map(parameter => `${definition.name}(${parameter})`)];
  }
  const extra = ['ndcg(discount=letor)@5', 'ap(rel=2,divisor=cut)@2'];
  return [
    ...(withoutMeasure.has(definition.name) ? [definition.name, ...more.map(one => `${definition.name}(${one})`)] : []),
    ...[...measures, ...extra].map(measure => `${definition.name}(${measure})`),
    ...more.flatMap(parameter => ['ndcg@3', 'ap', 'rr', 'tau'].map(m => `${definition.name}(${m},${parameter})`)),
  ];
}

export const refusals: Refusal[] = [];

export const settings: readonly (Objective & { definition: ObjectiveDefinition })[] = objectiveDefinitions.flatMap(
  (definition: ObjectiveDefinition) =>
    written(definition).flatMap(spec => {
      try {
        return [{ ...parseObjective(spec), definition }];
      } catch (error) {
        if (!(error instanceof ListwiseError) || definition.operands !== 'measure') throw error;
        refusals.push({
          spec,
          measure: spec.slice(definition.name.length + 1).replace(/[,)].*/, ''),
          message: error.detail,
        });
        return [];
      }
    }),
);
