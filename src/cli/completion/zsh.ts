import { type Place, pathPattern, quoted, valueBranches, wordBranches } from './places.js';

export function zshScript(places: readonly Place[]): string {
  const choose = (choices: readonly string[]) => `compadd -- ${choices.map(quoted).join(' ')}`;
  const suggest = (values: readonly string[]) => `${choose(values)}; _files`;
  return `#compdef listwise
# listwise in zsh: eval "$(listwise completion zsh)" after compinit, or this text as _listwise in a folder of fpath
_listwise() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT - 1]} place='' offered='' members=0 next i
  for ((i = 2; i < CURRENT; i++)); do
    next="\${place:+$place }\${words[i]}"
    case $next in ${pathPattern(places)}) place=$next ;; esac
  done
  case $place:$previous in
${valueBranches(places, choose, suggest, '_files').join('\n')}
  esac
  case $place in
${wordBranches(places).join('\n')}
  esac
  if [[ $current == -* || $members -gt 0 ]]; then compadd -- \${=offered}; else _files; fi
}
compdef _listwise listwise
`;
}
