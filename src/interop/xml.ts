/**
 * XML of elements, attributes and text, as RankLib writes it, to plain values: an element is a text where it holds
 * nothing else, or a record of its attributes and children. Children of a name that repeats are a list, and so are
 * those of `lists` always. No entities beyond the five of XML, no document types: a model needs none, and they are a
 * way in.
 */

export type XmlValue = string | XmlElement;
export interface XmlElement {
  [name: string]: XmlValue | XmlValue[];
}

const TAG =
  /<(?:(\/)\s*([^\s<>/]+)\s*|([^\s<>/!?=]+)((?:\s+[^\s<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)|\?[^<>]*\?|!--[\s\S]*?--)>/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

interface Open {
  readonly name: string;
  /** Without a prototype: names of elements are what the file says. */
  readonly element: XmlElement;
  text: string;
}

/** Throws a SyntaxError that says what is wrong and where; `mostNested` is how deep elements may stand. */
export function parseXml(
  xml: string,
  { lists, mostNested }: { lists: readonly string[]; mostNested: number },
): XmlElement {
  const fail = (what: string, at: number): never => {
    const line = xml.slice(0, at).split('\n').length;
    throw new SyntaxError(`${what} at character ${at + 1}${line > 1 ? ` (line ${line})` : ''}`);
  };
  const root: Open = { name: '', element: Object.create(null) as XmlElement, text: '' };
  const open = [root];
  for (let at = 0; at < xml.length; ) {
    const parent = open.at(-1)!;
    const next = xml.indexOf('<', at);
    const text = xml.slice(at, next < 0 ? undefined : next);
    if (text.trim() !== '') {
      if (parent === root) fail('text outside of an element', at);
      parent.text += text;
    }
    if (next < 0) break;
    TAG.lastIndex = next;
    const tag = TAG.exec(xml) ?? fail('not a tag', next);
    at = TAG.lastIndex;
    const [, closes, closed, opened, attributes, empty] = tag;
    if (closes !== undefined) {
      if (closed !== parent.name) fail(`"${closed}" ends where "${parent.name}" is open`, next);
      open.pop();
      add(open.at(-1)!, parent, lists);
    } else if (opened !== undefined) {
      const element = Object.create(null) as XmlElement;
      for (const [, name, double, single] of attributes!.matchAll(ATTRIBUTE)) element[name!] = plain(double ?? single!);
      const started = { name: opened, element, text: '' };
      if (empty !== '') add(parent, started, lists);
      else if (open.push(started) > mostNested + 1) fail(`elements nested more than ${mostNested} deep`, next);
    }
  }
  if (open.length > 1) fail(`"${open.at(-1)!.name}" does not end`, xml.length);
  return root.element;
}

function add({ element: parent }: Open, { name, element, text }: Open, lists: readonly string[]): void {
  const value = Object.keys(element).length === 0 ? plain(text.trim()) : element;
  const there = parent[name];
  if (Array.isArray(there)) there.push(value);
  else if (there !== undefined) parent[name] = [there, value];
  else parent[name] = lists.includes(name) ? [value] : value;
}

function plain(text: string): string {
  return text.replace(/&([a-z]+);/g, (whole, name: string) => entities[name] ?? whole);
}
