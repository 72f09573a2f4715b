/** The server as a program: what `reprise acp` runs. */
import { serveAcp } from '../../src/serve-acp.ts'

setInterval(() => {}, 2 ** 30)
const { argv, env, stdin, stdout, stderr } = process
process.exit(await serveAcp({ argv: argv.slice(2), env, version: '1.2.3', stdin, stdout, stderr }))
