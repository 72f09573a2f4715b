/**
 * The first words with an agent: which version of the protocol both speak, and what it can do. Version 1 is asked for
 * first, because there files and commands go through us; version 2 is spoken with an agent that speaks nothing else.
 */
import type { InitializeRequest } from '@agentclientprotocol/sdk'
import { defined } from '../../lib/defined.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import type { Connection } from './connection.ts'
import { listIn, fieldsOf, textIn, type Fields } from '../../lib/fields.ts'

export type About = {
  readonly protocolVersion: 1 | 2
  readonly version?: string
  readonly title?: string
  /** In the words of version 1. */
  readonly capabilities: Fields
  readonly authMethods: readonly Fields[]
}

/** Files go through us only where the agent takes it well that a file is not there. */
const capabilities = ({ withoutFiles = false }: Offering) => ({
  fs: { readTextFile: !withoutFiles, writeTextFile: !withoutFiles },
  terminal: true,
  session: { notices: {} },
  elicitation: { form: {} },
})

export type Offering = { readonly withoutFiles?: boolean | undefined }

const UNSUPPORTED_VERSION = -32022

export async function introduce(
  connection: Connection,
  version: string,
  offering: Offering = {},
): Promise<About> {
  const info = { name: 'reprise', title: 'Reprise', version }
  const asked: InitializeRequest = {
    protocolVersion: 1,
    clientCapabilities: capabilities(offering),
    clientInfo: info,
  }
  const first = await connection.request('initialize', asked).catch(asRefusal)
  if (first !== undefined && fieldsOf(first)['protocolVersion'] === 1)
    return aboutFirst(fieldsOf(first))
  if (first !== undefined && fieldsOf(first)['protocolVersion'] !== 2)
    throw otherVersion(fieldsOf(first))
  const second = fieldsOf(
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
  if (error.code !== UNSUPPORTED_VERSION && error.code !== rpcCodes.invalidParams) throw error
}

const otherVersion = ({ protocolVersion }: Fields): Error =>
  new Error(
    `It speaks version ${JSON.stringify(protocolVersion)} of the protocol; version 1 or 2 is needed.`,
  )

const aboutFirst = (result: Fields): About => ({
  protocolVersion: 1,
  capabilities: fieldsOf(result['agentCapabilities']),
  authMethods: listIn(result, 'authMethods'),
  ...named(fieldsOf(result['agentInfo'])),
})

/** Sessions can always be resumed, replayed and closed there. */
function aboutSecond(result: Fields): About {
  const { prompt, mcp, ...session } = fieldsOf(fieldsOf(result['capabilities'])['session'])
  const has = (name: string) =>
    fieldsOf(prompt)[name] !== undefined && fieldsOf(prompt)[name] !== null
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
    ...named(fieldsOf(result['info'])),
  }
}

function named(info: Fields): Pick<About, 'version' | 'title'> {
  const [version, title] = [textIn(info, 'version'), textIn(info, 'title') ?? textIn(info, 'name')]
  return { ...defined({ version, title }) }
}
