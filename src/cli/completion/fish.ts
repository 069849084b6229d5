import { type Flag, type Place, quoted } from './places.js';

export function fishScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => fishQuoted(path));
  return `# listwise in fish: listwise completion fish | source, or this text as ~/.config/fish/completions/listwise.fish
function __listwise_at
  set -l path
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$path $word")
    contains -- $next ${paths.join(' ')}; and set path $next
  end
  test "$path" = "$argv[1]"
end
${places.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, members, flags }: Place): string[] {
  const start = `complete -c listwise -n ${fishQuoted(`__listwise_at ${fishQuoted(path)}`)}`;
  return [
    ...members.map(({ name, summary }) => `${start} -f -a ${name} -d ${fishQuoted(summary)}`),
    ...flags.map(flag => `${start} ${flagWords(flag)} -d ${fishQuoted(flag.description)}`),
  ];
}

function flagWords({ names, takesValue, choices, suggested }: Flag): string {
  const written = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');
  if (!takesValue) return written;
  if (choices.length > 0) return `${written} -x -a ${quoted(choices.join(' '))}`;
  return suggested.length > 0 ? `${written} -r -a ${quoted(suggested.join(' '))}` : `${written} -r`;
}

/** fish escapes inside single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
