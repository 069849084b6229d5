/** Text in lines that fit the terminal. */

/** Words of one paragraph, in lines of at most `width` columns; lines after the first are set in. */
export function paragraph(text: string, width: number, indent = '  '): string {
  return wrapped(text, width, indent).join('\n');
}

/** The same as lines. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent + word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

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
