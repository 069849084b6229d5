/** Completion of command lines, a command for each shell. */
import { defineCommand } from '../command/command.js';
import type { Entry, Group } from '../command/group.js';

const shells = {
  bash: async () => (await import('../completion/bash.js')).bashScript,
  zsh: async () => (await import('../completion/zsh.js')).zshScript,
  fish: async () => (await import('../completion/fish.js')).fishScript,
} as const;

const uses: Readonly<Record<keyof typeof shells, string>> = {
  bash: 'eval "$(listwise completion bash)"',
  zsh: 'eval "$(listwise completion zsh)"',
  fish: 'listwise completion fish | source',
};

function entryOf(name: keyof typeof shells): Entry {
  return {
    name,
    summary: `Print a script that completes command lines in ${name}.`,
    load: async () =>
      defineCommand({
        arguments: {},
        options: {},
        examples: [`listwise completion ${name}`],
        notes: [`In the configuration of the shell: ${uses[name]}`],
        run: async (_, output) => {
          const [script, { placesOf }, { program }] = await Promise.all([
            shells[name](),
            import('../completion/places.js'),
            import('./all.js'),
          ]);
          await output.data(script(await placesOf(program.found)));
        },
      }),
  };
}

export const completion: Group = {
  noun: 'shell',
  plural: 'Shells',
  members: [entryOf('bash'), entryOf('zsh'), entryOf('fish')],
};
