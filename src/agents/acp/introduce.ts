/**
 * The first words with an agent: which version of the protocol both speak, and what it can do. Version 1 is asked for
 * first, because there files and commands go through us; version 2 is spoken with whoever speaks nothing else.
 */
import { defined } from '../../lib/defined.ts'
import { RpcFailure } from '../../lib/rpc-lines.ts'
import { INVALID_PARAMS } from './connection.ts'
import type { Connection } from './connection.ts'
import { listIn, rawOf, textIn } from './raw.ts'
import type { Raw } from './raw.ts'

export type About = {
  readonly protocolVersion: 1 | 2
  readonly version?: string
  readonly title?: string
  /** In the words of version 1. */
  readonly capabilities: Raw
  readonly authMethods: readonly Raw[]
}

const CLIENT_CAPABILITIES = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { notices: {} },
  elicitation: { form: {} },
}

const UNSUPPORTED_VERSION = -32022

export async function introduce(connection: Connection, version: string): Promise<About> {
  const info = { name: 'reprise', title: 'Reprise', version }
  const first = await connection
    .request('initialize', {
      protocolVersion: 1,
      clientCapabilities: CLIENT_CAPABILITIES,
      clientInfo: info,
    })
    .catch(asRefusal)
  if (first !== undefined && rawOf(first)['protocolVersion'] === 1) return aboutFirst(rawOf(first))
  if (first !== undefined && rawOf(first)['protocolVersion'] !== 2) throw otherVersion(rawOf(first))
  const second = rawOf(
    await connection.request('initialize', {
      protocolVersion: 2,
      info,
      capabilities: { elicitation: { form: {} } },
    }),
  )
  if (second['protocolVersion'] !== 2) throw otherVersion(second)
  return aboutSecond(second)
}

/** Undefined when it does not take version 1, or not in these words. */
function asRefusal(error: unknown): undefined {
  if (!(error instanceof RpcFailure)) throw error
  if (error.code !== UNSUPPORTED_VERSION && error.code !== INVALID_PARAMS) throw error
}

const otherVersion = ({ protocolVersion }: Raw): Error =>
  new Error(
    `It speaks version ${JSON.stringify(protocolVersion)} of the protocol; version 1 or 2 is needed.`,
  )

const aboutFirst = (result: Raw): About => ({
  protocolVersion: 1,
  capabilities: rawOf(result['agentCapabilities']),
  authMethods: listIn(result, 'authMethods'),
  ...named(rawOf(result['agentInfo'])),
})

/** Sessions can always be resumed, replayed and closed there. */
function aboutSecond(result: Raw): About {
  const { prompt, mcp, ...session } = rawOf(rawOf(result['capabilities'])['session'])
  const has = (name: string) => rawOf(prompt)[name] !== undefined && rawOf(prompt)[name] !== null
  return {
    protocolVersion: 2,
    capabilities: {
      loadSession: true,
      sessionCapabilities: { resume: {}, close: {}, list: {}, ...session },
      promptCapabilities: {
        image: has('image'),
        audio: has('audio'),
        embeddedContext: has('embeddedContext'),
      },
      ...defined({ mcpCapabilities: mcp }),
    },
    authMethods: listIn(result, 'authMethods'),
    ...named(rawOf(result['info'])),
  }
}

function named(info: Raw): Pick<About, 'version' | 'title'> {
  const [version, title] = [textIn(info, 'version'), textIn(info, 'title') ?? textIn(info, 'name')]
  return { ...defined({ version, title }) }
}
