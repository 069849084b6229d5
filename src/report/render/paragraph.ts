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
