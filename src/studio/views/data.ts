/** What is in data: of each feature, of each feature alone, and beside other data. */
import { driftBetween } from '../../analysis/drift.js';
import { inspectSteps } from '../../data/inspect.js';
import { didYouMean, ListwiseError, quote } from '../../errors.js';
import { parseMeasure } from '../../measures/parse.js';
import { inspectDocument } from '../../report/commands/inspect.js';
import { driftSection } from '../../report/drift.js';
import { featureSection } from '../../report/feature-section.js';
import { singleFeaturesSection } from '../../report/single-features.js';
import { inTurns } from '../../steps.js';
import { singleFeatureSteps } from '../../training/baselines/single-features.js';
import type { DatasetView, View } from '../answers.js';
import { commandLine } from '../command-line.js';
import type { Workspace } from '../workspace.js';
import { type Asked, measureOf, view } from './view.js';

/** What takes seconds works so long at a time: a page that is opened meanwhile asks for several things one by one. */
const BEHIND_MS = 5;

export async function dataView(workspace: Workspace, { ids: [id = ''] }: Asked): Promise<DatasetView> {
  const { file, name } = workspace.dataNamed(id);
  return workspace.answer(['data'], { data: [id] }, async () => {
    const data = await workspace.exactly(id);
    const inspection = await inTurns(inspectSteps(data));
    const document = { ...inspectDocument({ inspection, data }), title: name };
    const shown = view(document, commandLine('inspect', file));
    return { ...shown, features: data.featureNames };
  });
}

/** One feature by its name: the page of all has only those that go most with the label. */
export async function featureView(workspace: Workspace, { ids: [id = ''], query }: Asked): Promise<View> {
  const { name } = workspace.dataNamed(id);
  const feature = query.get('feature') ?? '';
  return workspace.answer(['feature', feature], { data: [id] }, async () => {
    const data = await workspace.dataset(id);
    const at = data.featureNames.indexOf(feature);
    if (at < 0) {
      const near = didYouMean(feature, data.featureNames);
      throw new ListwiseError('request-invalid', `${name} has no feature ${quote(feature)}${near}`);
    }
    return view({ title: name, verdict: '', sections: [featureSection(data, at)] }, '');
  });
}

/** Ranking by each feature alone takes longer than all the rest: it is asked for apart. */
export async function featuresView(workspace: Workspace, { ids: [id = ''], query }: Asked): Promise<View> {
  const { file, name } = workspace.dataNamed(id);
  const measure = measureOf(query);
  return workspace.answer(['features', measure], { data: [id] }, async () => {
    const steps = singleFeatureSteps(await workspace.dataset(id), parseMeasure(measure));
    const alone = await inTurns(steps, undefined, BEHIND_MS);
    const document = { title: name, verdict: '', sections: alone.length === 0 ? [] : [singleFeaturesSection(alone)] };
    return view(document, commandLine('inspect', file, '-m', measure));
  });
}

export async function driftView(workspace: Workspace, { ids: [id = ''], query }: Asked): Promise<View> {
  const [now, before] = [workspace.dataNamed(id), workspace.dataNamed(query.get('against') ?? '')];
  return workspace.answer(['drift'], { data: [before.id, now.id] }, async () => {
    const read = await workspace.unlabelled(before.id, now.id);
    const section = driftSection(driftBetween(read.before, read.data), [before.name, now.name]);
    return view(
      { title: now.name, verdict: '', sections: [section] },
      commandLine('drift', now.file, '--against', before.file),
    );
  });
}
