/** `reprise web`: wires the web server to a home, its configuration, its store and an agent. */
import { EngineError } from '../engine/errors.ts'
import type { SessionId } from '../format/ids.ts'
import { openDisk } from '../fs/disk.ts'
import { followUnseen } from './follow-unseen.ts'
import { followKickstarts } from './follow-kickstarts.ts'
import { openHomeServices } from './home-services.ts'
import { defined } from '../lib/defined.ts'
import { mostRemote } from '../surfaces/cli/copilot-options.ts'
import { stopped } from '../lib/aborted.ts'
import { openLink } from '../lib/open-link.ts'
import { agentsFor } from './known-agents.ts'
import { openConfiguredEngine } from './open-engine.ts'
import { openRedactor } from './open-redactor.ts'
import { readTls } from './tls-files.ts'
import type { Host } from '../surfaces/cli/command.ts'
import { endGuests, guestKeyOf, tokenOf } from '../surfaces/web/keys.ts'
import { readPageFile, readPageStyle } from '../surfaces/web/page-folder.ts'
import { noteServer, printFreshLink } from './web-link.ts'
import { startWeb, type WebServer } from '../surfaces/web/server.ts'

type WebOptions = Parameters<Host['serveWeb']>[0]

/** A page that was open before a restart finds the server again under the same port. */
const USUAL_PORT = 7373

export async function serveWeb(
  options: WebOptions,
  { version, env }: { readonly version: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const { cwd, launch, signal, agent, model, guest } = options
  const home = options.home.path
  if (options.link === true) return printFreshLink(openDisk(home), process.stdout)
  const tls = await readTls(options)
  const engine = openConfiguredEngine({
    home,
    cwd,
    launch,
    answersQuestions: launch.noAskUser !== true,
    clientName: 'reprise-web',
    ...defined({ agent, model }),
  })
  await using _unseen = followUnseen(engine)
  const onTrouble = (message: string) => void process.stderr.write(`${message}\n`)
  const services = openHomeServices({ home, env, onTrouble })
  const redactor = await openRedactor(engine.fs)
  const start = async (port: number): Promise<WebServer> =>
    startWeb({
      engine,
      version,
      home,
      cwd,
      port,
      token: await tokenOf(engine.fs),
      guestKey: guestKeyOf(engine.fs),
      redact: async (value) => redactor.redactJson(value).value,
      readAsset: readPageFile,
      readStyle: readPageStyle,
      store: services,
      agents: agentsFor({ fs: engine.fs, home, cwd, wishes: defined({ agent, model }) }),
      onFault: (error) => onTrouble(error instanceof Error ? (error.stack ?? '') : String(error)),
      allowRemote: options.allowRemote === true,
      names: [...(options.name ?? [])],
      ...defined({ host: options.host, tls }),
    })
  try {
    const shown = guest === undefined ? undefined : await options.findSession(engine, guest)
    if (options.endGuests === true) await endGuests(engine.fs)
    await using server = await startSomewhere(start, options.port)
    await using _note = await noteServer(engine.fs, {
      url: server.url,
      host: options.host ?? '127.0.0.1',
      ...defined({ cert: tls?.cert }),
    })
    const link = server.link()
    process.stdout.write(`${link}\n`)
    if (shown !== undefined) process.stdout.write(await guestLine(server, shown))
    if (options.noOpen !== true && process.stdout.isTTY) openLink(link)
    const kickstarts = { fs: engine.fs, open: () => engine }
    if (mostRemote(launch) === 'steer')
      void followKickstarts(kickstarts, env, signal).catch(() => {}) // the settings say what is wrong with them
    await stopped(signal)
  } finally {
    await engine.stop()
    await services.close()
  }
}

const GUEST_HOURS = 24

async function guestLine(server: WebServer, id: SessionId): Promise<string> {
  const { link, expiresAt } = await server.guestLink(id, GUEST_HOURS)
  return `Guest link (one session, read-only, until ${expiresAt}): ${link}\n`
}

/** Without a wish, the usual port, or any other when that is taken. */
async function startSomewhere(
  start: (port: number) => Promise<WebServer>,
  wish: number | undefined,
): Promise<WebServer> {
  if (wish !== undefined) return start(wish)
  try {
    return await start(USUAL_PORT)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'in_use') return start(0)
    throw error
  }
}
