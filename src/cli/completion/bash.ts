import { type Place, pathPattern, valueBranches, wordBranches } from './places.js';

export function bashScript(places: readonly Place[]): string {
  const choose = (choices: readonly string[]) => `__listwise_words '${choices.join(' ')}'`;
  const suggest = (values: readonly string[]) => `${choose(values)}; [[ $COMPREPLY ]] || __listwise_files`;
  return `# listwise in bash: eval "$(listwise completion bash)", or this text in ~/.local/share/bash-completion/completions/listwise
__listwise_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
__listwise_files() { compopt -o filenames 2> /dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$cur")); }
_listwise() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} path='' offered='' members=0 i next
  COMPREPLY=()
  # bash takes --flag=value for three words.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $previous == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case $next in ${pathPattern(places)}) path=$next ;; esac
  done
  case $path:$previous in
${valueBranches(places, choose, suggest, '__listwise_files').join('\n')}
  esac
  case $path in
${wordBranches(places).join('\n')}
  esac
  if [[ $cur == -* || $members -gt 0 ]]; then __listwise_words "$offered"; else __listwise_files; fi
}
complete -F _listwise listwise
`;
}
