/** What the command line wants of Mission Control: a place, and what is done there. */
import type { Home } from './home.ts'
import { wholeFrom } from './option.ts'
import type { Option, OptionsOf } from './option.ts'

const place = [
  ['--data <dir>', 'the folder of its database (default: control/ under the home)'],
  ['--database <url>', 'postgres://…, for a team; any number of nodes on one database'],
] as const satisfies readonly Option[]

export const controlOptions = [
  ...place,
  ['--tenant <id>', 'which tenant (default: main)'],
] as const satisfies readonly Option[]

export const controlServeOptions = [
  ...place,
  ['--port <n>', 'the port (default: 7374)', wholeFrom(0, 65_535)],
  ['--host <host>', 'the address to bind; anything but this machine needs --url and TLS'],
  ['--url <url>', 'the address by which others reach it, also through a proxy that has TLS'],
  ['--tls-cert <file>', 'the certificate, with --tls-key'],
  ['--tls-key <file>', 'its key'],
  ['--no-notify', 'with --database: nodes find out by looking, without LISTEN and NOTIFY'],
] as const satisfies readonly Option[]

export const controlTokenOptions = [
  ...controlOptions,
  ['--name <name>', 'what the token is for'],
  ['--scope <scopes>', 'some of export, watch, steer, start, admin, with commas'],
  ['--person <id>', 'whose it is (default: the first owner, who is made if there is none)'],
  ['--machine <name>', 'the machine that it is for'],
  ['--days <n>', 'when it ends (default: never)', wholeFrom(1, 3650)],
] as const satisfies readonly Option[]

export type ControlPlace = OptionsOf<typeof controlOptions> & {
  readonly home: Home
  readonly cwd: string
  readonly noNotify?: true
}

export type ControlServing = ControlPlace &
  OptionsOf<typeof controlServeOptions> & {
    readonly signal: AbortSignal
    readonly json: boolean
    print(line: string): void
  }

export type TokenWish = {
  readonly name: string
  readonly scope: string
  readonly person?: string
  readonly machine?: string
  readonly days?: number
}

type Rows = readonly Readonly<Record<string, string | number | null>>[]

export interface ControlVisit {
  /** Its text is told this once. */
  createToken(wish: TokenWish): Promise<{
    readonly token: string
    readonly id: string
    readonly tenant: string
    readonly person: string
    readonly scopes: readonly string[]
  }>
  tokens(): Promise<Rows>
  revokeToken(id: string): Promise<void>
  people(): Promise<Rows>
  addPerson(wish: { readonly name: string; readonly role: string }): Promise<Rows[number]>
  tenants(): Promise<Rows>
  sessions(): Promise<Rows>
  doctor(): Promise<Readonly<Record<string, string | number>>>
}
