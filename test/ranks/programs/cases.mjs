/** What every number of ranks and threads must train the same model of: trainers, objectives and options. */
const options = { trees: 6, leaves: 12 };

const objectives = [
  'normalise(ranknet)',
  'lambdarank(ndcg@10)',
  'lambdarank(ap)',
  'lambdarank(err)',
  'squared',
  'listnet',
  'listmle',
  'xendcg',
  'plackettluce(ndcg@5,samples=4)',
  'approx(ndcg)',
  'debias(ranknet,labels=clicks)',
  'graded(lambdarank(ndcg), ranknet(labels=clicks), w=0.2)',
];

/** So few that some of the ranks have none. */
const few = { queries: 14, validated: 1 };

export const cases = {
  ...Object.fromEntries(objectives.map(objective => [`trees ${objective}`, { model: 'trees', objective, options }])),
  'trees of weighted documents': { model: 'trees', objective: 'ranknet', options, weights: true },
  'trees of samples': {
    model: 'trees',
    options: { ...options, queryShare: 0.5, featureShare: 0.6, nodeFeatureShare: 0.7 },
  },
  'trees of one side': { model: 'trees', options: { ...options, trees: 8, topShare: 0.2, otherShare: 0.2, rate: 0.5 } },
  // Enough columns and zeros for lists and short rows.
  'trees of many zeros': { model: 'trees', objective: 'ranknet', options, zeros: 48 },
  'trees of many zeros and few queries': { model: 'trees', objective: 'ranknet', options, zeros: 48, ...few },
  'trees that are dropped': { model: 'trees', options: { ...options, dropRate: 0.4 } },
  'trees with monotone features': { model: 'trees', options: { ...options, monotone: ['+f1', '-f2'] } },
  'trees selected on a share that is held out': {
    model: 'trees',
    options: { ...options, patience: 2 },
    validated: 0,
  },
  'trees refitted to all queries': { model: 'trees', options, validated: 0, refit: true },
  'trees refitted to validation data, too': { model: 'trees', options, refit: true },
  'net refitted to validation data, too': { model: 'net', options: { hidden: [4], epochs: 2 }, refit: true },
  linear: { model: 'linear', objective: 'lambdarank(ndcg@10)', options: { epochs: 4 } },
  'linear by an update a query': {
    model: 'linear',
    objective: 'ranknet',
    options: { epochs: 1, batch: 1 },
    weights: true,
  },
  net: { model: 'net', objective: 'ranknet', options: { hidden: [8], epochs: 3 } },
  'net of a share that is held out': {
    model: 'net',
    options: { hidden: [6, 4], epochs: 3, batch: 50 },
    validated: 0,
  },
  'net without the bias of positions': {
    model: 'net',
    objective: 'debias(ranknet,labels=clicks)',
    options: { hidden: [4], epochs: 2, batch: 'all' },
  },
  adarank: { model: 'adarank', select: 'ap', options: { rounds: 5 } },
  'svm of pairs': { model: 'svm', options: { rounds: 5 } },
  'svm of ap': { model: 'svm', options: { rounds: 4, loss: 'ap' } },
  rankboost: { model: 'rankboost', options: { rounds: 12 } },
  'rankboost by queries': { model: 'rankboost', options: { rounds: 6, weights: 'queries' }, validated: 0 },
  coordinate: { model: 'coordinate', select: 'ndcg@10', options: { cycles: 2 } },
  'coordinate of ap': { model: 'coordinate', select: 'ap', options: { cycles: 1 }, validated: 0 },
  'coordinate along gradients': {
    model: 'coordinate',
    objective: 'ranknet',
    select: 'err',
    options: { cycles: 1, gradient: true, random: 2 },
  },
  forest: { model: 'forest', options: { trees: 5, leaves: 20 } },
  'trees of few queries': { model: 'trees', options: { ...options, minDocuments: 5 }, ...few },
  'trees without the bias of positions, of few queries': {
    model: 'trees',
    objective: 'debias(ranknet,labels=clicks)',
    options: { ...options, minDocuments: 5, topShare: 0.3, otherShare: 0.3, rate: 0.5 },
    ...few,
  },
  'trees refitted to all of few queries': {
    model: 'trees',
    options: { ...options, minDocuments: 5, queryShare: 0.5 },
    ...few,
    refit: true,
  },
  'forest of few queries': { model: 'forest', options: { trees: 3, leaves: 6 }, ...few },
  'linear of few queries': { model: 'linear', options: { epochs: 4 }, ...few },
  'net of few queries': { model: 'net', options: { hidden: [4], epochs: 3, batch: 5 }, ...few },
  'adarank of few queries': { model: 'adarank', options: { rounds: 4 }, ...few },
  'svm of few queries': { model: 'svm', options: { rounds: 4 }, ...few },
  'rankboost of few queries': { model: 'rankboost', options: { rounds: 5 }, ...few },
  'coordinate of few queries': { model: 'coordinate', options: { cycles: 2 }, ...few },
};

/** Every trainer in little time, for hosts that wait for each other; every rank has documents. */
const little = { queries: 150, validated: 30 };
const stumps = { trees: 2, leaves: 4 };

export const hostCases = {
  'hosts: trees that are dropped': { model: 'trees', options: { ...stumps, dropRate: 0.4 }, ...little },
  'hosts: trees without the bias of positions': {
    model: 'trees',
    objective: 'debias(ranknet,labels=clicks)',
    options: stumps,
    ...little,
  },
  'hosts: trees refitted to validation data, too': { model: 'trees', options: stumps, ...little, refit: true },
  'hosts: forest': { model: 'forest', options: stumps, ...little },
  'hosts: linear': { model: 'linear', options: { epochs: 1, batch: 50 }, ...little },
  'hosts: net': { model: 'net', options: { hidden: [4], epochs: 1, batch: 50 }, ...little },
  'hosts: adarank': { model: 'adarank', options: { rounds: 2 }, ...little },
  'hosts: svm': { model: 'svm', options: { rounds: 2 }, ...little },
  'hosts: rankboost': { model: 'rankboost', options: { rounds: 2 }, ...little },
  'hosts: coordinate': { model: 'coordinate', options: { cycles: 1 }, ...little },
};
