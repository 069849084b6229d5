/**
 * The analyses of `analyses/all.ts` under one command; flags are those of all of them, and one that is not of the named
 * analysis is refused.
 */
import { didYouMean, quote } from '../../errors.js';
import { analyses } from '../analyses/all.js';
import type { AnalysisDefinition } from '../analyses/analysis.js';
import type { CommandDefinition, CommandOption, OptionValues } from '../command.js';
import { flagOf, refuseFlags, usage } from '../contradictions.js';
import { originOf, reportOption, reportTarget, writePage } from '../report-option.js';
import { refuseUnwritable } from '../writable.js';

function usageLine({ name, arguments: named }: AnalysisDefinition): string {
  return [name, ...named.map(argument => argument.name)].join(' ');
}

/** Flags of every analysis. */
const common: readonly CommandOption[] = [
  { flags: '--out <file>', description: 'write the result to this file' },
  reportOption,
];

/** A flag that several analyses have must mean the same in all. */
const options: readonly CommandOption[] = [
  ...common,
  ...new Map(analyses.flatMap(analysis => analysis.options.map(option => [option.flags, option] as const))).values(),
];

export const analyse: CommandDefinition = {
  name: 'analyse',
  summary: `Analyse a model or a measure: ${analyses.map(({ name }) => name).join(', ')}.`,
  arguments: [
    {
      name: '<analysis>',
      description: analyses.map(analysis => `${usageLine(analysis)}: ${analysis.summary}`).join('; '),
    },
    { name: '[inputs...]', description: 'what the analysis takes' },
  ],
  options,
  examples: analyses.flatMap(({ examples }) => examples),
  notes: ['listwise analyse NAME --help shows what that one takes.'],
  helpOn(word) {
    const analysis = analyses.find(({ name }) => name === word);
    return (
      analysis && {
        name: `listwise analyse ${analysis.name}`,
        summary: `${analysis.summary.charAt(0).toUpperCase()}${analysis.summary.slice(1)}.`,
        arguments: analysis.arguments,
        options: [...analysis.options, ...common],
        examples: analysis.examples,
      }
    );
  },
  async run([name, ...inputs], values, output) {
    const analysis = analyses.find(known => known.name === name);
    if (analysis === undefined) {
      const names = analyses.map(known => known.name);
      throw usage(`there is no analysis ${quote(name!)}${didYouMean(name!, names)} Analyses: ${names.join(', ')}`);
    }
    const least = analysis.arguments.filter(argument => argument.name.startsWith('<')).length;
    const several = analysis.arguments.at(-1)?.name.includes('...');
    if (inputs.length < least || (inputs.length > analysis.arguments.length && !several)) {
      throw usage(
        `write "analyse ${usageLine(analysis)}"; found ${inputs.length} ${inputs.length === 1 ? 'input' : 'inputs'}`,
      );
    }
    const own = new Set([...common, ...analysis.options].map(option => option.flags));
    const foreign = options.filter(option => !own.has(option.flags));
    refuseFlags(values, foreign, `analyse ${analysis.name}`);
    const out = values.out as string | undefined;
    if (out !== undefined) await refuseUnwritable(out);
    const report = await reportTarget(values);
    const { verdict, results, facts, text, page } = await analysis.run(inputs, values, output);
    if (report !== undefined) {
      const written = {
        title: `listwise: ${page.title}`,
        verdict,
        sections: page.sections(),
        origin: originOf(ownValues(values, foreign), page.data),
      };
      await writePage(report, written, output);
    }
    await output.resultTo(
      out,
      'analyse',
      { analysis: analysis.name, verdict, ...facts, results },
      () => `${verdict}\n\n${text()}`,
    );
  },
};

/** Without the flags of other analyses, which are there at their defaults. */
function ownValues(values: OptionValues, foreign: readonly CommandOption[]): OptionValues {
  const keys = new Set(foreign.map(option => flagOf(option).key));
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.has(key)));
}
