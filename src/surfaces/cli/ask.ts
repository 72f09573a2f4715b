/** Questions to the person at the terminal. They are asked on stderr: stdout belongs to results. */
import { createInterface } from 'node:readline/promises'
import { EngineError } from '../../engine/errors.ts'
import { deferred } from '../../lib/deferred.ts'
import { safeText } from '../../lib/safe-text.ts'
import { usage, type Cli } from './command.ts'

/** The answer, trimmed; empty when the person just pressed return or closed the input. */
export async function ask({ host, signal }: Cli, question: string): Promise<string> {
  const lines = createInterface({ input: host.stdin, output: host.stderr })
  // In a question the terminal hands Ctrl-C to us as a key.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const asked = lines.question(`${safeText(question)} `, { signal })
    return (await Promise.race([asked, closed])).trim()
  } catch (cause) {
    throw new EngineError('cancelled', 'Cancelled. Nothing was changed.', { cause })
  } finally {
    lines.close()
  }
}

/** One key, without return: undefined when it is none of those that are offered. */
export async function askKey(
  { host: { stdin, stderr }, signal }: Cli,
  question: string,
  keys: string,
): Promise<string | undefined> {
  stderr.write(`${safeText(question)} `)
  stdin.setRawMode(true)
  const { promise, resolve } = deferred<string>()
  const take = (chunk: Buffer) => resolve(chunk.toString('utf8'))
  const leave = () => resolve('')
  stdin.once('data', take).once('end', leave)
  signal.addEventListener('abort', leave, { once: true })
  stdin.resume()
  try {
    const key = await promise
    // As a key it is a key; to us it is the wish to end.
    if (key === '\x03') process.kill(process.pid, 'SIGINT')
    return key !== '' && keys.includes(key) ? key : undefined
  } finally {
    stdin.off('data', take).off('end', leave)
    signal.removeEventListener('abort', leave)
    stdin.pause()
    stdin.setRawMode(false)
    stderr.write('\n')
  }
}

/** Asks before something is removed. Without a terminal only --yes says yes. */
export async function confirm(cli: Cli, question: string, isSure: boolean): Promise<void> {
  if (isSure) return
  if (!cli.canAsk)
    throw usage('There is no terminal to ask in. Nothing was changed. Say --yes to go on.')
  const answer = await ask(cli, `${question} [y/N]`)
  if (/^y(es)?$/i.test(answer)) return
  throw new EngineError('cancelled', 'Nothing was changed.')
}

export async function readAll(input: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  signal.addEventListener('abort', () => input.destroy(), { once: true })
  try {
    for await (const chunk of input) chunks.push(Buffer.from(chunk as Uint8Array))
  } catch (cause) {
    if (signal.aborted)
      throw new EngineError('cancelled', 'Cancelled. Nothing was sent.', { cause })
    throw cause
  }
  return Buffer.concat(chunks).toString('utf8')
}
