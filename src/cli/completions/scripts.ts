/** The scripts that a shell reads once. Each asks the command itself for the candidates. */
export const SCRIPTS = {
  bash: `# eval "$(treadle completions bash)"
_treadle() {
  local word previous= part line typed=() at=-1 i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    # bash takes : and = for words of their own
    if ((at >= 0)) && [[ $word == [:=]* || $previous == *[:=] ]]; then
      typed[at]+=$word
    else
      at=$((at + 1))
      typed[at]=$word
    fi
    previous=$word
  done
  part=\${COMP_WORDS[COMP_CWORD]}
  [[ $part == [:=] ]] && part=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default
      return
    fi
    COMPREPLY+=("\${line#"\${typed[at]%"$part"}"}")
  done < <(treadle completions bash -- "\${typed[@]}" 2> /dev/null < /dev/null)
}
complete -F _treadle treadle
`,
  zsh: `#compdef treadle
# source <(treadle completions zsh), behind compinit; or as the file _treadle in a folder of fpath
_treadle() {
  local line
  local -a found shown
  for line in "\${(@f)$(treadle completions zsh -- "\${(@Q)words[2,CURRENT]}" 2> /dev/null < /dev/null)}"; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    [[ -n $line ]] || continue
    found+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  (( $#found )) && compadd -l -d shown -a found
}
if [[ $funcstack[1] == _treadle ]]; then
  _treadle "$@"
else
  compdef _treadle treadle
fi
`,
  fish: `# treadle completions fish | source
function __treadle_completions
  set -l typed (commandline -opc) (commandline -ct)
  set -l found (treadle completions fish -- $typed[2..-1] 2> /dev/null < /dev/null)
  if test "$found[1]" = :files
    __fish_complete_path (commandline -ct)
  else if test (count $found) -gt 0
    printf '%s\\n' $found
  end
end
complete -c treadle -f -a '(__treadle_completions)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;
