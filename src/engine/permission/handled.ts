/**
 * By which words a command may change files of Reprise itself. Who reads only cannot; of anything else every word counts,
 * wherever it stands: what one program lists or prints, the next one may remove.
 */
import { baseName, openCommand, programOf } from '../../lib/shell/open-command.ts'
import type { ShellParts } from '../../lib/shell/parts.ts'
import type { SimpleCommand } from '../../lib/shell/script.ts'
import type { Word } from '../../lib/shell/word.ts'

export function handledWords({ commands, reads, writes, moves }: ShellParts): readonly Word[] {
  if (commands.every(readsOnly)) {
    // Beside programs that only read, a redirection alone writes: into what it names, from the folder that it is in.
    const isTold =
      moves.length <= 1 &&
      !moves.includes(undefined) &&
      writes.every(({ value, hasPattern }) => value !== undefined && !hasPattern)
    return isTold ? writes : [...commands.flatMap(movesTo), ...writes]
  }
  const given = commands.flatMap(({ assignments, words }) => [...assignments, ...words.slice(1)])
  return [...given.filter(({ source }) => !LEAVES_OUT.test(source)), ...reads, ...writes]
}

/** The words of loops and here-documents count too, and what a variable was given. */
export function handledText(
  text: string,
  { commands, writes, unknown }: ShellParts,
): string | undefined {
  const isPlain =
    unknown === undefined &&
    commands.every(readsOnly) &&
    writes.every(({ value }) => value !== undefined)
  return isPlain ? undefined : text.replace(/(?<=\s)--?(?:exclude|ignore|skip)\S*/g, '')
}

/** `reprise config set` writes the configuration too. */
export const changesConfiguration = ({ words }: SimpleCommand): boolean => {
  const values = words.map(({ value }) => baseName(value ?? ''))
  const at = values.findIndex((value) => value === 'reprise')
  const [action, what] = values.slice(at + 1).filter((value) => !value.startsWith('-'))
  return at !== -1 && action === 'config' && what !== undefined && !['get', 'path'].includes(what)
}

const READERS: ReadonlySet<string> = new Set(
  (
    'cat head tail less more grep egrep fgrep rg ag ls dir tree stat file wc du df diff cmp comm md5sum sha1sum sha256sum ' +
    'sha512sum b2sum cksum od xxd hexdump strings jq cut tr column nl tac rev fold fmt paste join realpath readlink basename ' +
    'dirname test [ [[ echo printf true false : pwd cd pushd popd which type sleep exit return date whoami uname id seq'
  ).split(' '),
)

/** Commands of git that write no file which they are given. */
const GIT_READS =
  /^(?:add|blame|branch|cat-file|check-ignore|commit|diff|fetch|grep|log|ls-files|ls-tree|push|rev-parse|show|status|tag)$/

const LEAVES_OUT = /^--?(?:exclude|ignore|skip)\b/

function readsOnly(command: SimpleCommand): boolean {
  const { words } = command
  const [first, ...rest] = words
  if (first === undefined) return true
  const program = programOf(command) ?? ''
  const values = rest.map(({ value }) => value ?? '')
  if (program === 'git')
    return (
      GIT_READS.test(values.find((value) => !value.startsWith('-')) ?? 'log') &&
      !values.some((value) => /^(?:-c$|-o|--output|--exec-path|--git-dir|--work-tree)/.test(value))
    )
  if (program === 'sed')
    return !values.some((value) => /^-\w*i|^--in-place|(?:^|[^a-zA-Z])[wW]\s/.test(value))
  if (program === 'find') return !values.some((value) => /^-(?:delete|fprint|fls)/.test(value))
  if (READERS.has(program)) return true
  const { commands, scripts, isUnknown } = openCommand(command)
  // What it runs is a command of its own and looked at there.
  return !isUnknown && commands.length + scripts.length > 0
}

const movesTo = (command: SimpleCommand): readonly Word[] =>
  ['cd', 'pushd', 'chdir'].includes(programOf(command) ?? '') ? command.words.slice(1) : []
