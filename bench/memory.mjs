import { readFileSync } from 'node:fs';

/** The most memory that this process has had, in bytes. */
export function peakBytes() {
  try {
    // Of this program alone; the value of getrusage starts from what the parent had.
    return 1024 * Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return 1024 * process.resourceUsage().maxRSS;
  }
}
