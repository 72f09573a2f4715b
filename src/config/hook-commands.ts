/**
 * The hooks of a configuration, as the engine runs them: a shell command that is given JSON on stdin and may
 * answer JSON on stdout: `{"deny": true, "reason": "…", "note": "…"}`, at the start of a new session also
 * `{"prompts": ["…"]}`: messages that wait behind the first one. Exit code 2 denies, with stderr as the reason.
 */
import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { Hook, HookInput, HookOutput, HookType } from '../engine/hook.ts'
import { childEnvironment } from '../lib/child-environment.ts'
import { defined } from '../lib/defined.ts'
import type { Config, HookConfig } from './config-file.ts'

const DEFAULT_SECONDS = 30
const MOST_OUTPUT = 64 * 1024
const DENIES = 2

export function hooksOf({ hooks }: Config): Hook[] {
  return Object.entries(hooks ?? {}).flatMap(([type, entries]) =>
    (entries ?? []).map((entry) => ({
      type: type as HookType,
      ...defined({ tools: entry.tools }),
      run: (input: HookInput, signal: AbortSignal) => runCommand(entry, input, signal),
    })),
  )
}

/** The files that hooks run, as far as their commands name them from the root or from the user's home. */
export const hookFilesOf = ({ hooks }: Config): string[] =>
  Object.values(hooks ?? {})
    .flat()
    .flatMap((hook) =>
      (hook?.command ?? '')
        .replace(/\$\{?(\w+)\}?/g, (word, name: string) => hook?.env?.[name] ?? word)
        .split(/[\s'"=;&|<>()]+/),
    )
    .map((word) => word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, homedir()))
    .filter((word) => isAbsolute(word) && !/^\/(?:usr|bin|sbin|dev)\//.test(word))

async function runCommand(
  { command, env, timeoutSeconds = DEFAULT_SECONDS }: HookConfig,
  input: HookInput,
  signal: AbortSignal,
): Promise<HookOutput> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutSeconds * 1000)])
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: input.cwd,
    env: { ...childEnvironment(), ...env },
    stdio: 'pipe',
    detached: true,
  })
  const stop = () => {
    if (child.pid !== undefined) stopGroup(child.pid)
  }
  limit.addEventListener('abort', stop, { once: true })
  try {
    const [stdout, stderr, code] = await Promise.all([
      collect(child.stdout),
      collect(child.stderr),
      new Promise<number | null>((resolve, reject) => {
        child.once('error', reject)
        child.once('close', resolve)
        child.stdin.on('error', () => {}) // a hook need not read what it is told
        child.stdin.end(JSON.stringify(told(input)))
      }),
    ])
    if (limit.aborted) throw new Error(`took longer than ${timeoutSeconds} s, or was cancelled`)
    if (code === DENIES) return { deny: true, reason: stderr.trim() || 'a hook said no' }
    if (code !== 0) throw new Error(`ended with code ${code}: ${stderr.trim().slice(0, 500)}`)
    return outputOf(stdout)
  } finally {
    limit.removeEventListener('abort', stop)
  }
}

/** With the arguments of a tool as the Copilot CLI names them, too. */
const told = (input: HookInput): object =>
  input['arguments'] === undefined
    ? input
    : { ...input, toolArgs: JSON.stringify(input['arguments']) }

const isPrompt = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== ''

function stopGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it ended in the meantime
  }
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (length < MOST_OUTPUT) chunks.push(chunk)
    length += chunk.length
  }
  return Buffer.concat(chunks).subarray(0, MOST_OUTPUT).toString()
}

/** Text that is not JSON is a note. */
function outputOf(text: string): HookOutput {
  const trimmed = text.trim()
  if (trimmed === '') return {}
  try {
    const given = JSON.parse(trimmed) as Record<string, unknown>
    // In our words, or in those of the Copilot CLI.
    const { deny = given['permissionDecision'] === 'deny', prompts } = given
    const { reason = given['permissionDecisionReason'], note = given['additionalContext'] } = given
    return {
      ...(deny === true && { deny: true }),
      ...(typeof reason === 'string' && { reason }),
      ...(typeof note === 'string' && { note }),
      ...(Array.isArray(prompts) && { prompts: prompts.filter(isPrompt) }),
    }
  } catch {
    // Not JSON, and so a note.
    return { note: trimmed }
  }
}
