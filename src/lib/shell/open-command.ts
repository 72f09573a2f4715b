/**
 * Commands that run other commands: what they run is a part of the script like any other. Where an option is not known,
 * so that it cannot be told which word begins the command, what is run is unknown.
 */
import { hidesSubstitution, type SimpleCommand } from './script.ts'
import { ANY, unknownWord, type Word } from './word.ts'

type Opened = {
  readonly commands: readonly SimpleCommand[]
  /** Texts that a shell reads. */
  readonly scripts: readonly string[]
  /** It runs something that cannot be told. */
  readonly isUnknown: boolean
}

const NOTHING: Opened = { commands: [], scripts: [], isUnknown: false }
const UNKNOWN: Opened = { ...NOTHING, isUnknown: true }

/** The name of the program of a command, without its folder. */
export const programOf = ({ words: [first] }: SimpleCommand): string | undefined =>
  first?.value === undefined ? undefined : baseName(first.value)

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export function openCommand(command: SimpleCommand): Opened {
  const { words } = command
  const [first, ...rest] = words
  if ([...command.assignments, ...words].some(({ source, loose }) => setsWhatRuns(source, loose)))
    return UNKNOWN
  if (first === undefined) return NOTHING
  if (first.value === undefined || first.hasPattern) return UNKNOWN
  const name = baseName(first.value).toLowerCase()
  if (SHELLS.has(name)) return shell(rest)
  if (EVALUATING.has(name) && rest.some(mayEvaluate)) return UNKNOWN
  const prefix = PREFIXES[name]
  if (prefix !== undefined) return prefixed(rest, prefix)
  const open = OPENERS[name]
  if (open !== undefined) return open(rest)
  return RUNNERS.has(name) ? UNKNOWN : NOTHING
}

/** Variables whose values a shell runs or loads, functions in the environment, names for other programs. */
const RUN_LATER =
  /^(?:BASH_ENV|PROMPT_COMMAND|PS[0-4]|BASH_FUNC_[^=]*|BASH_ALIASES|BASH_CMDS|LD_PRELOAD|LD_AUDIT)(?:\[.*\])?\+?=/s

const setsWhatRuns = (...texts: readonly string[]): boolean =>
  texts.some((text) => RUN_LATER.test(text))

const SHELLS: ReadonlySet<string> = new Set('sh bash dash ash ksh mksh zsh rbash yash'.split(' '))

/** They evaluate their words once more: a subscript that is quoted can hold a substitution. */
const EVALUATING: ReadonlySet<string> = new Set(
  'let test [ printf read unset declare typeset local export readonly mapfile readarray wait compgen'.split(
    ' ',
  ),
)

const mayEvaluate = ({ value }: Word): boolean =>
  value === undefined ? false : hidesSubstitution(value)

/** They run something, in too many ways to follow. */
const RUNNERS: ReadonlySet<string> = new Set(
  (
    'alias su runuser script flock watch sg setpriv systemd-run parallel strace ltrace gdb valgrind chrt taskset numactl ' +
    'unshare nsenter prlimit firejail bwrap proot fakeroot dbus-run-session xvfb-run entr perf expect rlwrap unbuffer ' +
    'torsocks proxychains proxychains4 pkexec start-stop-daemon chpst setarch fish csh tcsh elvish nu pwsh powershell ' +
    'cmd.exe coproc enable complete bind at batch crontab ssh-agent daemonize fdfind fd'
  ).split(' '),
)

type Prefix = {
  /** Options that stand alone, or have their value in the same word. */
  readonly alone?: RegExp
  /** Options whose value is the next word. */
  readonly valued?: RegExp
  /** How many words stand before the command. */
  readonly before?: number
  readonly takesAssignments?: true
  /** Words are added behind those of the command while it runs. */
  readonly adds?: true
}

const PREFIXES: Readonly<Record<string, Prefix | undefined>> = {
  '!': {},
  nohup: {},
  command: { alone: /^-p$/ },
  builtin: {},
  exec: { alone: /^-[cl]+$/, valued: /^-a$/ },
  time: { alone: /^-p$/ },
  nice: { alone: /^-(?:\d+|n-?\d+)$|^--adjustment=/, valued: /^(?:-n|--adjustment)$/ },
  ionice: { alone: /^-(?:t|c\d|n\d)$/, valued: /^-[cn]$/ },
  setsid: { alone: /^-[cfw]+$|^--(?:fork|wait|ctty)$/ },
  stdbuf: { alone: /^-[ioe].+$|^--(?:input|output|error)=/, valued: /^-[ioe]$/ },
  timeout: {
    alone: /^(?:-v|--verbose|--foreground|--preserve-status|-[sk].+|--(?:signal|kill-after)=.*)$/,
    valued: /^(?:-s|-k|--signal|--kill-after)$/,
    before: 1,
  },
  env: {
    alone: /^(?:-|-i|-0|--ignore-environment|--null|-u.+|--unset=.*)$/,
    valued: /^(?:-u|--unset)$/,
    takesAssignments: true,
  },
  sudo: { alone: /^-[nEHSkbP]+$/, valued: /^-[ugp]$/, takesAssignments: true },
  doas: { alone: /^-n$/, valued: /^-u$/ },
  busybox: {},
  toybox: {},
  chroot: { before: 1 },
  xargs: {
    alone: /^(?:-[0rtpx]+|-[nLPIsdEa].+|--null|--no-run-if-empty|--verbose)$/,
    valued: /^-[nLPIsdEa]$/,
    adds: true,
  },
}

function prefixed(words: readonly Word[], prefix: Prefix): Opened {
  const assignments: Word[] = []
  let before = prefix.before ?? 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word
    const { value } = word
    if (value === undefined) return UNKNOWN
    if (value === '--') continue
    if (value.startsWith('-')) {
      if (prefix.valued?.test(value)) at++
      else if (!prefix.alone?.test(value)) return UNKNOWN
    } else if (prefix.takesAssignments && value.includes('=')) assignments.push(word)
    else if (before > 0) before--
    else {
      const added = prefix.adds ? [unknownWord(ANY)] : []
      return { ...NOTHING, commands: [{ assignments, words: [...words.slice(at), ...added] }] }
    }
  }
  return prefix === PREFIXES['sudo'] ? UNKNOWN : NOTHING
}

const OPENERS: Readonly<Record<string, ((words: readonly Word[]) => Opened) | undefined>> = {
  eval: (words) => texts([words.map(({ value }) => value)]),
  trap: (words) => {
    const text = words.find(({ value }) => value !== '--')
    return text === undefined ? NOTHING : texts([[text.value]])
  },
  source,
  '.': source,
  mapfile: withCallback,
  readarray: withCallback,
  compgen: withCallback,
  hash: (words) => (words.some(({ value }) => value !== '-r') ? UNKNOWN : NOTHING),
  find,
}

/** Each text is the words of it; one that is not known makes the whole unknown. */
function texts(all: readonly (readonly (string | undefined)[])[]): Opened {
  if (all.flat().includes(undefined)) return UNKNOWN
  return { ...NOTHING, scripts: all.map((words) => words.join(' ')) }
}

/** `-c` and its text; a script that is a file is not looked into; without either it runs what it is given to read. */
function shell(words: readonly Word[]): Opened {
  for (let at = 0; at < words.length; at++) {
    const value = words[at]?.value
    if (value === undefined) return UNKNOWN
    if (/^[-+][oO]$/.test(value)) at++
    else if (/^-(?=[a-zA-Z]*c)[a-zA-Z]+$/.test(value)) {
      const text = words.slice(at + 1).find((word) => word.value !== '--')
      if (text?.value === undefined || /^[-+]/.test(text.value)) return UNKNOWN
      return texts([[text.value]])
    } else if (
      value === '-s' ||
      value === '-' ||
      value === '-i' ||
      /^--(?:rcfile|init-file)/.test(value)
    )
      return UNKNOWN
    else if (!/^[-+]/.test(value)) return NO_FILE.test(value) ? UNKNOWN : NOTHING
  }
  return UNKNOWN
}

/** A file is not looked into; what is made while it is read cannot be. */
function source(words: readonly Word[]): Opened {
  const file = words.find(({ value }) => value !== '--')
  if (file === undefined) return NOTHING
  return file.value === undefined || NO_FILE.test(file.value) ? UNKNOWN : NOTHING
}

const NO_FILE = /^\/+(?:dev|proc)\//

/** The file that a command runs as a program or a script. */
export function ranFile(command: SimpleCommand): string | undefined {
  const [first, ...rest] = command.words.map(({ value }) => value)
  const name = baseName(first ?? '')
  if (SHELLS.has(name) || name === 'source' || name === '.')
    return rest.find((value) => value !== undefined && !/^[-+]/.test(value))
  return first?.includes('/') ? first : undefined
}

/** They run a text for every line or word. */
function withCallback(words: readonly Word[]): Opened {
  const isRun = words.some(({ value }) => value === undefined || /^-\w*[CFW]/.test(value))
  return isRun ? UNKNOWN : NOTHING
}

const EXECUTES: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** `{}` stands for the files that are found. */
function find(words: readonly Word[]): Opened {
  if (words.some(({ value }) => value === undefined)) return UNKNOWN
  const commands: SimpleCommand[] = []
  for (let at = 0; at < words.length; at++) {
    if (!EXECUTES.has(words[at]?.value ?? '')) continue
    const rest = words.slice(at + 1)
    const end = rest.findIndex(({ value }) => value === ';' || value === '+')
    const run = rest.slice(0, end === -1 ? undefined : end)
    commands.push({
      assignments: [],
      // What is found is looked for below the folders that are searched.
      words: run.map((word) => (word.value?.includes('{}') ? unknownWord(word.source, []) : word)),
    })
    at += run.length
  }
  return { ...NOTHING, commands }
}
