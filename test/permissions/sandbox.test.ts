/** Tries that rules on text let through, really run in the sandbox: only what git has committed is still read. */
import assert from 'node:assert/strict'
import { realpathSync } from 'node:fs'
import { test } from 'node:test'
import { wallBuilder } from '../../src/engine/permission/walls.ts'
import { systemSandbox } from '../../src/lib/sandbox/system-sandbox.ts'
import { PATH_RULES } from './deny-path-tries.ts'
import { harmIn, openPlaces, runIn, type Wrap } from './place.ts'

const sandbox = await systemSandbox()
const options = 'missing' in sandbox ? { skip: sandbox.missing } : {}

const enclose: Wrap = async (text, { root, project }) => {
  if ('missing' in sandbox) throw new Error(sandbox.missing)
  const builder = wallBuilder({
    cwd: project,
    workspacePath: `${root}/session`,
    home: undefined,
    hookFiles: [],
    rules: PATH_RULES,
  })
  const { walls } = await builder.build(text, process.env)
  const { words, files } = await sandbox.enclose(walls, project)
  const [file = '', ...args] = words
  return { file, args: [...args, '/bin/bash', '-c', text], files }
}

/** Each by another way around words: patterns, programs, links, names, moves, what runs later. */
const HARMLESS_INSIDE = [
  'cat .e*',
  'x=.env; cat $x',
  'grep -r S= .',
  'tar cf - . | strings',
  'cp -r . ../copy; cat ../copy/.env',
  `python3 -c "print(open('.e' + 'nv').read())"`,
  "perl -pe 1 '.env'",
  'ln .env hard; cat hard',
  'ln -s .env soft; cat soft',
  'mv .env moved; cat moved',
  'mv ../p ../q; cat ../q/.env; echo x > ../q/victim',
  'cat /proc/self/root/$PWD/.env',
  'rm -f victim; echo x > victim',
  'sed -i s/precious/x/ victim',
  'chmod 600 victim',
  'git rm -qf victim',
  'find . -name victim -delete',
  "python3 -c \"open('vic' + 'tim', 'w').write('x')\"",
  'echo touch pwned > .git/hooks/pre-commit',
  'git config core.pager "touch pwned"',
  'mv .git g; cp -r g .git; echo touch pwned > .git/hooks/pre-commit',
  'unshare -Urm sh -c "umount .env; cat .env"',
]

test(
  'what rules deny is neither read nor written by what a command opens by itself',
  options,
  async () => {
    using places = openPlaces()
    const harms: string[] = []
    for (const text of HARMLESS_INSIDE) {
      using place = places.take()
      const output = await runIn(place, text, enclose)
      const harm = harmIn(place, { output, isSecret: true })
      if (harm !== undefined) harms.push(`${text}: ${harm}`)
    }
    assert.deepEqual(harms, [])
  },
)

test('git still tells what was committed of a file that is masked', options, async () => {
  using places = openPlaces()
  using place = places.take()
  assert.match(await runIn(place, 'git show HEAD:.env', enclose), /sesame/)
})

test('ordinary commands do inside what they do outside', options, async () => {
  using places = openPlaces()
  const commands = [
    'git commit --allow-empty -qm "A subject" && git log --format=%s | head -1',
    'git checkout -q -b topic && git branch --show-current',
    'mkdir -p out/a && touch out/a/b && ls out/a && rm -rf out/a',
    'for f in src/*.ts; do wc -l "$f"; done',
    'sed -i s/one/eins/ docs/a.md && cat docs/a.md',
    'tar czf out/src.tgz src && tar tzf out/src.tgz',
    'script -qc tty /dev/null | grep -c pts',
    'f=$(mktemp) && echo x > $f && cat $f && rm $f',
    'npm test --silent; echo $?',
    'cd src && git -C .. worktree add -q ../wt-$$ && echo added',
    'git init -q nested && git -C nested commit --allow-empty -qm x && echo nested',
    'sleep 0.1 & wait; echo $?',
  ]
  const seen = async (wrap?: Wrap) => {
    const outputs: string[] = []
    for (const text of commands) {
      using place = places.take()
      outputs.push((await runIn(place, text, wrap)).replaceAll(place.root, ''))
    }
    return outputs
  }
  assert.deepEqual(await seen(enclose), await seen())
})

test(
  'work trees, submodules, links to a project, and a project that is the home are written as usual',
  options,
  async () => {
    if ('missing' in sandbox) return
    using places = openPlaces()
    using place = places.take()
    const { root, project } = place
    const outside = (text: string) => runIn(place, text)
    await outside(
      'git worktree add -q ../tree -b tree; git init -q ../lib; git -C ../lib commit -qm x --allow-empty; ' +
        'git -c protocol.file.allow=always submodule add -q ../lib sub; git commit -qam sub; ln -s p ../link; mkdir -p ../home/work',
    )
    const inside = async (cwd: string, text: string) => {
      const given = {
        cwd,
        workspacePath: `${root}/session`,
        home: undefined,
        hookFiles: [],
        rules: {},
      }
      const { walls } = await wallBuilder(given).build(text, process.env)
      // Only what the project brings counts here: tests lie in the temporary folder.
      const kept = walls.places.filter(({ path }) => path.startsWith(`${root}/`))
      const own = realpathSync(cwd)
      const { words, files } = await sandbox.enclose({ ...walls, places: kept }, own)
      const [file = '', ...args] = words
      const enclosed: Wrap = () =>
        Promise.resolve({ file, args: [...args, '/bin/bash', '-c', text], files })
      return (await runIn({ ...place, project: own }, text, enclosed)).trim()
    }
    const commit = 'echo x > new && git add new && git commit -qm new && git log -1 --format=%s'
    const hook = 'echo x 2>/dev/null > "$(git rev-parse --git-path hooks)/pre-commit" || echo kept'
    for (const cwd of [
      project,
      `${root}/tree`,
      `${project}/sub`,
      `${root}/link`,
      `${project}/src`,
    ]) {
      assert.equal(await inside(cwd, `${commit}; git reset -q --hard HEAD^`), 'new', cwd)
      assert.equal(await inside(cwd, `{ ${hook}; } 2>/dev/null`), 'kept', cwd)
    }
    assert.equal(await inside(`${root}/home`, 'echo x > work/a && cat work/a'), 'x')
    assert.match(await inside(project, 'echo x > ../other'), /Read-only file system/)
  },
)
