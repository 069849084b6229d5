/**
 * What a command is: one declared record a file in `commands/`, one line in `commands/all.ts`. Help, docs and the
 * parser follow from it. Only `cli/` touches `process`.
 */
import type { Output } from './output.js';

export interface CommandArgument {
  /** As commander writes it: `<data>` is required, `[out]` optional, `[files...]` takes several. */
  readonly name: string;
  readonly description: string;
}

export interface CommandOption {
  /** As commander writes it: `-m, --measure <spec>`; the value's name says what it is. */
  readonly flags: string;
  readonly description: string;
  /** Shown in help; filled in by the command. */
  readonly default?: string | number | boolean;
  /** May be given several times: the values come as an array. */
  readonly repeat?: boolean;
  readonly choices?: readonly string[];
  /** The heading it stands under in help; `Options:` where left out. */
  readonly group?: string;
}

export type OptionValues = Readonly<Record<string, unknown>>;

export interface CommandDefinition {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly CommandArgument[];
  readonly options: readonly CommandOption[];
  /** Command lines that run, shown in help. */
  readonly examples: readonly string[];
  /** Lines for the end of help, where a line an option is too little; long ones are broken. */
  readonly notes?: readonly string[];
  /**
   * What help shows after the first argument `word`, where that names one of several things: as a command of its own.
   */
  helpOn?(word: string | undefined): Omit<CommandDefinition, 'run'> | undefined;
  run(args: readonly string[], options: OptionValues, output: Output): Promise<void>;
}
