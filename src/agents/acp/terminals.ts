/**
 * `terminal/*`: commands that an agent runs through us, each with permission, in a process group of its own, and recorded as
 * a tool within the call of the agent. They end with the agent at the latest.
 */
import type {
  CreateTerminalResponse,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk'
import type { Draft } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import type { Command, Ended } from '../tools/command.ts'
import { startProjectCommand } from '../tools/editor.ts'
import { shellDeed } from '../tools/shell-deed.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { commandKey, parentOf, requireLeave, type TurnServices } from './turn-services.ts'
import { countIn, listIn, textIn, type Fields } from '../../lib/fields.ts'
import type { TerminalEnd } from './tool-result.ts'

export interface Terminals {
  create(services: TurnServices, params: Fields): Promise<CreateTerminalResponse>
  output(params: Fields): TerminalOutputResponse
  waitForExit(params: Fields): Promise<WaitForTerminalExitResponse>
  kill(params: Fields): Fields
  release(params: Fields): Fields
  /** What one of them has written so far, for the call that shows it. */
  end(id: string): TerminalEnd | undefined
  /** The turn is over: what still runs is recorded as it stands, what was released is forgotten. */
  settle(): void
  stopAll(): void
}

type Terminal = {
  readonly command: Command
  readonly limit: number
  output: string
  isTruncated: boolean
  ended: Ended | undefined
  isReleased: boolean
  /** Records its end; once, and only while its turn runs. */
  record: ((end: TerminalEnd) => void) | undefined
}

const DAY_MS = 24 * 60 * 60_000
const OUTPUT_BYTES = 1024 * 1024

export function createTerminals(): Terminals {
  const terminals = new Map<string, Terminal>()

  function find(params: Fields): Terminal {
    const terminal = terminals.get(textIn(params, 'terminalId') ?? '')
    if (terminal !== undefined && !terminal.isReleased) return terminal
    throw new RpcFailure(rpcCodes.invalidParams, 'There is no such terminal.')
  }

  async function follow(terminal: Terminal): Promise<void> {
    const { command } = terminal
    while (!command.isOver) {
      await command.changed()
      add(terminal, terminal.output + command.takePiece())
    }
    const ended = await command.ended.catch((error: Error): Ended => ({
      output: error.message,
      exitCode: 127,
      leftRunning: false,
    }))
    terminal.isTruncated = false
    add(terminal, ended.output)
    terminal.ended = ended
    record(terminal)
  }

  function record(terminal: Terminal): void {
    terminal.record?.(endOf(terminal))
    terminal.record = undefined
  }

  return {
    async create(services, params) {
      const text = commandText(params)
      const cwd = textIn(params, 'cwd') ?? services.turn.cwd
      const toolCallId = services.newId()
      if (!services.allowedCommands.delete(commandKey(cwd, text))) {
        await requireLeave(
          services,
          shellDeed(text, `Run ${text}`, cwd),
          services.calls.current()?.toolCallId ?? toolCallId,
        )
      }
      services.signal.throwIfAborted()
      const recorded = recording(services, toolCallId, { command: text, cwd })
      const terminal: Terminal = {
        command: startProjectCommand(
          text,
          { cwd, timeoutMs: DAY_MS, signal: services.signal, toolCallId },
          services.turn.switchboard?.editor(services.turn.sessionId),
        ),
        limit: countIn(params, 'outputByteLimit') ?? OUTPUT_BYTES,
        output: '',
        isTruncated: false,
        ended: undefined,
        isReleased: false,
        record: recorded,
      }
      terminals.set(toolCallId, terminal)
      void follow(terminal)
      return { terminalId: toolCallId }
    },
    output(params) {
      const { output, isTruncated, ended } = find(params)
      return {
        output,
        truncated: isTruncated,
        ...(ended !== undefined && { exitStatus: { exitCode: ended.exitCode, signal: null } }),
      }
    },
    async waitForExit(params) {
      const { command } = find(params)
      const ended = await command.ended.catch(() => ({ exitCode: 127 }))
      return { exitCode: ended.exitCode, signal: null }
    },
    kill(params) {
      find(params).command.stop()
      return {}
    },
    release(params) {
      const terminal = find(params)
      terminal.isReleased = true
      terminal.command.stop()
      return {}
    },
    end(id) {
      const terminal = terminals.get(id)
      return terminal === undefined ? undefined : endOf(terminal)
    },
    settle() {
      for (const [id, terminal] of terminals) {
        record(terminal)
        if (terminal.isReleased) terminals.delete(id)
      }
    },
    stopAll() {
      for (const terminal of terminals.values()) terminal.command.stop()
    },
  }
}

/** Keeps the end of the output within the limit, cut between characters. */
function add(terminal: Terminal, text: string): void {
  const bytes = Buffer.from(text)
  terminal.output = text
  if (bytes.length <= terminal.limit) return
  let start = bytes.length - terminal.limit
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  terminal.output = bytes.subarray(start).toString('utf8')
  terminal.isTruncated = true
}

const endOf = ({ output, ended }: Terminal): TerminalEnd => ({
  output,
  ...defined({ exitCode: ended?.exitCode }),
})

function recording(
  services: TurnServices,
  toolCallId: string,
  args: Fields,
): (end: TerminalEnd) => void {
  const { turnId } = services.turn
  const parent = parentOf(services)
  const start: Draft = {
    type: 'tool.execution_start',
    data: { toolCallId, toolName: 'bash', arguments: args, turnId, ...parent },
  }
  services.outbox.push({ draft: start })
  return ({ output, exitCode }) => {
    const note = exitCode === undefined ? '\n<it goes on in the background>' : ''
    const draft: Draft = {
      type: 'tool.execution_complete',
      data: {
        toolCallId,
        success: true,
        result: { content: `${output.trimEnd()}${note}` },
        turnId,
        ...(exitCode !== undefined && { shellExecution: { exitCode } }),
        ...parent,
      },
    }
    services.outbox.push({ draft })
  }
}

/** One line for the shell, and for the person who decides about it: nothing that is run is hidden from the question. */
export function commandText(params: Fields): string {
  const command = textIn(params, 'command') ?? ''
  if (command.trim() === '') throw new RpcFailure(rpcCodes.invalidParams, '"command" is missing.')
  const args = Array.isArray(params['args']) ? params['args'].map(String) : []
  const variables = listIn(params, 'env').map(
    (each) => `${variableName(each)}=${quote(textIn(each, 'value') ?? '')}`,
  )
  const line = args.length === 0 ? command : [command, ...args].map(quote).join(' ')
  return variables.length === 0 ? line : `export ${variables.join(' ')}; ${line}`
}

function variableName(variable: Fields): string {
  const name = textIn(variable, 'name') ?? ''
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name
  throw new RpcFailure(rpcCodes.invalidParams, 'A variable has a name that no shell takes.')
}

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
