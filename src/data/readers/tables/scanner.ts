/** What finds the fields in the text of a table. */
import type { Cells } from './cells.js';
import type { TextProblem, TextWindow } from './text-window.js';

export interface Scanned {
  /** The byte behind the last whole record, and the lines up to there. */
  readonly end: number;
  readonly lines: number;
  /** What is wrong with the record that follows. */
  readonly problem: TextProblem | undefined;
}

export interface Scanner {
  /** Names of the columns so far. */
  readonly names: readonly string[];
  /** Whether more columns may come up later on. */
  readonly grows: boolean;
  /** The fields that `scan` found; used again by the next one. */
  readonly cells: Cells;
  /** What the column's name is in the text, where it is in the text once: the byte at which it starts. */
  nameAt(column: number): number | undefined;
  /** Whether a number may stand in quotes. */
  readonly quotedNumbers: boolean;
  /** Finds the fields of all whole records of the window. */
  scan(window: TextWindow): Scanned;
  /** The text of a field as its writer meant it; undefined for none. */
  text(bytes: Buffer, start: number, end: number): string | undefined;
}
