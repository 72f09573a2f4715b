/**
 * `reprise worker`: runs tasks of Mission Control on this machine. Agent, rules and environment come from this machine's own
 * configuration, never from a task; programs that the agent starts get the variables that are named, and no other.
 */
import { resolve } from 'node:path'
import { readConfig } from '../config/load.ts'
import type { Config } from '../config/config-file.ts'
import { noMissionControl } from '../commands/find-session.ts'
import type { PermissionPolicy } from '../engine/agent.ts'
import type { Engine } from '../engine/engine.ts'
import { openDisk } from '../fs/disk.ts'
import { defined } from '../lib/defined.ts'
import { openServer } from '../remote/control-client.ts'
import { allSent } from '../remote/worker/all-sent.ts'
import { work } from '../remote/worker/worker.ts'
import type { Host } from '../surfaces/cli/command.ts'
import { controlOf } from './control-address.ts'
import { openConfiguredEngine } from './open-engine.ts'
import { openRedactor } from './open-redactor.ts'

type WorkerOptions = Parameters<Host['serveWorker']>[0]

export async function serveWorker(options: WorkerOptions): Promise<void> {
  const { home, cwd, launch, signal, print } = options
  const fs = openDisk(home.path)
  const config = await readConfig(fs)
  const address = controlOf(config, process.env)
  if (address === undefined) throw noMissionControl()
  const agent = options.agent ?? process.env['REPRISE_AGENT'] ?? config.agent
  const engine: Engine = openConfiguredEngine({
    home: home.path,
    cwd,
    launch,
    policy: options.allowAll === true ? allowAll : () => 'ask',
    clientName: 'reprise-worker',
    answersQuestions: true,
    // Another worker that goes on after a kill knows what was begun here.
    beforeEffect: (id, signal) => allSent(engine, id, signal),
    passed: config.worker?.env ?? [],
    ...defined({ agent, model: options.model }),
  })
  // Reads what it needs of the environment before that is cleared.
  await engine.remote?.()
  keepOnly(process.env, config)
  const redactor = await openRedactor(fs)
  const { hosts = [], localRepositories: local = [], push = false } = config.worker ?? {}
  const { slots = 1, pool = '' } = options
  const projects = resolve(cwd, options.projects ?? 'reprise-tasks')
  const policy = policyText(config, options.allowAll === true)
  print(
    `Takes up to ${slots} ${slots === 1 ? 'task' : 'tasks'} at once from ${address.url}${pool === '' ? '' : `, of the pool "${pool}"`}, in ${projects}. ${policy}`,
  )
  try {
    await work({
      engine,
      server: openServer(address),
      projects,
      allowed: { hosts, local },
      push,
      pool,
      slots,
      policy,
      agent: agent ?? 'as configured',
      redactText: (text) => redactor.redactText(text).text,
      signal,
      tell: print,
    })
  } finally {
    await engine.stop()
  }
}

const allowAll: PermissionPolicy = (_, { mustAsk }) =>
  mustAsk === true ? 'ask' : { kind: 'allow', by: 'policy', because: { mode: 'allow-all' } }

/** Told to people who leave tasks here. */
function policyText({ permissions = {} }: Config, isAllAllowed: boolean): string {
  const { allow = [], deny = [] } = permissions
  const denied = deny.length === 0 ? '' : ` Never: ${deny.join(', ')}.`
  if (isAllAllowed) return `Everything is allowed without asking.${denied}`
  const allowed = allow.length === 0 ? '' : ` Without asking: ${allow.join(', ')}.`
  return `What no rule allows is asked of the person whose task it is.${allowed}${denied}`
}

/** What programs need to run at all; tokens and addresses are not among it. */
const USUAL =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TERM|TZ|TMPDIR|XDG_\w+|NODE_NO_WARNINGS|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|REPRISE_(?:HOME|AGENT|MODEL|LOG|ENV_PASS|SECRET_ENV_VARS))$/

function keepOnly(env: NodeJS.ProcessEnv, { worker, model }: Config): void {
  // The agent in this process asks its model with this one.
  const named = new Set([...(worker?.env ?? []), model?.apiKeyEnv])
  for (const name of Object.keys(env)) if (!USUAL.test(name) && !named.has(name)) delete env[name]
}
