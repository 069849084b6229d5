/** What can be done about a deployment, in the order help shows it. */
import type { Group } from '../../command/group.js';

export const deployments: Group = {
  noun: 'deploy command',
  plural: 'Deploy commands',
  members: [
    {
      name: 'check',
      summary: "Score data by the rule of an engine's version: documents that go other ways there, and what it costs.",
      load: async () => (await import('./check.js')).check,
    },
    {
      name: 'verify',
      summary: 'Compare scores that an engine returned with those that the rule of its version gives.',
      load: async () => (await import('./verify.js')).verify,
    },
  ],
};
