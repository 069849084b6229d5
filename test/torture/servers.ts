/** Requests that were damaged, to a server: an answer of its own, never a failure inside, and others are served. */
import { deepStrictEqual } from 'node:assert/strict';
import { sendMutated, serverToDamage } from '../serve/mutated-requests.js';
import type { Area } from './area.js';

export const servers: readonly Area[] = [
  {
    name: 'requests to a server',
    unit: 'mutation',
    share: 1,
    batch: 400,
    async open(folder, work) {
      const { server, notes } = await serverToDamage(folder);
      try {
        await work(async random => {
          await sendMutated(server.url, random);
          deepStrictEqual(notes, []);
          return 1;
        });
      } finally {
        await server.close();
      }
    },
  },
];
