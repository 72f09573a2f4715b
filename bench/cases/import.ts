/**
 * Sessions of another agent on their way in: ten thousand files of Claude Code, and one of a gigabyte. Time is that of
 * the whole program; processor time says what is left of it on a machine that does nothing else.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Case } from '../case.ts'
import type { Figure } from '../figure.ts'
import { summaryOf } from '../measure.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const FILES = 10_000
const HUGE_BYTES = 1024 ** 3

export const importCase: Case = {
  name: 'import',
  async figures({ scratch }) {
    const many = join(scratch, 'claude-many')
    for (let at = 0; at < FILES; at++) writeSession(many, `session ${at}`, 6)
    const first = bring(many, join(scratch, 'import-many'))
    const again = bring(many, join(scratch, 'import-many'))
    rmSync(many, { recursive: true })
    rmSync(join(scratch, 'import-many'), { recursive: true })
    const huge = join(scratch, 'claude-huge')
    writeHuge(huge)
    const large = bring(huge, join(scratch, 'import-huge'))
    rmSync(huge, { recursive: true })
    rmSync(join(scratch, 'import-huge'), { recursive: true })
    const figure = (
      name: string,
      unit: Figure['unit'],
      value: number,
      atMost?: number,
    ): Figure => ({
      name,
      unit,
      target: atMost === undefined ? 'none' : { atMost },
      measured: summaryOf([value]),
    })
    return [
      figure('import of 10,000 files', 'ms', first.ms, 60_000),
      figure('of it processor time', 'ms', first.cpuMs),
      figure('largest memory of it', 'MB', first.mb, 300),
      figure('import of the same once more', 'ms', again.ms, 10_000),
      figure('import of one file of 1 GiB', 'ms', large.ms),
      figure('largest memory of it', 'MB', large.mb, 400),
    ]
  },
}

function bring(from: string, home: string): { ms: number; cpuMs: number; mb: number } {
  const startedAt = performance.now()
  const program = [join(root, 'bin', 'reprise'), 'import', join(from, 'projects')]
  const { stderr, status } = spawnSync('/usr/bin/time', ['-f', '%U %S %M', ...program], {
    env: { ...process.env, REPRISE_HOME: home },
    encoding: 'utf8',
  })
  const ms = performance.now() - startedAt
  const [user = 0, system = 0, kB = 0] = (stderr.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number)
  if (status !== 0) throw new Error(`reprise import ended with ${String(status)}: ${stderr}`)
  return { ms, cpuMs: (user + system) * 1000, mb: kB / 1024 }
}

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function fileOf(to: string, name: string): { id: string; path: string } {
  const id = uuidOf(name)
  const folder = join(to, 'projects', `-work-project-${name.length}`)
  mkdirSync(folder, { recursive: true })
  return { id, path: join(folder, `${id}.jsonl`) }
}

function writeSession(to: string, name: string, turns: number): void {
  const { id, path } = fileOf(to, name)
  const lines = createLines(id)
  writeFileSync(path, Array.from({ length: turns }, (_, turn) => lines(turn, 20)).join(''))
}

function writeHuge(to: string): void {
  const { id, path } = fileOf(to, 'huge')
  const lines = createLines(id)
  const file = openSync(path, 'wx')
  for (let turn = 0, bytes = 0; bytes < HUGE_BYTES; turn++)
    bytes += writeSync(file, lines(turn, 2_000))
  closeSync(file)
}

/** A prompt, thinking, a call, its result and an answer, as Claude Code writes them. */
function createLines(sessionId: string): (turn: number, size: number) => string {
  let parentUuid: string | null = null
  let at = Date.UTC(2026, 0, 1)
  const line = (type: 'user' | 'assistant', message: object, more: object = {}): string => {
    at += 1000
    const uuid = uuidOf(`${sessionId} ${at}`)
    const common = {
      isSidechain: false,
      cwd: '/work/project',
      version: '2.1.197',
      gitBranch: 'main',
    }
    const timestamp = new Date(at).toISOString()
    const record = { parentUuid, ...common, type, message, uuid, timestamp, sessionId, ...more }
    parentUuid = uuid
    return `${JSON.stringify(record)}\n`
  }
  const usage = { input_tokens: 10, output_tokens: 5 }
  const said = (id: string, content: readonly object[]) =>
    line('assistant', { id, role: 'assistant', model: 'claude', content, usage })
  return (turn, size) => {
    const output = 'src/header.ts:1: the header\n'.repeat(size)
    const result = { type: 'tool_result', tool_use_id: `t${turn}`, content: output }
    return [
      line('user', { role: 'user', content: `Change parser ${turn}. ${'word '.repeat(30)}` }),
      said(`m${turn}`, [{ type: 'thinking', thinking: 'I look. '.repeat(10), signature: 'x' }]),
      said(`m${turn}`, [
        { type: 'tool_use', id: `t${turn}`, name: 'Bash', input: { command: 'grep header' } },
      ]),
      line('user', { role: 'user', content: [result] }, { toolUseResult: { stdout: output } }),
      said(`n${turn}`, [{ type: 'text', text: 'It reads the header first now. '.repeat(10) }]),
    ].join('')
  }
}
