/**
 * What programs do with the Copilot SDK, with the genuine CLI and with Reprise behind it in turn: what each of them sees
 * is compared, thing by thing. `--only=word` does the things whose names contain it.
 */
import assert from 'node:assert/strict'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CopilotClient, RuntimeConnection, approveAll } from '@github/copilot-sdk'
import { defined } from '../../src/lib/defined.ts'
import { PROGRAM } from '../support/program.ts'
import type { Checks } from './checks.ts'
import type { Place } from './place.ts'
import { startScriptedModel } from './scripted-model.ts'
import { fieldThings } from './things/fields.ts'
import { hostThings } from './things/hosts.ts'
import { sessionThings } from './things/sessions.ts'
import { settingThings } from './things/settings.ts'
import { turnThings } from './things/turns.ts'
import type { Connection, Side, Stage, Things } from './things/thing.ts'

const tables: readonly Things[] = [
  sessionThings,
  turnThings,
  fieldThings,
  settingThings,
  hostThings,
]

const SIDES = ['genuine', 'ours'] as const
const LONGEST_MS = 60_000

export async function checkThings(checks: Checks, place: Place): Promise<void> {
  const only = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length)
  for (const things of tables) {
    const seen: Record<Side, Map<string, unknown>> = { genuine: new Map(), ours: new Map() }
    const chosen = Object.entries(things).filter(([name]) => name.includes(only ?? ''))
    if (chosen.length === 0) continue
    for (const side of SIDES) {
      await using scene = await openScene(place, side)
      for (const [name, thing] of chosen) {
        await using act = await scene.act()
        const given = await inTime(thing(act.stage)).catch((error: unknown) => ({
          failed: error instanceof Error ? error.message : String(error),
        }))
        seen[side].set(name, act.plain(given))
      }
    }
    for (const [name] of chosen) {
      await checks.check(name, () => assert.deepEqual(seen.ours.get(name), seen.genuine.get(name)))
    }
  }
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took over a minute.')), LONGEST_MS)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

async function openScene({ program }: Place, side: Side) {
  const home = await folder()
  const model = await startScriptedModel()
  const path = side === 'ours' ? PROGRAM : program.copilot
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CACHE_HOME: program.cache,
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: model.baseUrl,
    COPILOT_MODEL: 'm',
  }
  const connect = ({ args, token, port }: Connection) => {
    if (port !== undefined) {
      return RuntimeConnection.forUri(`localhost:${port}`, defined({ connectionToken: token }))
    }
    const given = { path, args: args ?? [], env }
    return token === undefined
      ? RuntimeConnection.forStdio(given)
      : RuntimeConnection.forTcp({ ...given, connectionToken: token })
  }
  const open = (dir: string, options: object, connection: Connection) =>
    new CopilotClient({
      connection: connect(connection),
      ...(connection.port === undefined && {
        baseDirectory: home,
        workingDirectory: dir,
        useLoggedInUser: false,
      }),
      ...options,
    })
  const client = open(home, {}, {})
  await client.start()
  return {
    async act() {
      const dir = await folder()
      const others: CopilotClient[] = []
      const stage: Stage = {
        side,
        home,
        dir,
        model,
        client,
        config: {
          model: 'm',
          provider: { type: 'openai', baseUrl: model.baseUrl },
          workingDirectory: dir,
          onPermissionRequest: approveAll,
        },
        another(options = {}, connection = {}) {
          const other = open(dir, options, connection)
          others.push(other)
          return other
        },
      }
      return {
        stage,
        plain: (value: unknown) =>
          plainOf(value, [
            [dir, '<dir>'],
            [home, '<home>'],
          ]),
        async [Symbol.asyncDispose]() {
          await Promise.allSettled(others.map((other) => other.forceStop()))
          model.reset()
          await rm(dir, { recursive: true, force: true, maxRetries: 5 })
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await client.stop().catch(() => client.forceStop())
      await model[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const folder = async () => realpath(await mkdtemp(join(tmpdir(), 'reprise-thing-')))

/** Without what differs from one run to the next: ids, times, folders. */
function plainOf(value: unknown, names: readonly (readonly [string, string])[]): unknown {
  let text = JSON.stringify(value, (_, each: unknown) =>
    each === undefined ? '<undefined>' : each,
  )
  for (const [from, to] of names) text = text.replaceAll(from, to)
  return JSON.parse(
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '<time>'),
  ) as unknown
}
