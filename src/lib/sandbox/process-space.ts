/**
 * The pid namespace of all commands that this process starts in a sandbox: what one of them left in the background the
 * next one sees and can end, and nothing outside is seen. A small shell holds it open; it ends with this process, however
 * that ends, and everything in the namespace with it.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { deferred } from '../deferred.ts'

export type ProcessSpace = {
  /** Of the pid namespace, and of the user namespace that it belongs to where that is not ours. */
  readonly files: readonly number[]
}

const HOLD = [
  ...'--ro-bind / / --dev /dev --unshare-pid --proc /proc --die-with-parent --info-fd 3 --'.split(
    ' ',
  ),
  '/bin/sh',
  '-c',
  'echo ready; read -r end',
]
const OPENS_MS = 10_000

let opened: Promise<ProcessSpace | undefined> | undefined

/** Opened with the first command, and anew when it was killed. Undefined where the system does not allow it. */
export function processSpace(program: string): Promise<ProcessSpace | undefined> {
  opened ??= openSpace(program, () => (opened = undefined)).catch(() => undefined) // each command has its own then
  return opened
}

async function openSpace(program: string, onEnd: () => void): Promise<ProcessSpace> {
  const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()]
  const isRoot = uid === 0
  const child = spawn(
    program,
    [...(isRoot ? [] : ['--unshare-user', '--userns-block-fd', '4']), ...HOLD],
    { cwd: '/', stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'], detached: true },
  )
  const [info, block] = [child.stdio[3] as Readable, child.stdio[4] as Writable]
  const late = setTimeout(() => child.kill('SIGKILL'), OPENS_MS)
  try {
    block.on('error', () => {}) // told by its end
    const pid = pidIn(await textUntil(info, '}', child))
    if (!isRoot) {
      // bubblewrap needs a root in it for its terminals; each command is this user again.
      writeFileSync(`/proc/${pid}/setgroups`, 'deny')
      writeFileSync(`/proc/${pid}/uid_map`, `0 ${uid} 1\n`)
      writeFileSync(`/proc/${pid}/gid_map`, `0 ${gid} 1\n`)
    }
    const names = isRoot ? ['pid'] : ['pid', 'user']
    const files = names.map((name) => openSync(`/proc/${pid}/ns/${name}`, 'r'))
    block.end('x')
    child.once('exit', () => {
      onEnd()
      for (const file of files) closeSync(file)
    })
    await textUntil(child.stdout as Readable, 'ready', child)
    release(child)
    return { files }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(late)
  }
}

function pidIn(text: string): number {
  const pid = (JSON.parse(text) as { 'child-pid'?: unknown })['child-pid']
  if (typeof pid === 'number') return pid
  throw new Error('bubblewrap named no process')
}

async function textUntil(from: Readable, end: string, child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = deferred<string>()
  let text = ''
  from.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    if (text.includes(end)) resolve(text)
  })
  child.once('error', reject)
  child.once('exit', () => reject(new Error('bubblewrap ended')))
  return promise
}

/** This process does not wait for it at its end. */
function release(child: ChildProcess): void {
  child.unref()
  for (const stream of child.stdio) (stream as { unref?: () => void } | null)?.unref?.()
}
