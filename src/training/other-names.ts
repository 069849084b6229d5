/** What other systems (LightGBM, XGBoost, scikit-learn, RankLib) call options: for messages that say our name. */

/** Of the option that says how many iterations there are, whatever a trainer calls it. */
export const iterationNames: readonly string[] = (
  'trees rounds epochs iterations numTrees numTree numIterations numIteration numRound numRounds numBoostRound ' +
  'nEstimators nIter maxIter numEpochs'
).split(' ');

/** Of what is no option of a trainer here: which columns are categories is said where data is read. */
export const categoryNames: readonly string[] = 'categorical categoricalFeature categoricalFeatures catFeatures'.split(
  ' ',
);

/** By the option's name here. */
export const otherNames: Readonly<Record<string, readonly string[]>> = {
  leaves: ['numLeaves', 'numLeaf', 'maxLeaves', 'maxLeafNodes', 'leaf'],
  depth: ['maxDepth'],
  rate: ['learningRate', 'shrinkage', 'shrinkageRate', 'eta', 'lr'],
  bins: ['maxBin', 'maxBins', 'tc'],
  minDocuments: ['minDataInLeaf', 'minChildSamples', 'minSamplesLeaf', 'mls'],
  minHessian: ['minSumHessianInLeaf', 'minChildWeight'],
  minGain: ['minGainToSplit', 'minSplitGain', 'gamma'],
  l1: ['lambdaL1', 'regAlpha', 'alpha'],
  maxStep: ['maxDeltaStep', 'maxTreeOutput', 'maxLeafOutput'],
  pathSmoothing: ['pathSmooth'],
  l2: ['lambdaL2', 'regLambda', 'lambda'],
  monotone: ['monotoneConstraints'],
  interactions: ['interactionConstraints'],
  oneHotLevels: ['maxCatToOnehot', 'oneHotMaxSize'],
  minLevelDocuments: ['minDataPerGroup'],
  levelSmoothing: ['catSmooth', 'catL2'],
  featureShare: ['featureFraction', 'colsampleBytree', 'subFeature', 'maxFeatures'],
  nodeFeatureShare: ['featureFractionBynode', 'colsampleBynode'],
  randomThresholds: ['extraTrees'],
  queryShare: ['baggingFraction', 'subsample'],
  topShare: ['topRate'],
  otherShare: ['otherRate'],
  dropRate: ['rateDrop'],
  uniformDrop: ['sampleType'],
  dropNormalise: ['normalizeType', 'xgboostDartMode'],
  refitDecay: ['refitDecayRate'],
  patience: ['earlyStoppingRound', 'earlyStoppingRounds', 'earlyStop', 'estop'],
  hidden: ['hiddenLayerSizes', 'layers'],
  batch: ['batchSize'],
  decay: ['weightDecay', 'alpha'],
};
