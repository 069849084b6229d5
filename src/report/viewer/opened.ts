/**
 * What was opened on this page, by name, and of tables how many rows stood there: where a view is drawn anew, it is
 * open again, as far as it was.
 */
export const opened = new Map<string, number>();

/** Remembers whether something is open. */
export function keepOpened(name: string, open: boolean): void {
  if (open) opened.set(name, 1);
  else opened.delete(name);
}
