/** What the system says of a file, in plain words. */
export const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied, or another program has it open',
  EBUSY: 'another program has it open',
  EIO: 'the device reports an error',
  EISDIR: 'it is a directory',
  ENOTDIR: 'its directory is a file',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead round in a circle',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};
