/** Which of its words a command may open: what well-known programs do with what they are given. */
import { programOf } from '../../lib/shell/open-command.ts'
import type { SimpleCommand } from '../../lib/shell/script.ts'
import type { Word } from '../../lib/shell/word.ts'
import { filesOf } from './classify-command.ts'

/** Programs that write, remove or change the files that they are given. */
const WRITERS: ReadonlySet<string> = new Set(
  (
    'tee cp mv rm rmdir unlink touch truncate ln link install dd shred chmod chown chgrp mkdir patch rsync sponge ' +
    'gzip gunzip bzip2 bunzip2 xz unxz zstd lz4 compress tar zip unzip 7z cpio split csplit curl wget scp ' +
    'ed ex vi vim nvim view emacs nano setfacl setfattr chattr'
  ).split(' '),
)

const GIT_WRITES = /^(?:rm|mv|restore|checkout|clean|reset|apply|stash)$/

/** The words that name files which it writes. */
export function writtenBy(command: SimpleCommand): readonly Word[] {
  const program = programOf(command) ?? ''
  const writes =
    WRITERS.has(program) ||
    (program === 'git' && GIT_WRITES.test(gitCommand(command))) ||
    (/^(?:sed|perl|sort|uniq|xxd|shuf|awk)$/.test(program) &&
      command.words.some(({ value }) =>
        /^-(?:\w*[io]|o.*|-in-place.*|-output.*)$/.test(value ?? ''),
      ))
  return writes ? filesOf(command) : []
}

/** Programs that open none of the files that their words may name. */
const OPENS_NONE: ReadonlySet<string> = new Set(
  (
    'echo printf true false : test [ [[ (( function exit return break continue sleep kill pkill killall pgrep wait export ' +
    'declare typeset local readonly unset set shift let read mapfile readarray shopt getopts seq expr basename dirname which type hash pwd ' +
    'cd pushd popd chdir mkdir rmdir whoami id uname hostname uptime ps printenv trap ulimit umask jobs fg bg disown tput stty ' +
    'clear nproc free df tr sleep yes tty locale ls du stat realpath readlink'
  ).split(' '),
)

const GIT_OPENS =
  /^(?:show|cat-file|blame|archive|hash-object|rm|mv|checkout|restore|apply|grep|diff)$/

/** Whether a word may be a file that it opens; of one that is not known, whether that is likely. */
export function mayOpen(command: SimpleCommand, word: Word, isKnown: boolean): boolean {
  const program = programOf(command) ?? ''
  if (isKnown) return !OPENS_NONE.has(program) || writtenBy(command).includes(word)
  if (/^(?:gh|date)$/.test(program)) return false
  if (program === 'git') return GIT_OPENS.test(gitCommand(command)) && !isMessage(command, word)
  return !OPENS_NONE.has(program)
}

const gitCommand = ({ words }: SimpleCommand): string =>
  words.slice(1).find(({ value }) => value === undefined || !value.startsWith('-'))?.value ?? ''

const isMessage = ({ words }: SimpleCommand, word: Word): boolean =>
  /^(?:-\w*m|--message)$/.test(words[words.indexOf(word) - 1]?.value ?? '') ||
  word.source.startsWith('--message=')

/** A program that opens whatever lies below the folders that it is given. */
type Tree = {
  readonly words: readonly Word[]
  /** It begins where it is started, when it is given no folder. */
  readonly isHere: boolean
  readonly takes: (path: string) => boolean
  readonly writes: boolean
}

const GREPS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'zgrep'])

export function treeOf(command: SimpleCommand): Tree | undefined {
  const program = programOf(command) ?? ''
  const [, ...rest] = command.words
  const values = rest.map(({ value }) => value ?? '')
  const has = (option: RegExp) => values.some((value) => option.test(value))
  const operands = rest.filter(({ value = '' }) => !value.startsWith('-'))
  const whole = { words: operands, isHere: false, takes: () => true, writes: false }
  if (GREPS.has(program))
    return has(/^-\w*[rR]|^--(?:dereference-)?recursive$/)
      ? { ...whole, isHere: operands.length < 2, takes: grepTakes(values) }
      : undefined
  if (program === 'rg' || program === 'ag') {
    const isHidden = has(/^-\w*[u.]|^--(?:hidden|no-ignore|unrestricted)/)
    const takes = (path: string) => isHidden || !/\/\./.test(path)
    return { ...whole, isHere: operands.length < 2, takes }
  }
  if (program === 'find') return foundBy(rest)
  if (/^(?:tar|zip|7z|rsync)$/.test(program)) return { ...whole, writes: has(/^--remove|^-\w*m/) }
  if (/^(?:cp|scp|diff)$/.test(program))
    return has(/^-\w*[rRa]|^--(?:recursive|archive)/) ? whole : undefined
  if (program === 'mv') return { ...whole, writes: true }
  if (program === 'git')
    return /^(?:rm|clean|checkout|restore|mv)$/.test(gitCommand(command))
      ? { ...whole, isHere: gitCommand(command) === 'clean', writes: true }
      : undefined
  if (/^(?:rm|chmod|chown|chgrp|shred)$/.test(program))
    return has(/^-\w*[rR]|^--recursive/) ? { ...whole, writes: true } : undefined
  return undefined
}

function grepTakes(values: readonly string[]): (path: string) => boolean {
  const given = (option: string) =>
    values.flatMap((value) => (value.startsWith(option) ? [value.slice(option.length)] : []))
  const [only, without] = [given('--include='), given('--exclude=')]
  return (path) =>
    (only.length === 0 || only.some((each) => fitsEnd(each, path))) &&
    !without.some((each) => fitsEnd(each, path))
}

/** `*.ts`, or a whole name; another pattern may fit anything. */
function fitsEnd(pattern: string, path: string): boolean {
  const [, star, end = ''] = /^(\*?)([^*?[\]{}\\]*)$/.exec(pattern) ?? []
  if (star === undefined) return true
  return path.endsWith(star === '' ? `/${end}` : end)
}

/** Only what `-exec` and `-delete` do is of `find` itself; what it prints goes to others, who are asked about it. */
function foundBy(words: readonly Word[]): Tree | undefined {
  const values = words.map(({ value }) => value ?? '')
  const isDeleted = values.includes('-delete')
  const at = values.findIndex((value) => /^-(?:exec|ok)(?:dir)?$/.test(value))
  if (!isDeleted && at === -1) return undefined
  const end = values.findIndex((value) => /^[-(!]/.test(value))
  const isPlain = !values.some((value) => /^(?:!|-not|-o|-or|,)$/.test(value))
  const names = values.filter((_, index) => values[index - 1] === '-name')
  return {
    words: words.slice(0, end),
    isHere: end === 0,
    takes: (path) => !isPlain || names.every((name) => fitsEnd(name, path)),
    writes: isDeleted || WRITERS.has(values[at + 1] ?? ''),
  }
}

const INTERPRETERS =
  /^(?:python[\d.]*|pypy\d?|node|deno|bun|tsx|ts-node|perl[\d.]*|ruby|php[\d.]*|lua[\d.]*|tclsh|Rscript|julia|g?m?awk|nawk|ed|ex|vim?|nvim|emacs|sqlite3|psql|mysql|duckdb|jq|osascript|make)$/

/** They run code in which a file may be named in any way. */
export const isInterpreter = (command: SimpleCommand): boolean => {
  const program = programOf(command) ?? ''
  return INTERPRETERS.test(program) || (program === 'sed' && command.words.length > 1)
}
