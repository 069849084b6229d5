/** Whether a process of this host is there. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0); // no signal, only the check
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}
