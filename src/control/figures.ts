/** What a node counts, in the text that Prometheus reads. */
export function createFigures() {
  let commits = 0
  let appends = 0
  let written = 0
  let seconds = 0
  const requests = new Map<number, number>()
  return {
    commit(done: {
      readonly appends: number
      readonly written: number
      readonly ms: number
    }): void {
      commits += 1
      appends += done.appends
      written += done.written
      seconds += done.ms / 1000
    },
    request(status: number): void {
      requests.set(status, (requests.get(status) ?? 0) + 1)
    },
    text: (now: { readonly waiting: number }): string =>
      [
        ...counter('reprise_control_commits_total', 'Durable commits of appends.', commits),
        ...counter('reprise_control_appends_total', 'Appends in them.', appends),
        ...counter('reprise_control_events_total', 'Events that were not there before.', written),
        ...counter('reprise_control_commit_seconds_total', 'Time spent in commits.', seconds),
        '# HELP reprise_control_readers Readers that wait for a stream to grow.',
        '# TYPE reprise_control_readers gauge',
        `reprise_control_readers ${now.waiting}`,
        '# HELP reprise_control_requests_total Answers, by status.',
        '# TYPE reprise_control_requests_total counter',
        ...[...requests].map(
          ([status, count]) => `reprise_control_requests_total{status="${status}"} ${count}`,
        ),
        '# HELP process_resident_memory_bytes Memory of this node.',
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        '',
      ].join('\n'),
  }
}

export type Figures = ReturnType<typeof createFigures>

const counter = (name: string, help: string, value: number): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} counter`,
  `${name} ${value}`,
]
