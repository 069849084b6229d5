/** The thread of heartbeat.ts. */
import { utimesSync } from 'node:fs';
import type { Service } from '../threads/crew.js';

export function serve({ file, everyMs }: { file: string; everyMs: number }): Service {
  setInterval(() => {
    const now = new Date();
    utimesSync(file, now, now);
  }, everyMs);
  return {};
}
