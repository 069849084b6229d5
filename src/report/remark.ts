/** What a terminal says below a table, where a page has the lead of its section. */
import type { Block } from './document.js';

export function remark(text: string): Block {
  return { kind: 'text', on: 'terminal', text };
}
