/** Runs command lines in this process, each in a home of its own, and reports each outcome as a line of JSON. */
import { PassThrough, Writable } from 'node:stream'
import { runCli } from '../../src/surfaces/cli/run.ts'
import { makeHost } from '../../src/wiring/cli-host.ts'

export type Case = { readonly home: string; readonly args: readonly string[]; readonly cwd: string }
export type Outcome = { readonly code: number; readonly text: string }

const cases = JSON.parse(Buffer.concat(await process.stdin.toArray()).toString()) as Case[]
// Neither a watched folder nor an open question keeps a process alive by itself.
setInterval(() => {}, 2 ** 30)
for (const each of cases) process.stdout.write(`${JSON.stringify(await outcomeOf(each))}\n`)
process.exit(0)

async function outcomeOf({ home, args, cwd }: Case): Promise<Outcome> {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  }) as unknown as NodeJS.WriteStream
  const host = makeHost({
    argv: ['--home', home, '--cwd', cwd, ...args],
    env: process.env,
    version: 'test',
    stdin: new PassThrough().end() as unknown as NodeJS.ReadStream,
    stdout: stream,
    stderr: stream,
  })
  const code = await runCli({ ...host, keepDiagnostics() {} })
  return { code, text }
}
