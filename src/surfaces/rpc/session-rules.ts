/**
 * What clients say of permissions in one session, as rules of ours: beside the user's own, which deny what they deny
 * whatever is said here. Holds until the session is closed; what holds for a place is kept by `allowed-directories.ts`.
 */
import { tmpdir } from 'node:os'
import { rulesOf, type Grants } from '../../config/launch-rules.ts'
import type { PermissionRules } from '../../engine/turn/permission-rules.ts'

/** As the Copilot CLI writes them: `shell(git:*)`, `write`, `my-server(my-tool)`. */
export type SdkRule = { readonly kind: string; readonly argument?: string | null | undefined }

type PathWishes = {
  readonly unrestricted?: boolean | undefined
  readonly additionalDirectories?: readonly string[] | undefined
  readonly includeTempDirectory?: boolean | undefined
}

type UrlWishes = {
  readonly unrestricted?: boolean | undefined
  readonly initialAllowed?: readonly string[] | undefined
}

export interface SessionRules {
  /** Everything is allowed that no rule denies. */
  approvesAll: boolean
  readsAll: boolean
  approved: readonly SdkRule[]
  denied: readonly SdkRule[]
  paths: PathWishes
  urls: UrlWishes
  /** Those that hold where the session works. */
  ofPlace: readonly SdkRule[]
  /** Of the place it knows what was allowed there before. */
  now(): Promise<PermissionRules>
}

/** `atPlace`: what was allowed for the place where the session works; asked once, when something is first decided. */
export function createSessionRules(atPlace: () => Promise<readonly SdkRule[]>): SessionRules {
  let known: Promise<void> | undefined
  const knowPlace = async () => {
    rules.ofPlace = changed(rules.ofPlace, { add: await atPlace() })
  }
  const rules: SessionRules = {
    approvesAll: false,
    readsAll: false,
    approved: [],
    denied: [],
    paths: {},
    urls: {},
    ofPlace: [],
    async now() {
      await (known ??= knowPlace())
      const { paths, urls } = rules
      const grants: Grants = {
        allowTool: [...rules.approved, ...rules.ofPlace].map(textOf),
        denyTool: rules.denied.map(textOf),
        allowUrl: urls.initialAllowed ?? [],
        addDir: [
          ...(paths.additionalDirectories ?? []),
          ...(paths.includeTempDirectory === true ? [tmpdir()] : []),
        ],
        ...(urls.unrestricted === true && { allowAllUrls: true }),
        ...((paths.unrestricted === true || rules.readsAll) && { allowAllPaths: true }),
      }
      return rulesOf(grants)
    },
  }
  return rules
}

export const textOf = ({ kind, argument }: SdkRule): string =>
  argument === undefined || argument === null || argument === '' ? kind : `${kind}(${argument})`

const isSame = (one: SdkRule, other: SdkRule): boolean => textOf(one) === textOf(other)

export function changed(
  before: readonly SdkRule[],
  { add = [], remove = [], removeAll = false }: RuleChange,
): readonly SdkRule[] {
  const kept = removeAll ? [] : before.filter((rule) => !remove.some((gone) => isSame(rule, gone)))
  return [...kept, ...add.filter((rule) => !kept.some((known) => isSame(rule, known)))]
}

type RuleChange = {
  readonly add?: readonly SdkRule[] | undefined
  readonly remove?: readonly SdkRule[] | undefined
  readonly removeAll?: boolean | undefined
}
