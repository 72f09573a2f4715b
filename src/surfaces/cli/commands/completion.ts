/** `completion`: small scripts that ask the program itself, so they never go out of date. */
import { usage, type Run } from '../command.ts'

export const run: Run = async (cli, given) => {
  const shell = given.word(0) ?? ''
  const script = Object.hasOwn(scripts, shell) ? scripts[shell as keyof typeof scripts] : undefined
  if (script === undefined)
    throw usage(`There is no completion for "${shell}". Known: ${Object.keys(scripts).join(', ')}.`)
  if (cli.json) cli.out.json({ shell, script })
  else cli.out.block(script)
}

const scripts = {
  bash: `_reprise() {
  local IFS=$'\\n'
  COMPREPLY=($(reprise __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _reprise reprise
`,
  zsh: `#compdef reprise
_reprise() {
  local line
  local -a candidates
  for line in "\${(@f)$(reprise __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && candidates+=("\${line%%$'\\t'*}:\${line#*$'\\t'}")
  done
  _describe reprise candidates
}
compdef _reprise reprise
`,
  fish: `function __reprise_complete
  set -l words (commandline -opc) (commandline -ct)
  reprise __complete -- $words[2..-1] 2>/dev/null
end
complete -c reprise -f -a '(__reprise_complete)'
`,
} as const
