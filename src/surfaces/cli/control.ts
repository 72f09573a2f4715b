/** What the command line wants of Mission Control: a place, and what is done there. */
import type { Home } from './home.ts'
import { wholeFrom, type Option, type OptionsOf } from './option.ts'

const place = [
  ['--data <dir>', 'the folder of its database (default: .reprise/control/ under the home)'],
  ['--database <url>', 'postgres://…, for a team; any number of nodes on one database'],
] as const satisfies readonly Option[]

export const controlOptions = [
  ...place,
  ['--tenant <id>', 'which tenant (default: main)'],
] as const satisfies readonly Option[]

export const controlServeOptions = [
  ['--data <dir>', 'the folder of its database (default: .reprise/control/ under the home)'],
  [
    '--database <url>...',
    'postgres://…, for a team; any number of nodes on one database; given again, for other tenants',
  ],
  ['--port <n>', 'the port (default: 7374)', wholeFrom(0, 65_535)],
  ['--host <host>', 'the address to bind; anything but this machine needs --url and TLS'],
  ['--url <url>', 'the address by which others reach it, also through a proxy that has TLS'],
  ['--tls-cert <file>', 'the certificate, with --tls-key'],
  ['--tls-key <file>', 'its key'],
  ['--blobs <url>', 's3://bucket/prefix: large contents go there (default: into the database)'],
  ['--oidc <issuer>', 'people sign in there; the secret of the client is in REPRISE_OIDC_SECRET'],
  ['--oidc-client <id>', 'how this server is called there'],
  ['--oidc-join <claim=value>', 'who has this claim joins; without it nobody new does'],
  ['--no-notify', 'with --database: nodes find out by looking, without LISTEN and NOTIFY'],
] as const satisfies readonly Option[]

export const controlTokenOptions = [
  ...controlOptions,
  ['--name <name>', 'what the token is for'],
  ['--scope <scopes>', 'some of export, watch, steer, start, work, admin, with commas'],
  ['--person <id>', 'whose it is (default: the first owner, who is made if there is none)'],
  ['--machine <name>', 'the machine that it is for'],
  ['--days <n>', 'when it ends (default: never)', wholeFrom(1, 3650)],
] as const satisfies readonly Option[]

export const controlRetentionOptions = [
  ...controlOptions,
  ['--keep-days <n>', 'trash sessions that did not change for so long', wholeFrom(1, 36_500)],
  ['--trash-days <n>', 'delete for good what lay in the trash so long', wholeFrom(0, 36_500)],
  ['--events-per-day <n>', 'the most events that are taken in a day', wholeFrom(1, 1e12)],
  ['--bytes-per-day <n>', 'the most bytes that are taken in a day', wholeFrom(1, 1e15)],
  ['--sessions <n>', 'the most sessions that are kept', wholeFrom(1, 1e9)],
  ['--unlimited', 'forget what was set before'],
  ['--run', 'do now what a server does every hour'],
] as const satisfies readonly Option[]

export const controlRestoreOptions = [
  ...controlOptions,
  ['--replace', 'put the backup in the place of what is there'],
] as const satisfies readonly Option[]

type RetentionWish = Readonly<Record<string, number>>

export type ControlPlace = OptionsOf<typeof controlOptions> & {
  readonly home: Home
  readonly cwd: string
  readonly noNotify?: true
  /** A database is made where there is none. */
  readonly isFounder?: boolean
  /** This file is to be restored: without it none is made. */
  readonly backup?: string
}

export type ControlServing = Omit<ControlPlace, 'database'> &
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
  renamePerson(wish: { readonly id: string; readonly name: string }): Promise<void>
  tenants(): Promise<Rows>
  /** The code of a link for its first owner. */
  addTenant(wish: {
    readonly id: string
    readonly name: string
  }): Promise<{ readonly code: string }>
  sessions(): Promise<Rows>
  tasks(): Promise<Rows>
  workers(): Promise<Rows>
  doctor(): Promise<Readonly<Record<string, string | number>>>
  /** What is set; with a wish, set first. Fields that it does not name stay, unless all are forgotten before. */
  retention(
    wish: RetentionWish,
    options: { readonly isAnew: boolean; readonly run: boolean },
  ): Promise<Readonly<Record<string, number>>>
  backup(file: string): Promise<{ readonly rows: number }>
  restore(
    file: string,
    options: { readonly replace: boolean },
  ): Promise<{ readonly rows: number; readonly forgotten: number }>
}
