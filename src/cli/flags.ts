/**
 * Messages of the library name options as programs give them, in backticks: `queryColumn`, `unjudged: drop`. Here they
 * become the flags of the command line: --query-col, --unjudged drop.
 */
const flags: Readonly<Record<string, string>> = {
  absent: '--absent',
  background: '--background',
  categories: '--category',
  complete: '--complete',
  data: '--data',
  dates: '--date',
  deadline: '--deadline',
  description: '--data-description',
  documentColumn: '--doc-col',
  documents: '--docs',
  engine: '--engine',
  exact: '--exact',
  featureBase: '--feature-base',
  featureSet: '--features',
  fill: '--fill-features',
  force: '--force',
  format: '--format',
  from: '--from',
  grace: '--grace',
  holdout: '--holdout',
  ignore: '--ignore',
  judgments: '--judgments',
  keep: '--keep',
  labelColumns: '--label-col',
  labelFiles: '--labels',
  lossy: '--lossy',
  measure: '--measure',
  missing: '--missing',
  model: '--model',
  normalise: '--normalise',
  objective: '--objective',
  offset: '--offset',
  port: '--port',
  positionColumn: '--position-col',
  queryColumn: '--query-col',
  queryFrom: '--query-from',
  refit: '--refit',
  resume: '--resume',
  select: '--select',
  set: '--set',
  shares: '--share',
  sql: '--sql',
  timeout: '--timeout',
  to: '--to',
  token: '--token-file',
  transform: '--transform',
  unjudged: '--unjudged',
  watch: '--watch',
  weightColumn: '--weight-col',
};

/** A message in the words of the command line; `true` is a flag without a value. */
export function inFlags(message: string): string {
  return message.replaceAll(/`(\w+)(?:: ([^`]+))?`/g, (written: string, name: string, value?: string) => {
    if (!Object.hasOwn(flags, name)) return written;
    return value === undefined || value === 'true' ? flags[name]! : `${flags[name]} ${value}`;
  });
}
