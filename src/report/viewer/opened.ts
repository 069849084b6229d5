/** What was opened on this page, by name: where a view is drawn anew, it is open again. */
export const opened = new Set<string>();

/** Remembers whether something is open. */
export function keepOpened(name: string, open: boolean): void {
  if (open) opened.add(name);
  else opened.delete(name);
}
