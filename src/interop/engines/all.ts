/** Every rule that is known, by engine; of one engine and version the format to be preferred comes first. */
import type { EngineRule } from './rule.js';
import { elasticsearchRules } from './rules/elasticsearch.js';
import { libraryRules } from './rules/libraries.js';
import { pluginRules } from './rules/plugins.js';
import { solrRules } from './rules/solr.js';
import { vespaRules } from './rules/vespa.js';

/**
 * Every rule that is known.
 *
 * @example
 * import { engineRules } from 'listwise/interop';
 *
 * for (const { engine, since, format } of engineRules) console.log(engine, since, format);
 */
export const engineRules: readonly EngineRule[] = [
  ...elasticsearchRules,
  ...pluginRules,
  ...solrRules,
  ...vespaRules,
  ...libraryRules,
];
