/** A command line for a shell, broken before flags where it is too long: it can be copied as it stands. */
export function shellLines(command: string, width: number): string[] {
  const lines: string[] = [];
  let line = '  $';
  for (const piece of command.split(/ (?=--?[a-z])/)) {
    // Two columns are for the backslash.
    if (line.length + 1 + piece.length + 2 > width && line !== '  $') {
      lines.push(`${line} \\`);
      line = '     ';
    }
    line += ` ${piece}`;
  }
  return [...lines, line];
}
