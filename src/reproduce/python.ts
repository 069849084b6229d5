/** A Python with a package, for comparisons with systems that are written for it. */
import { spawnSync } from 'node:child_process';

/** Debian's first: the packages that Debian installs are not there for another one on the path. */
const NAMES = ['/usr/bin/python3', 'python3', 'python'];

/** Undefined where there is none. */
export function pythonWith(name: string): string | undefined {
  return NAMES.find(python => spawnSync(python, ['-c', `import ${name}`], { stdio: 'ignore' }).status === 0);
}
