import { existsSync } from 'node:fs';

/** What Windows does not have, for tests that need it. */
const windows = process.platform === 'win32';

/** Nothing but Ctrl-C in a console reaches a process there: `kill` ends it at once, whatever the signal. */
export const withoutSignals = windows;
/** No `mkfifo`, and pipes with names are not files. */
export const withoutPipes = windows;
/** Only some users may make links. */
export const withoutLinks = windows;
/** Files have no mode and no owner that numbers say. */
export const withoutOwners = windows;
/** Linux alone has a device that is always full. */
export const withoutFullDevice = !existsSync('/dev/full');
