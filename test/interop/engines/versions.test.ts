/** Which release begins to follow which rule, where release notes or the tags of a repository say it exactly. */
import { describe, expect, it } from 'vitest';
import { findEngine, ruleFor } from '#listwise/interop/engines/find-rules.js';

describe('Elasticsearch #125694: scores are raised', () => {
  it.each(['8.12', '8.17.4', '8.18', '8.18.8', '9', '9.0', '9.0.0'])('not in %s', version => {
    expect(ruleFor(findEngine(`elasticsearch@${version}`), 'trees').negative).toBe('disallowed');
  });

  it.each(['8.19', '8.19.10', '9.0.1', '9.1', '9.4'])('in %s', version => {
    expect(ruleFor(findEngine(`elasticsearch@${version}`), 'trees').negative).toBe('raised');
  });
});

describe('OpenSearch #151: model/xgboost+json+raw', () => {
  const formats = (version: string) => findEngine(`opensearch@${version}`).rules.map(({ format }) => format);

  it.each(['2.18', '2.19', '2.19.0.0', '2.19.1.0'])('is not known to %s', version => {
    expect(formats(version)).not.toContain('xgboost-raw');
  });

  it.each(['2.19.2.0', '2.19.6', '3.0', '3.8'])('is known to %s', version => {
    expect(formats(version)).toContain('xgboost-raw');
  });
});

describe('nets of Solr', () => {
  it.each(['6.4', '7.2.1'])('SOLR-11597: are not known to %s', version => {
    expect(() => ruleFor(findEngine(`solr@${version}`), 'net')).toThrow(/takes no net model/);
    expect(ruleFor(findEngine(`solr@${version}`), 'trees').format).toBe('solr');
  });

  it.each([
    ['7.3', ['relu', 'sigmoid']],
    ['7.5', ['relu', 'sigmoid']],
    ['7.6', undefined],
    ['9.5', undefined],
  ])('SOLR-12780: %s', (version, activations) => {
    expect(ruleFor(findEngine(`solr@${version}`), 'net').net?.activations).toEqual(activations);
  });
});

describe('UBJSON of Vespa', () => {
  const formats = (version: string) => findEngine(`vespa@${version}`).rules.map(({ format }) => format);

  it('is known since 8.624, and not what is preferred', () => {
    expect(formats('8.620.35')).not.toContain('xgboost-ubj');
    for (const version of ['8.624.72', '8.653', '8.656.31']) {
      expect(formats(version)).toContain('xgboost-ubj');
      expect(formats(version)[0]).toBe('xgboost-dump');
    }
  });
});
