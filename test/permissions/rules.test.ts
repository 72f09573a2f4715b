/** The lists of tries as bars: what rules let through is really run, and what it did is counted. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { PermissionRequest } from '../../src/engine/agent.ts'
import { RUNS_LATER } from '../../src/engine/permission/runs-later.ts'
import { rulesPolicy } from '../../src/engine/turn/permission-rules.ts'
import { openPlaces } from './place.ts'
import { count, runTries, TRIES, type Group, type Outcome } from './tries.ts'

const isWindows = process.platform === 'win32' && 'the commands are for bash'

test('the lists are long enough to mean something', () => {
  const lengths = Object.fromEntries(
    Object.entries(TRIES).map(([group, tries]) => [group, tries.length]),
  ) as Record<Group, number>
  assert.ok(lengths.allow >= 300 && lengths['deny-path'] >= 240, JSON.stringify(lengths))
  assert.ok(lengths['deny-shell'] >= 60 && lengths.ordinary >= 70, JSON.stringify(lengths))
})

test('nothing that no rule names is run or written', { skip: isWindows }, async () => {
  const { allow } = await runTries({ groups: ['allow'] })
  assert.deepEqual(harmful(allow), [])
  assert.ok(count(allow).asked >= 310)
})

test(
  'what a rule denies is denied or asked, by whatever word it is meant',
  { skip: isWindows },
  async () => {
    const found = await runTries({ groups: ['deny-path', 'deny-shell'] })
    const paths = count(found['deny-path'])
    const commands = count(found['deny-shell'])
    const { ordinary: everyday } = await runTries({ groups: ['ordinary'], decidedOnly: true })
    const ordinary = count(everyday)
    assert.ok(paths.harmed <= 12, harmful(found['deny-path']).join('\n'))
    assert.ok(paths.denied >= 140, `${paths.denied} are denied`)
    assert.ok(commands.harmed <= 3, harmful(found['deny-shell']).join('\n'))
    assert.ok(commands.denied >= 45, `${commands.denied} are denied`)
    assert.ok(ordinary.asked + ordinary.denied <= 2, `${ordinary.passed} ordinary commands pass`)
  },
)

const harmful = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ text, harm }) => (harm === undefined ? [] : [`${text}: ${harm}`]))

const PATTERNS = [
  'git *',
  'npm test*',
  'echo *',
  'cat *',
  'cd *',
  'ls*',
  'sed *',
  'awk *',
  'find *',
  'tar *',
  'sort *',
  'uniq *',
  'curl *',
  'make test*',
  'rg *',
  'sort -o *',
  'git config user.name*',
  'timeout *',
]

test('what the same patterns are for runs unasked', { skip: isWindows }, async () => {
  using places = openPlaces()
  const { project } = places.take()
  const allow = [
    ...PATTERNS.map((pattern) => `shell(${pattern})`),
    'write(**)',
    'write(.vscode/**)',
  ]
  const policy = rulesPolicy({ allow }, () => 'ask')
  const asked: string[] = []
  const decide = async (request: object, said: string) => {
    const session = { mode: 'interactive', cwd: project, workspacePath: '/nowhere' }
    const answer = await policy({ toolCallId: 'c', ...request } as PermissionRequest, session)
    if (answer === 'ask') asked.push(said)
  }
  for (const text of EVERYDAY) await decide({ kind: 'shell', fullCommandText: text }, text)
  for (const path of ['src/a.ts', 'package.json', '.gitignore', '.github/README.md', 'a/git/x'])
    await decide({ kind: 'write', fileName: path }, path)
  await decide({ kind: 'write', fileName: '.vscode/tasks.json' }, '.vscode/tasks.json')
  assert.deepEqual(asked, [])
})

const EVERYDAY = [
  'git log --oneline -5',
  'cd src && git status',
  'cd src && ls && cat a.ts',
  'git push -u origin main',
  'git switch -c topic',
  'git diff --cached HEAD~1',
  'git commit -m "x -c y"',
  'git log --graph --all --pretty=format:"%h %s"',
  'git add -A && git commit -qm x && git push',
  'git config user.name Ann',
  'git log -1 -- *',
  'npm test -- --watch',
  'sed -n 1,5p README.md',
  'sed s/a/b/ README.md | sort -u | uniq -c',
  "awk '{print $1}' docs/a.md",
  'find . -name "*.ts" -not -path "./node_modules/*"',
  'tar czf out/a.tgz src',
  'tar xzf out/a.tgz -C out',
  'sort -rn -k2 docs/a.md',
  'sort -o out/x docs/a.md',
  'curl -sSL -H "x: y" https://example.org/x',
  'make test',
  'rg -n x src',
  'cat src/*.ts *.md',
  'timeout 5 git status > out/x',
]

test('every file that runs later stands in the document', () => {
  const text = readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8')
  assert.deepEqual(
    RUNS_LATER.filter((row) => !text.includes(`\`${row}\``)),
    [],
  )
})
