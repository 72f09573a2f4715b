/**
 * The editor in which a person follows the session, as tools use it: a file that is open there is read as it stands on
 * the screen, changes appear in its buffers, and commands run in its terminals. What the session keeps for itself, and
 * whatever the editor does not offer, goes to the disk and to processes of ours.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Editor } from '../../engine/agent.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { namedSecrets } from '../../lib/redact/known.ts'
import {
  shellPath,
  startCommand,
  type Command,
  type CommandOptions,
  type Ended,
} from './command.ts'
import { MAX_TEXT_BYTES, looksBinary, readText, writeText } from './files.ts'
import { isOwn } from './paths.ts'
import { ToolFailure, type ToolContext } from './tool.ts'

/** Undefined when the editor has nothing to say of this file: then the disk has. */
export async function textOnScreen(
  path: string,
  context: ToolContext,
): Promise<string | undefined> {
  const { editor } = context
  if (editor?.offered().readsFiles !== true || (await isOwn(path, context))) return undefined
  // An editor that cannot read it, or has gone, has nothing to say of it.
  const reading = editor.ask('fs/read_text_file', { path }, context.signal)
  const answer = await reading.catch(() => undefined) // the disk is read in its place
  const { content } = (answer ?? {}) as { content?: unknown }
  if (typeof content !== 'string' || looksBinary(Buffer.from(content))) return undefined
  return content
}

export async function readProjectText(path: string, context: ToolContext): Promise<string> {
  const text = await textOnScreen(path, context)
  if (text === undefined) return readText(path)
  const size = Buffer.byteLength(text)
  if (size <= MAX_TEXT_BYTES) return text
  throw new ToolFailure('failed', `The file has ${size} bytes; ${MAX_TEXT_BYTES} is the limit.`)
}

export async function writeProjectText(
  path: string,
  text: string,
  options: Parameters<typeof writeText>[2],
  context: ToolContext,
): Promise<void> {
  const { editor } = context
  if (editor?.offered().writesFiles !== true || (await isOwn(path, context)))
    return writeText(path, text, options)
  const before = options.how === 'append' ? await textBefore(path, context) : ''
  // A refusal of the editor is one: writing past it would change a file behind its back.
  await editor.ask('fs/write_text_file', { path, content: before + text }, context.signal)
}

const textBefore = (path: string, context: ToolContext): Promise<string> =>
  readProjectText(path, context).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })

const GRACE_MS = 2000

/** `toolCallId` names the call in which the terminal is shown. */
export function startProjectCommand(
  text: string,
  options: CommandOptions & { readonly toolCallId?: string | undefined },
  editor: Editor | undefined,
): Command {
  return editor?.offered().terminals === true
    ? startInEditor(text, options, editor)
    : startCommand(text, options)
}

function startInEditor(
  text: string,
  options: CommandOptions & { readonly toolCallId?: string | undefined },
  editor: Editor,
): Command {
  const { cwd, env = {}, timeoutMs, signal, toolCallId } = options
  // The editor's own variables are its business; what was named as secret is empty there, too.
  const emptied = Object.fromEntries(namedSecrets.in(process.env).map((name) => [name, '']))
  const variables = Object.entries({ ...emptied, ...env }).map(([name, value]) => ({ name, value }))
  let stopped: Ended['stopped']
  let isOver = false
  const asked = deferred<NonNullable<Ended['stopped']>>()
  const stop = (why: NonNullable<Ended['stopped']>) => {
    stopped ??= why
    asked.resolve(why)
  }
  const timer = setTimeout(() => stop('timeout'), timeoutMs)
  const onAbort = () => stop('aborted')
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()

  async function run(): Promise<Ended> {
    const created = await editor.ask('terminal/create', {
      command: shellPath(),
      args: ['-c', text],
      cwd,
      ...(variables.length > 0 && { env: variables }),
    })
    const { terminalId } = (created ?? {}) as { terminalId?: unknown }
    if (typeof terminalId !== 'string') throw new Error('The editor opened no terminal.')
    if (toolCallId !== undefined) show(editor, toolCallId, terminalId)
    try {
      const ended = editor.ask('terminal/wait_for_exit', { terminalId })
      ended.catch(() => {}) // it is looked at below, or was given up
      const first = await Promise.race([ended, asked.promise])
      if (first === stopped) await editor.ask('terminal/kill', { terminalId })
      // An editor that does not tell of the end of what it killed is not waited for.
      const last = first === stopped ? await Promise.race([ended, sleep(GRACE_MS)]) : first
      const { exitCode } = (last ?? {}) as { exitCode?: unknown }
      const told = await editor.ask('terminal/output', { terminalId })
      const { output } = (told ?? {}) as { output?: unknown }
      return {
        output: typeof output === 'string' ? output : '',
        exitCode: typeof exitCode === 'number' ? exitCode : 128,
        leftRunning: false,
        ...defined({ stopped }),
      }
    } finally {
      await editor.ask('terminal/release', { terminalId }).catch(() => {}) // it goes with the session
    }
  }
  const ended = run().finally(() => {
    isOver = true
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  })
  ended.catch(() => {}) // told to a caller that awaits it; none has to
  return {
    // The editor shows what is written while it runs; here all of it comes with the end.
    changed: () =>
      ended.then(
        () => {},
        () => {},
      ),
    takePiece: () => '',
    get isOver() {
      return isOver
    },
    ended,
    stop: () => stop('aborted'),
  }
}

const show = (editor: Editor, toolCallId: string, terminalId: string) =>
  editor.tell('session/update', {
    update: {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'in_progress',
      content: [{ type: 'terminal', terminalId }],
    },
  })
