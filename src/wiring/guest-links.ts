/** Links for guests from the terminal: of the web server of the home where one runs, else of one for as long as this. */
import type { Wishes } from '../agents/choose.ts'
import type { CommandContext } from '../commands/command.ts'
import type { Engine } from '../engine/engine.ts'
import type { HomeServices } from '../store/home-services.ts'
import type { WebServer } from '../surfaces/web/server.ts'
import { agentsFor } from './known-agents.ts'

type Options = {
  readonly wishes: Wishes
  readonly engine: Engine
  readonly home: string
  readonly cwd: string
  readonly version: string
  readonly past: HomeServices
}

export function guestLinks(
  options: Options,
): NonNullable<CommandContext['guests']> & AsyncDisposable {
  let own: Promise<WebServer> | undefined
  return {
    async link(id, hours) {
      // Only now: Node's client for HTTP would be a tenth of every start.
      const { askRunning } = await import('./web-link.ts')
      const path = `/api/sessions/${id}/guest-link`
      const answer = await askRunning(options.engine.fs, path, { hours })
      if (answer?.expiresAt !== undefined)
        return { link: answer.link, expiresAt: answer.expiresAt, isOwn: false }
      own ??= serve(options)
      return { ...(await (await own).guestLink(id, hours)), isOwn: true }
    },
    async [Symbol.asyncDispose]() {
      // One that did not start needs no end.
      await (await own?.catch(() => undefined))?.[Symbol.asyncDispose]()
    },
  }
}

/** Loaded with the first link. */
async function serve({ engine, home, cwd, version, past, wishes }: Options): Promise<WebServer> {
  const [{ startWeb }, { guestKeyOf, tokenOf }, pages, { openRedactor }] = await Promise.all([
    import('../surfaces/web/server.ts'),
    import('../surfaces/web/keys.ts'),
    import('../surfaces/web/page-folder.ts'),
    import('./open-redactor.ts'),
  ])
  const redactor = await openRedactor(engine.fs)
  return startWeb({
    engine,
    version,
    home,
    cwd,
    port: 0,
    token: await tokenOf(engine.fs),
    guestKey: guestKeyOf(engine.fs),
    redact: async (value) => redactor.redactJson(value).value,
    readAsset: pages.readPageFile,
    readStyle: pages.readPageStyle,
    store: past,
    agents: agentsFor({ fs: engine.fs, home, cwd, wishes }),
  })
}
