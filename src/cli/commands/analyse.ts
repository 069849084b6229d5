/** The analyses of `analyses/all.ts` under one command; flags are those of all of them, and one that is not of the named analysis is refused. */
import { quote } from '../../errors.js';
import { analyses } from '../analyses/all.js';
import type { AnalysisDefinition } from '../analyses/analysis.js';
import type { CommandDefinition, CommandOption } from '../command.js';
import { refuseFlags, usage } from '../contradictions.js';

function usageLine({ name, arguments: named }: AnalysisDefinition): string {
  return [name, ...named.map(argument => argument.name)].join(' ');
}

/** A flag that several analyses have must mean the same in all. */
const options: readonly CommandOption[] = [
  { flags: '--out <file>', description: 'write the result to this file' },
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
  async run([name, ...inputs], values, output) {
    const analysis = analyses.find(known => known.name === name);
    if (analysis === undefined) {
      throw usage(`no analysis is called ${quote(name!)}; there is ${analyses.map(known => known.name).join(', ')}`);
    }
    const least = analysis.arguments.filter(argument => argument.name.startsWith('<')).length;
    const several = analysis.arguments.at(-1)?.name.includes('...');
    if (inputs.length < least || (inputs.length > analysis.arguments.length && !several)) {
      throw usage(`write "analyse ${usageLine(analysis)}"; found ${inputs.length} inputs`);
    }
    const own = new Set(analysis.options.map(option => option.flags));
    const foreign = options.filter(option => !own.has(option.flags) && !option.flags.startsWith('--out '));
    refuseFlags(values, foreign, `analyse ${analysis.name}`);
    const { verdict, results, facts, text } = await analysis.run(inputs, values, output);
    await output.resultTo(
      values.out as string | undefined,
      'analyse',
      { analysis: analysis.name, ...(verdict !== undefined && { verdict }), ...facts, results },
      () => (verdict === undefined ? text() : `${verdict}\n\n${text()}`),
    );
  },
};
