/**
 * What a command does under another name, for rules that deny: `unlink` is `rm`, an alias of git is what it stands for,
 * `npx x` is `x`. What a program makes up by itself is not seen.
 */
import { baseName, programOf } from '../../lib/shell/open-command.ts'
import type { SimpleCommand } from '../../lib/shell/script.ts'
import { knownWord, unknownWord, type Word } from '../../lib/shell/word.ts'
import { isInterpreter } from './opens.ts'

type Equivalents = {
  readonly commands: readonly (readonly Word[])[]
  /** What it may do as well: a person can tell. */
  readonly guesses: readonly (readonly Word[])[]
  /** Texts that a shell reads. */
  readonly scripts: readonly string[]
}

export function equivalentsOf(command: SimpleCommand): Equivalents {
  const { assignments, words } = command
  const [, ...rest] = words
  const name = programOf(command) ?? ''
  const found: Equivalents[] = [as([], assignments.flatMap(runFrom))]
  const [, ofGit] = /^git-([a-z-]+)$/.exec(name) ?? []
  if (ofGit !== undefined) found.push(as([wordsOf('git', ofGit, rest)]))
  if (name === 'git' || ofGit !== undefined)
    found.push(ofGitCommand(ofGit === undefined ? rest : [knownWord(ofGit), ...rest]))
  if (removes(command)) found.push(as([wordsOf('rm', rest), [knownWord('rm'), ANYTHING]]))
  if (/^(?:npx|bunx|pnpx|uvx)$/.test(name)) found.push(ofRunner(rest))
  const [verb] = rest
  if (/^(?:npm|pnpm|yarn|bun|pipx)$/.test(name) && /^(?:exec|x|dlx|run)$/.test(verb?.value ?? ''))
    if (verb?.value !== 'run' || name === 'pipx') found.push(ofRunner(rest.slice(1)))
  if (isInterpreter(command)) found.push(inCode(rest.flatMap(({ value }) => value ?? [])))
  return {
    commands: found.flatMap(({ commands }) => commands),
    guesses: found.flatMap(({ guesses }) => guesses),
    scripts: found.flatMap(({ scripts }) => scripts),
  }
}

const as = (
  commands: readonly (readonly Word[])[],
  scripts: readonly string[] = [],
  guesses: readonly (readonly Word[])[] = [],
): Equivalents => ({ commands, guesses, scripts })

const ANYTHING = unknownWord('')

/** Each text is a word. */
const wordsOf = (...parts: readonly (string | readonly Word[])[]): readonly Word[] =>
  parts.flatMap((part) => (typeof part === 'string' ? [knownWord(part)] : part))

function removes(command: SimpleCommand): boolean {
  const name = programOf(command) ?? ''
  const values = command.words.slice(1).map(({ value }) => value ?? '')
  const has = (option: RegExp) => values.some((value) => option.test(value))
  if (name === 'unlink') return true
  if (name === 'find') return has(/^-delete$/)
  if (name === 'shred') return has(/^-\w*u|^--remove/)
  if (name === 'tar' || name === 'rsync') return has(/^--remove-/)
  if (name === 'git') return values[0] === 'rm' && !has(/^--(?:cached|help)$/)
  return false
}

/** Variables and settings whose value is a command. */
const RUN =
  /^(?:(?:GIT_)?(?:PAGER|EDITOR|SEQUENCE_EDITOR)|GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG_VALUE_\d+|CONFIG_PARAMETERS)|VISUAL|BROWSER|MANPAGER|LESSOPEN|LESSCLOSE)$|(?:pager|editor|command|external|textconv|helper|fsmonitor|program|cmd|driver|clean|smudge|process|proxy|askpass)(?:\.\w+)?$/i

function runFrom({ value, source }: Word): readonly string[] {
  const [, name = '', text] = /^(\w+)=(.*)$/s.exec(value ?? source) ?? []
  return RUN.test(name) && text !== undefined ? [value === undefined ? '"$x"' : text] : []
}

function ofGitCommand(words: readonly Word[]): Equivalents {
  const values = words.map(({ value }) => value ?? '')
  const at = values.findIndex(
    (value, index) => !value.startsWith('-') && !/^-[cC]$/.test(values[index - 1] ?? ''),
  )
  const rest = at === -1 ? [] : words.slice(at)
  const name = values[at] ?? ''
  const settings = values.slice(0, Math.max(at, 0)).map((value) => value.replace(/^-c(?=\w)/, ''))
  const aliases = settings.flatMap((value) => {
    const [, key = '', text = ''] = /^([\w.-]+)=(.*)$/s.exec(value) ?? []
    return [setting(key, text, rest.slice(1))]
  })
  const isHidden = words.some(
    ({ value, source }, index) => index < at && value === undefined && runsSetting(source),
  )
  const given = values.slice(at + 1)
  const key = given.findIndex((value) => /^[\w-]+\.[\w.-]+$/.test(value))
  const configured =
    name === 'config' && key !== -1 ? [setting(given[key] ?? '', given[key + 1] ?? '', [])] : []
  const isKnown = name === '' || GIT_COMMANDS.has(name)
  return as(
    [
      ...[...aliases, ...configured].flatMap(({ commands }) => commands),
      ...(/^(?:send-pack|http-push)$/.test(name) ? [wordsOf('git', 'push', rest.slice(1))] : []),
      ...(name === 'bisect' && given[0] === 'run' ? [rest.slice(2)] : []),
      ...(name === 'submodule' && given[0] === 'foreach' ? [rest.slice(2)] : []),
    ],
    [
      ...[...aliases, ...configured].flatMap(({ scripts }) => scripts),
      ...given.flatMap((value, index) => scriptGiven(value, given[index + 1])),
    ],
    [
      // An alias of the configuration stands for anything.
      ...(isKnown ? [] : [wordsOf('git', [ANYTHING])]),
      ...(isHidden ? [[ANYTHING]] : []),
    ],
  )
}

const runsSetting = (source: string): boolean => {
  const [key = ''] = source.replace(/^-c/, '').split('=', 1)
  return /^['"]?alias\./i.test(key) || RUN.test(key)
}

function setting(key: string, text: string, rest: readonly Word[]): Equivalents {
  if (!/^alias\./i.test(key)) return as([], RUN.test(key) ? [text] : [])
  if (text.startsWith('!')) return as([], [text.slice(1)])
  return as([wordsOf('git', ...text.split(/\s+/), rest)])
}

/** `--exec x`, `--upload-pack=x`, `--msg-filter x`, `-x x`. */
function scriptGiven(value: string, next: string | undefined): readonly string[] {
  const [, text] =
    /^--(?:exec|upload-pack|receive-pack|extcmd|open-files-in-pager|[a-z]+-filter)(?:=(.*))?$/s.exec(
      value,
    ) ?? []
  if (text !== undefined) return [text]
  return /^(?:-x|--(?:exec|upload-pack|receive-pack|extcmd|[a-z]+-filter))$/.test(value) &&
    next !== undefined
    ? [next]
    : []
}

function ofRunner(words: readonly Word[]): Equivalents {
  const values = words.map(({ value }) => value ?? '')
  const call = values.findIndex((value) => /^(?:-c|--call)$/.test(value))
  if (call !== -1) return as([], values.slice(call + 1, call + 2))
  const at = values.findIndex(
    (value, index) =>
      !value.startsWith('-') && !/^(?:-p|--package|--from|--spec)$/.test(values[index - 1] ?? ''),
  )
  if (at === -1) return as([])
  const [first, ...rest] = words.slice(at)
  const plain =
    first?.value === undefined
      ? []
      : [wordsOf(baseName(first.value).replace(/(?<=.)@.*$/, ''), rest)]
  return as([words.slice(at), ...plain])
}

/** Each text in quotes may be given to a shell, or be the name of a program. */
function inCode(values: readonly string[]): Equivalents {
  const texts = values.flatMap((value) =>
    Array.from(value.matchAll(/(['"`])((?:\\.|(?!\1).)*)\1/gs), ([, , text = '']) => text),
  )
  const removes = values.some((value) =>
    /\b(?:unlink\w*|rmSync|rmdirSync|rmtree|os\.remove)\b/.test(value),
  )
  const named = texts.map((text) => text.trim().split(/\s+/).map(knownWord))
  return as([], [], [...named, ...(removes ? [wordsOf('rm', [ANYTHING])] : [])])
}

const GIT_COMMANDS: ReadonlySet<string> = new Set(
  (
    'add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-ref-format checkout ' +
    'checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree config count-objects credential ' +
    'daemon describe diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import fetch filter-branch filter-repo ' +
    'fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc grep gui hash-object help hook init index-pack interpret-trailers ' +
    'lfs log ls-files ls-remote ls-tree mailinfo maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree ' +
    'multi-pack-index mv name-rev notes pack-objects pack-refs patch-id prune prune-packed pull push range-diff read-tree rebase reflog ' +
    'refs remote repack replace replay request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog ' +
    'show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag unpack-file ' +
    'unpack-objects update-index update-ref update-server-info upload-pack var verify-commit verify-pack verify-tag version whatchanged ' +
    'worktree write-tree http-push'
  ).split(' '),
)
