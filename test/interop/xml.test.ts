import { describe, expect, it } from 'vitest';
import { parseXml } from '#listwise/interop/xml.js';

const read = (xml: string) => parseXml(xml, { lists: ['split'], mostNested: 50 });
const plain = (xml: string) => JSON.parse(JSON.stringify(read(xml)));

describe('XML of a model', () => {
  it('becomes attributes, children and texts', () => {
    expect(plain('<?xml version="1.0"?><!-- a > b --><a id="1" w = \'x &lt; y\'><b> 2 </b><b>3</b><c/></a>')).toEqual({
      a: { id: '1', w: 'x < y', b: ['2', '3'], c: '' },
    });
  });

  it('keeps elements that are lists as lists', () => {
    expect(plain('<a><split pos="left"><output>1</output></split></a>')).toEqual({
      a: { split: [{ pos: 'left', output: '1' }] },
    });
  });

  it('takes names such as __proto__ for what they are', () => {
    const { a } = read('<a><__proto__>1</__proto__><constructor>2</constructor></a>') as Record<string, object>;
    expect(Object.keys(a!)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    ['<a><b></a>', '"a" ends where "b" is open at character 7'],
    ['<a>', '"a" does not end at character 4'],
    ['<a>1</a>tail', 'text outside of an element at character 9'],
    ['<a x=1></a>', 'not a tag at character 1'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'not a tag at character 1'],
    ['\n<a>\n</b>', '"b" ends where "a" is open at character 6 (line 3)'],
    ['<a>'.repeat(60), 'elements nested more than 50 deep at character 151'],
  ])('%s: %s', (xml, message) => {
    expect(() => read(xml)).toThrow(new SyntaxError(message));
  });

  it('takes time linear in depth', () => {
    const deep = (n: number) => `${'<split>'.repeat(n)}1${'</split>'.repeat(n)}`;
    expect(() => parseXml(deep(9_000), { lists: ['split'], mostNested: 10_000 })).not.toThrow();
  });
});
