/** The report of costs as the page draws it, read from what programs are given. */
export type CostSum = {
  readonly name: string
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly tokens: number
  /** Null where nothing has a price. */
  readonly dollars: number | null
}

type Cost = {
  readonly sessions: number
  readonly total: CostSum | undefined
  readonly models: readonly CostSum[]
  readonly repositories: readonly CostSum[]
  readonly withoutPrice: readonly string[]
}

export function costIn(json: Readonly<Record<string, unknown>>): Cost {
  const report = json as Partial<Cost> & { readonly total?: CostSum | null }
  return {
    sessions: report.sessions ?? 0,
    total: report.total ?? undefined,
    models: report.models ?? [],
    repositories: report.repositories ?? [],
    withoutPrice: report.withoutPrice ?? [],
  }
}
