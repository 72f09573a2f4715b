/** Spellings of paths and commands that a rule must see through: each table against rules that allow and rules that deny. */
import assert from 'node:assert/strict'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, describe, test } from 'node:test'
import type { PermissionRequest } from '../agent.ts'
import { rulesPolicy, type PermissionRules } from '../turn/permission-rules.ts'
import { evaluatedCommands } from '../../../test/support/evaluated-commands.ts'
import { spelledCommands } from '../../../test/support/spelled-commands.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'attacks-')))
after(() => rmSync(root, { recursive: true, force: true }))
const p = join(root, 'p')
for (const folder of ['src/deep', 'docs', 'sub']) mkdirSync(join(p, folder), { recursive: true })
for (const file of ['.env', 'victim', 'src/a.ts', 'docs/a.md']) writeFileSync(join(p, file), 'x')
for (const [name, target] of [
  ['p/self', '.'],
  ['p/alias', '.env'],
  ['p/chain', 'alias'],
  ['p/src/up', '..'],
  ['p/src/far', '../..'],
  ['p/src/env', '../.env'],
  ['p/src/nowhere', '../not-there-yet'],
  ['p/src/etc', '/etc'],
  ['p/docs/etc', '/etc'],
  ['p/docs/passwd', '/etc/passwd'],
  ['other', 'p'],
] as const)
  symlinkSync(target, join(root, name))

const session = { mode: 'interactive', cwd: p, workspacePath: join(root, 'session') }

async function decided(
  rules: PermissionRules,
  request: object,
  otherwise: 'ask' | 'allow',
): Promise<string> {
  const policy = rulesPolicy(rules, () =>
    otherwise === 'ask' ? 'ask' : { kind: 'allow', by: 'policy' },
  )
  const answer = await policy({ toolCallId: 'c', ...request } as PermissionRequest, session)
  return answer === 'ask' ? 'ask' : answer.kind
}

const write = (fileName: string) => ({ kind: 'write', fileName })
const read = (path: string) => ({ kind: 'read', path })
const shell = (fullCommandText: string) => ({ kind: 'shell', fullCommandText })

const times = (starts: readonly string[], ends: readonly string[]): string[] =>
  starts.flatMap((start) => ends.map((end) => start + end))

/** Ways into the project, for a program that was started in it. */
const intoProject = [
  '',
  './',
  '././',
  './/',
  'src/../',
  'src//..//',
  'docs/./../',
  'src/deep/../../',
  'self/',

  'self/self/./',
  'src/up/',
  'src/up/src/up/',
  'src/far/p/',
  '../p/',
  '../other/',
  '../p/../p/',
  `${p}/`,
  `${p}//`,
  `/${p}/`,
  `//${p}/./`,
  `${root}/other/`,
  `${p}/src/../`,
  `/.${p}/`,
  `/tmp/..${p}/`,
  `~/${relative(homedir(), p)}/`,
  ...(process.platform === 'linux'
    ? [
        '/proc/self/cwd/',
        '/proc/thread-self/cwd/',
        `/proc/${process.pid}/cwd/`,
        '/proc/self/cwd/src/../',
        '/proc/../proc/self//cwd/',
        `/proc/self/root${p}/`,
        `/proc/self/task/${process.pid}/cwd/`,
        '/proc/self/fd/3/',
        '/dev/fd/3/',
      ]
    : []),
]

const toTheFile = ['.env', './/.env', 'alias', 'chain', 'self/.env', 'src/env', 'none/../.env']

const beyondSrc = [
  ...times(
    [
      'src/../',
      'src/./../',
      'src//../',
      'src/deep/../../',
      'src/up/',
      'src/far/',
      'src/deep/../up/',
    ],
    ['x', '.env', '../x', 'docs/x', '../../x', 'self/x', '../other/x', '../../etc/x', 'deep.ts'],
  ),
  ...times(
    [`${p}/src/../`, `${p}//src/up/`, `${p}/src/etc/`, 'src/etc/', 'src/etc/../'],
    ['x', './x', 'y/z'],
  ),
  'src/env',
  'src/nowhere',
  'src/self/../../x',
  'srcs/x',
  'SRC/../x',
  'Xsrc/a',
  'src\\..\\x',

  '/proc/self/cwd/x',
  '/proc/self/cwd/src/../x',
  '/proc/self/fd/3',
  '~/src/x',
  '/src/x',
  '../src/x',
]

describe('200 spellings of a path', () => {
  const denied = times(intoProject, toTheFile)
  test(`the table has ${denied.length + beyondSrc.length} of them`, () => {
    assert.ok(new Set([...denied, ...beyondSrc]).size >= 200)
  })

  test('none of those that lead to a file is written or read where a rule denies it', async () => {
    const through: string[] = []
    const rules = { deny: ['write(.env)', 'read(.env)'] }
    for (const path of denied)
      for (const request of [write(path), read(path)])
        if ((await decided(rules, request, 'allow')) !== 'deny')
          through.push(`${request.kind} ${path}`)
    assert.deepEqual(through, [])
  })

  test('none of those that lead out of a folder is allowed by a rule for that folder', async () => {
    const through: string[] = []
    for (const path of beyondSrc) {
      if ((await decided({ allow: ['write(src/**)'] }, write(path), 'ask')) !== 'ask')
        through.push(`write ${path}`)
      if ((await decided({ allow: ['read(src/**)'] }, read(path), 'ask')) !== 'ask')
        through.push(`read ${path}`)
    }
    assert.deepEqual(through, [])
  })

  test('the same through redirections of a shell command', async () => {
    const through: string[] = []
    const rules = { deny: ['write(.env)', 'read(.env)'], allow: ['shell', 'write', 'read'] }
    for (const path of denied) {
      const word = `'${path}'`
      for (const text of [`echo x > ${word}`, `cat < ${word}`, `tee ${word}`, `cat ${word}`]) {
        // A tilde in quotes is a name like any other, and leads to no home.
        if (path.startsWith('~') || (text.startsWith('tee') && /\/fd\//.test(path))) continue
        if (text.startsWith('cat ') && !text.includes('<') && /\/fd\//.test(path)) continue
        if ((await decided(rules, shell(text), 'allow')) !== 'deny') through.push(text)
      }
    }
    for (const path of beyondSrc) {
      const text = `echo x > '${path}'`
      const allowed = { allow: ['shell(echo*)', 'write(src/**)'] }
      if ((await decided(allowed, shell(text), 'ask')) !== 'ask') through.push(text)
    }
    assert.deepEqual(through, [])
  })

  test('another name of the same file is that file, and is not allowed by where it lies', async () => {
    linkSync(join(p, '.env'), join(p, 'src/hard'))
    assert.deepEqual(
      [
        await decided({ deny: ['write(.env)'] }, write('src/hard'), 'allow'),
        await decided({ deny: ['read(.env)'] }, shell('cat src/hard'), 'allow'),
        await decided({ deny: ['write(.env)'] }, write('src/a.ts'), 'allow'),
        await decided({ allow: ['write(src/**)'] }, write('src/hard'), 'ask'),
        await decided({ allow: ['write'] }, write('src/hard'), 'ask'),
      ],
      ['deny', 'deny', 'allow', 'ask', 'allow'],
    )
  })

  test('what does lie in the folder is allowed however it is spelled', async () => {
    const inside = [
      'src/a.ts',
      './src/new.ts',
      `${p}/src/a.ts`,
      'src/../src/a.ts',
      'src/up/src/x',
      `${root}/other/src/x`,
    ]
    for (const path of inside)
      assert.equal(await decided({ allow: ['write(src/**)'] }, write(path), 'ask'), 'allow', path)
    assert.equal(
      await decided(
        { allow: ['shell(echo*)', 'write(src/**)'] },
        shell('echo x > src/a.ts'),
        'ask',
      ),
      'allow',
    )
    assert.equal(await decided({ deny: ['write(.env)'] }, write('src/.env'), 'allow'), 'allow')
  })
})

describe('300 spellings of a command', () => {
  const all = [...spelledCommands('victim'), ...evaluatedCommands('victim')]
  test(`the table has ${all.length} of them`, () => {
    assert.ok(new Set(all).size >= 300)
  })

  test('none of them is run where a rule denies the program', async () => {
    const through: string[] = []
    for (const text of all)
      if ((await decided({ deny: ['shell(rm *)'] }, shell(text), 'allow')) !== 'deny')
        through.push(text)
    assert.deepEqual(through, [])
  })

  test('none of them is allowed by patterns for everything else that stands in it', async () => {
    const allow = [
      'git *',
      'echo *',
      'cat *',
      'true',
      'false',
      'ls *',
      'printf *',
      'find *',
      'xargs *',
      'env *',

      'sh *',
      'bash *',
      'eval *',
      'timeout *',
      'nohup *',
      'command *',
      'exec *',
      'sudo *',
      'nice *',
    ].map((pattern) => `shell(${pattern})`)
    const through: string[] = []
    for (const text of all)
      if (
        (await decided({ allow: [...allow, 'write(**)', 'read(**)'] }, shell(text), 'ask')) !==
        'ask'
      )
        through.push(text)
    assert.deepEqual(through, [])
  })

  test('what is allowed in all its parts runs unasked', async () => {
    const allow = [
      'shell(git log*)',
      'shell(npm test)',
      'shell(timeout *)',
      'shell(echo *)',
      'write(out/**)',
    ]
    for (const text of [
      'git log',
      '  git log --oneline',
      "git log --format='%h %s'",
      'git log && npm test',
      'git log | git log -1; npm test',
      'timeout 60 npm test',
      'npm test 2>/dev/null',
      'echo "a; rm x" \'$(rm y)\' > out/log.txt',
      'git log \\\n  --oneline',
      'git log # rm x',
    ])
      assert.equal(await decided({ allow }, shell(text), 'ask'), 'allow', text)
    for (const text of ['echo rm', 'git rm --help', 'ls rm', 'printf "%s" "rm x"', 'rmdir x'])
      assert.equal(await decided({ deny: ['shell(rm *)'] }, shell(text), 'allow'), 'allow', text)
  })
})

test('a command with whatever follows may be written as other programs write it', async () => {
  const denying = (rule: string, text: string) => decided({ deny: [rule] }, shell(text), 'allow')
  const allowing = (rule: string, text: string) => decided({ allow: [rule] }, shell(text), 'ask')
  for (const text of ['rm', 'rm -rf a', '/bin/rm a', 'true; rm a'])
    assert.equal(await denying('shell(rm:*)', text), 'deny', text)
  assert.equal(await denying('shell(rm:*)', 'rmdir a'), 'allow')
  for (const text of ['git log', 'git log -1'])
    assert.equal(await allowing('shell(git log:*)', text), 'allow')
  for (const text of ['git logx', 'git push', 'git log; rm a'])
    assert.equal(await allowing('shell(git log:*)', text), 'ask', text)
  assert.equal(await allowing('shell(npm run test:*)', 'npm run test:unit'), 'allow')
})
