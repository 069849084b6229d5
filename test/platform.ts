/** What Windows does not have, for tests that need it. */
const windows = process.platform === 'win32';

/** Nothing but Ctrl-C in a console reaches a process there: `kill` ends it at once, whatever the signal. */
export const withoutSignals = windows;
/** No `mkfifo`, and pipes with names are not files. */
export const withoutPipes = windows;
/** Only some users may make links. */
export const withoutLinks = windows;
