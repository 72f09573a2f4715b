/**
 * What the database of Mission Control holds, as both engines have it. Every key begins with the tenant, so that
 * tenants can be spread over several databases without a join that crosses them. Times are milliseconds since 1970.
 */
import type { Generated, Insertable, Selectable } from 'kysely'

export type Tables = {
  tenants: {
    id: string
    name: string
    made: number
    /** Limits and retention, as JSON (`people/tenant-settings.ts`). */
    settings: Generated<string>
  }
  people: {
    tenant: string
    id: string
    name: string
    role: string
    made: number
    ended: number | null
  }
  tokens: {
    tenant: string
    id: string
    person: string
    name: string
    /** The machine that it was made for; its sessions carry this name. */
    machine: string | null
    scopes: string
    /** SHA-256 of the secret, never the secret. */
    hash: string
    made: number
    ends: number | null
    used: number | null
    revoked: number | null
    /** Of a guest: the one session that it opens. */
    session: Generated<string | null>
  }
  /** Codes by which a person or a machine comes in. They are asked for before the tenant is known. */
  logins: {
    hash: string
    kind: string
    /** What a person types, for a machine that cannot open a browser. */
    user_code: string | null
    tenant: string | null
    person: string | null
    role: string | null
    name: string
    machine: string | null
    scopes: string
    state: string
    ends: number
    /** Of a guest's link: the token that it opens. */
    token: Generated<string | null>
  }
  /** What an identity provider calls a person. */
  identities: { tenant: string; issuer: string; subject: string; person: string; made: number }
  audit: {
    tenant: string
    at: number
    id: string
    person: string
    token: string
    action: string
    subject: string
  }
  streams: {
    tenant: string
    id: string
    path: string
    type: string
    /** The number of the last record, from 1; inherited ones count. */
    head: number
    bytes: number
    closed: number
    /** The append that closed it: producer, epoch and number. */
    closed_by: string | null
    ttl: number | null
    expires: number | null
    touched: number
    /** The stream that it was forked from, and where. */
    source: string | null
    source_path: string | null
    source_head: number | null
    source_part: number | null
    /** Whose records it inherits, as JSON: `[[stream, last number], …]`, oldest first. */
    lineage: string
    /** Deleted, and still read through a fork. */
    gone: number
    /** The last `Stream-Seq`. */
    writer_seq: string | null
    session: string | null
    generation: number | null
    /** The last claim on a session's stream, which says who may append. */
    epoch: number | null
    holder: string | null
    /** The generation that goes on after a rewind. */
    successor: string | null
    made: number
    /** By which secrets were taken out of the last record. */
    policy: Generated<string | null>
  }
  /** From which record on of a stream secrets were taken out by which policy. */
  redactions: { tenant: string; stream: string; seq: number; policy: string }
  /** One record of a stream: an event of a session, or whatever another stream holds. */
  events: {
    tenant: string
    stream: string
    seq: number
    id: string | null
    parent: string | null
    type: string | null
    at: string | null
    /** As it came, byte for byte. */
    line: string | null
    /** In its place when it is no text: a NUL, or not UTF-8. */
    raw: Uint8Array | null
  }
  producers: { tenant: string; stream: string; producer: string; epoch: number; seq: number }
  sessions: {
    tenant: string
    id: string
    person: string
    machine: string
    sharing: string
    generation: number
    epoch: number
    name: string | null
    repository: string | null
    state: string
    activity: string | null
    /** Whether it takes commands. */
    steerable: number
    heard: number
    made: number
    changed: number
    /** Moves with every change but an event, and when it moved last. */
    rev: Generated<number>
    moved: Generated<number>
    /** Since when it lies in the trash. */
    trashed: Generated<number | null>
    /** Kept whatever its age. */
    pinned: Generated<number>
    branch: Generated<string | null>
    /** The beginning of its first prompt, as its machine has it. */
    summary: Generated<string | null>
  }
  /** Who besides its person may steer a session, and with which kinds of command. */
  grants: { tenant: string; session: string; person: string; kinds: string; made: number }
  commands: {
    tenant: string
    session: string
    id: string
    kind: string
    content: string
    person: string
    state: string
    machine: string | null
    /** Until when the claim holds. */
    lease: number | null
    reason: string | null
    event: string | null
    /** The machine of who sent it. */
    origin: Generated<string | null>
    /** The question that it answers. */
    prompt: Generated<string | null>
    /** What the machine answered, as JSON. */
    result: Generated<string | null>
    made: number
    ends: number
    changed: number
  }
  tasks: {
    tenant: string
    id: string
    session: string | null
    person: string
    kind: string
    content: string
    state: string
    worker: string | null
    lease: number | null
    made: number
    changed: number
    /** Only workers of this name take it; '' is any. */
    pool: Generated<string>
    /** How many workers have begun with it. */
    attempts: Generated<number>
    /** What came of it, as JSON. */
    result: Generated<string | null>
    /** Why it failed. */
    reason: Generated<string | null>
    /** Its person does not want it any more: who has it ends it. */
    cancelled: Generated<number | null>
    archived: Generated<number | null>
  }
  workers: {
    tenant: string
    id: string
    person: string
    machine: string
    pool: string
    agent: string
    /** What it may do without asking, in words. */
    policy: string
    slots: number
    busy: number
    heard: number
  }
  blobs: {
    tenant: string
    hash: string
    size: number
    made: number
    /** Its key in the object store; null: its pieces are in `chunks`. */
    object: Generated<string | null>
  }
  chunks: { tenant: string; hash: string; part: number; bytes: Uint8Array }
  /** Which sessions name a blob: the only way to it. */
  blob_names: { tenant: string; session: string; hash: string }
  /** Objects that no blob names, and since when: they are taken away. */
  loose_objects: { object: string; since: number }
  /** What was deleted, without its content: a backup that is restored forgets it again. */
  deletions: { tenant: string; session: string; person: string; at: number }
  /** What a tenant has written on a day, for its limits. */
  usage: { tenant: string; day: number; events: number; bytes: number }
}

export type Row<T extends keyof Tables> = Readonly<Selectable<Tables[T]>>
export type NewRow<T extends keyof Tables> = Readonly<Insertable<Tables[T]>>
