/**
 * Words of well-known programs by which they run another program, or write a file, beside what they are for. A pattern
 * that allows the program does not mean them: it has the word in it, or a person is asked. The list is not complete, and
 * cannot be: it makes mistakes rare, it is no wall.
 */
import type { SimpleCommand } from '../../lib/shell/script.ts'
import { programOf } from '../../lib/shell/open-command.ts'
import { isPlainSed, scriptsOf } from './classify-command.ts'

type Uses = {
  /** Long options, which may be shortened, and short ones, alone or with their value. */
  readonly options?: string
  /** Letters that count in a bundle as well: `-uo` has an `o`. */
  readonly letters?: string
  /** Words that count wherever they stand. */
  readonly words?: RegExp
  /** One that writes its second operand; options whose value is the next word. */
  readonly writesSecond?: RegExp
}

/** By the program; of git by its command. */
const USES: Readonly<Record<string, Uses | undefined>> = {
  tar: {
    options:
      '--checkpoint-action --to-command --use-compress-program --info-script --new-volume-script --rsh-command --rmt-command --remove-files',
    letters: 'IF',
    words: /^[A-Za-z]*[IF][A-Za-z]*$/,
  },
  sed: { options: '--in-place --file', letters: 'if' },
  awk: { options: '--file --include --exec --load --source', letters: 'fiEle' },
  find: { words: /^-(?:delete|fprint0?|fprintf|fls|execdir|okdir|files0-from)$/ },
  sort: { options: '--output --compress-program', letters: 'o' },
  uniq: { writesSecond: /^-[fsw]$/ },
  xxd: { writesSecond: /^-[lcsgon]$/ },
  shuf: { options: '--output', letters: 'o' },
  tree: { options: '--output', letters: 'o' },
  rg: { options: '--pre --hostname-bin' },
  less: {
    options: '--log-file --LOG-FILE --lesskey-src --lesskey-file',
    letters: 'oOk',
    words: /^\+/,
  },
  man: { options: '--pager --html --config-file', letters: 'PHC' },
  npm: { options: '--script-shell --prefix --userconfig --globalconfig --shell', letters: 'C' },
  pnpm: { options: '--script-shell --dir --config --shell-mode', letters: 'C' },
  yarn: { options: '--cwd --script-shell --use-yarnrc' },
  bun: { options: '--cwd --config --preload --shell', letters: 'rc' },
  make: {
    options: '--file --makefile --directory --include-dir --eval',
    letters: 'fCIE',
    words: /^\w+[:+?!]*=/,
  },
  cargo: { options: '--config --manifest-path --target-dir', letters: 'CZ' },
  go: { words: /^--?(?:exec|toolexec|vettool|C|o|overlay|modfile|pkgdir|ldflags|gcflags)(?:=|$)/ },
  curl: {
    options:
      '--output --output-dir --remote-name --remote-name-all --remote-header-name --config --dump-header --cookie-jar --trace --trace-ascii --stderr --hsts --alt-svc --etag-save --libcurl',
    letters: 'oOJKDc',
  },
  wget: {
    options:
      '--output-document --output-file --append-output --directory-prefix --execute --config --use-askpass --save-cookies',
    letters: 'OoaPe',
  },
  rsync: { options: '--rsh --rsync-path --log-file --remove-source-files', letters: 'e' },
  zip: { options: '--unzip-command', words: /^-TT$/ },
  'git clone': { options: '--config --upload-pack --template', letters: 'cu' },
  'git grep': { options: '--open-files-in-pager', letters: 'O' },
  'git fetch': { options: '--upload-pack' },
  'git pull': { options: '--upload-pack' },
  'git ls-remote': { options: '--upload-pack --exec' },
  'git push': { options: '--receive-pack --exec' },
  'git rebase': { options: '--exec', letters: 'x' },
  'git archive': { options: '--exec', letters: 'o' },
  'git format-patch': { options: '--output-directory', letters: 'o' },
  'git bisect': { words: /^run$/ },
  'git submodule': { words: /^foreach$/ },
  'git init': { options: '--template' },
}

/** Commands of git that run what they or the configuration say. */
const GIT_RUNS =
  /^(?:config|difftool|mergetool|filter-branch|filter-repo|hook|send-email|instaweb|daemon|credential|web--browse|maintenance|for-each-repo|fast-import)$/

const AWKS: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk', 'original-awk'])
const AWK_RUNS = /[>|@]|system|getline/

/** `given` are the words behind the program, with names of files in the place of patterns. */
export function wordsToName(command: SimpleCommand, given: readonly string[]): readonly string[] {
  const name = (programOf(command) ?? '').replace(/^(?:g(?=sed$|tar$|find$|make$)|bsd(?=tar$))/, '')
  if (name === 'git') return gitWords(given)
  if (AWKS.has(name))
    return [...usesIn(USES['awk'], given), ...given.filter((word) => AWK_RUNS.test(word))]
  if (name === 'sed' && !isPlainSed(command))
    return [
      ...usesIn(USES['sed'], given),
      ...scriptsOf(command).flatMap(({ value }) => value ?? []),
    ]
  return Object.hasOwn(USES, name) ? usesIn(USES[name], given) : []
}

/** What stands before the command of git is for all of them; each but a few is one that changes what it runs. */
function gitWords(given: readonly string[]): readonly string[] {
  const at = given.findIndex((word, index) => !word.startsWith('-') && !isValue(given[index - 1]))
  const before = given.slice(0, at === -1 ? undefined : at)
  const [name = '', ...rest] = at === -1 ? [] : given.slice(at)
  return [
    ...before.flatMap((word) =>
      GIT_PLAIN.test(word) || !word.startsWith('-') ? [] : [stemOf(word)],
    ),
    ...(GIT_RUNS.test(name) ? [name] : []),
    ...usesIn({ options: '--output' }, rest),
    ...usesIn(USES[`git ${name}`], rest),
  ]
}

const isValue = (before: string | undefined): boolean =>
  /^(?:-[cC]|--(?:git-dir|work-tree|namespace|exec-path|super-prefix|config-env|attr-source))$/.test(
    before ?? '',
  )

const GIT_PLAIN =
  /^(?:-[pP]|-[vh]|--(?:version|help|paginate|no-pager|no-optional-locks|no-replace-objects|literal-pathspecs|no-advice))$/

function usesIn(uses: Uses | undefined, given: readonly string[]): readonly string[] {
  if (uses === undefined) return []
  const options = uses.options?.split(' ') ?? []
  const end = given.indexOf('--')
  const found = (end === -1 ? given : given.slice(0, end)).filter(
    (word) =>
      uses.words?.test(word) ||
      (word.startsWith('--') && word.length > 2
        ? options.some((option) => option.startsWith(stemOf(word)))
        : /^-[^-]/.test(word) && [...(uses.letters ?? '')].some((each) => word.includes(each))),
  )
  return [...found.map(stemOf), ...secondOf(uses, given)]
}

function secondOf({ writesSecond }: Uses, given: readonly string[]): readonly string[] {
  if (writesSecond === undefined) return []
  const operands = given.filter(
    (word, at) =>
      (!word.startsWith('-') || word === '-') && !writesSecond.test(given[at - 1] ?? ''),
  )
  return operands.slice(1, 2)
}

/** `--output=x` is called by its name. */
const stemOf = (word: string): string => /^(?:--?[\w-]+|\w+[:+?!]*)(?==)/.exec(word)?.[0] ?? word

/** The word stands in the pattern, by itself. */
export const hasWord = (pattern: string, word: string): boolean => {
  for (let at = pattern.indexOf(word); at !== -1; at = pattern.indexOf(word, at + 1))
    if (
      /^$|[\s'"]/.test(pattern.slice(at - 1, at)) &&
      /^$|[\s='"*:]/.test(pattern.slice(at + word.length).slice(0, 1))
    )
      return true
  return false
}
