/**
 * By which words a command may change files of Reprise itself. Who reads only cannot; of anything else every word counts,
 * wherever it stands: what one program lists or prints, the next one may remove.
 */
import { baseName, openCommand, programOf } from '../../lib/shell/open-command.ts'
import type { ShellParts } from '../../lib/shell/parts.ts'
import type { SimpleCommand } from '../../lib/shell/script.ts'
import type { Word } from '../../lib/shell/word.ts'

export function handledWords({ commands, reads, writes, moves }: ShellParts): readonly Word[] {
  if (commands.every(readsOnly) && writes.length === 0) return []
  if (!commands.every(isClear)) {
    const given = commands.flatMap((command) => [
      ...command.assignments.map(withoutHome),
      ...filesOf(command),
    ])
    return [...given, ...reads, ...writes]
  }
  // A file is written by its name alone, from the folder that the command is in: behind a redirection, or given to a
  // program that takes no other.
  const isTold = moves.length <= 1 && !moves.includes(undefined) && writes.every(isKnown)
  const named = commands.flatMap((command) => (readsOnly(command) ? [] : filesOf(command)))
  return [...(isTold ? [] : commands.flatMap(movesTo)), ...named, ...writes]
}

/** The words of loops and here-documents count too, and what a variable was given. */
export function handledText(
  text: string,
  { commands, writes, unknown }: ShellParts,
): string | undefined {
  const isPlain =
    unknown === undefined &&
    commands.every(isClear) &&
    writes.every(({ value }) => value !== undefined)
  if (isPlain) return undefined
  const given = commands.flatMap(({ assignments }) => assignments).filter(setsHome).length
  const isOnlyGiven = text.match(new RegExp(HOMES, 'g'))?.length === given
  return (isOnlyGiven ? text.replaceAll(new RegExp(`${HOMES}=`, 'g'), '') : text).replace(
    /(?<=\s)--(?:exclude|ignore-pattern)\s+\S+|(?<=\s)--?(?:exclude|ignore|skip)\S*|https?:\/\/[\w./%-]+/g,
    '',
  )
}

const HOMES = '\\b(?:REPRISE|COPILOT)_HOME'

/** Another home is given to a program; that is no way into this one, unless its value is. */
const setsHome = ({ source }: Word): boolean => new RegExp(`^${HOMES}=`).test(source)

const withoutHome = (word: Word): Word =>
  setsHome(word)
    ? { ...word, source: word.source.replace(/^\w+=/, ''), loose: word.loose.replace(/^\w+=/, '') }
    : word

/** The words of a command that may name a file: no address, no script of sed, nothing that it is told to leave out. */
export function filesOf(command: SimpleCommand): readonly Word[] {
  const [, ...words] = command.words
  const scripts = programOf(command) === 'sed' && isPlainSed(command) ? scriptsOf(command) : []
  const files = words.filter(
    (word, at) =>
      !LEAVES_OUT.test(word.source) &&
      !/^--(?:exclude|ignore-pattern)$/.test(words[at - 1]?.source ?? '') &&
      !/^https?:\/\//.test(word.source) &&
      !scripts.includes(word),
  )
  return programOf(command) === 'export' ? files.map(withoutHome) : files
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

export function readsOnly(command: SimpleCommand): boolean {
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
  if (program === 'awk')
    return rest.every(isKnown) && !/[>|@]|system|getline/.test(values.join(' '))
  if (program === 'gh') return /^(?:pr|issue|search)$/.test(values[0] ?? '')
  if (program === 'sed')
    return !values.some((value) => /^-\w*i|^--in-place/.test(value)) && isPlainSed(command)
  if (program === 'find') return !values.some((value) => /^-(?:delete|fprint|fls)/.test(value))
  if (READERS.has(program)) return true
  const { commands, scripts, isUnknown } = openCommand(command)
  // What it runs is a command of its own and looked at there.
  return !isUnknown && commands.length + scripts.length > 0
}

/** It takes no names from what it reads, and each of its own is known. */
const isClear = (command: SimpleCommand): boolean =>
  readsOnly(command) || (command.words.every(isKnown) && takesNoNames(command))

function takesNoNames(command: SimpleCommand): boolean {
  const [program = '', first = ''] = [programOf(command), command.words[1]?.value]
  if (program === 'sed') return isPlainSed(command)
  return NAMED.has(program) || (BUILDERS.has(program) && /^(?:test|run|ci|install)$/.test(first))
}

const NAMED: ReadonlySet<string> = new Set(
  'tee cp mv rm rmdir unlink touch truncate ln link mkdir chmod chown chgrp install shred sort uniq tsc'.split(
    ' ',
  ),
)

const BUILDERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn'])

const isKnown = ({ value, hasPattern }: Word): boolean => value !== undefined && !hasPattern

const movesTo = (command: SimpleCommand): readonly Word[] =>
  ['cd', 'pushd', 'chdir'].includes(programOf(command) ?? '') ? command.words.slice(1) : []

/** Its scripts choose lines and put text in the place of text; others may write a file or run a command. */
export const isPlainSed = (command: SimpleCommand): boolean =>
  !command.words.some(({ value }) => /^-\w*f|^--file/.test(value ?? '')) &&
  scriptsOf(command).every(({ value }) => PLAIN_SED.test(value ?? 'w'))

const PLAIN_SED = (() => {
  const place = String.raw`(?:\d+|\$|\/(?:\\.|[^\\/\n])*\/)`
  const part = String.raw`(?:\\.|(?!\1)[^\\\n])*`
  const substitution = String.raw`s([^\w\s\\])${part}\1${part}\1[gIi\dp]*`
  return new RegExp(
    String.raw`^(?:[\s;]*(?:${place}(?:[,~]\+?${place})?!? ?)?(?:[pdqQ=nNhHgGxD{}]|${substitution}))+[\s;]*$`,
  )
})()

export function scriptsOf({ words }: SimpleCommand): readonly Word[] {
  const given = words.filter((_, at) => /^(?:-\w*e|--expression)$/.test(words[at - 1]?.value ?? ''))
  const first = words.slice(1).find(({ value }) => value !== undefined && !value.startsWith('-'))
  return given.length > 0 || first === undefined ? given : [first]
}
