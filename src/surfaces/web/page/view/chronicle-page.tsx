/** Reports over all sessions, and charts of when, with what and on what was worked. */
import { useState } from 'preact/hooks'
import type { ReportAnswer } from '../../api.ts'
import type { Query } from '../client.ts'
import { hashOf, reportKinds, type ReportKind } from '../model/route.ts'
import { ownZone } from '../../../../lib/time-zone.ts'
import { CostReport } from './cost-report.tsx'
import { ChartsReport } from './charts-report.tsx'
import { Failed } from './failed.tsx'
import { CodeLinks, Markdown } from './markdown.tsx'
import { useAudience } from './team.tsx'
import { useAnswer } from './use-answer.ts'

const names: Readonly<Record<ReportKind, string>> = {
  standup: 'Standup',
  tips: 'Tips',
  improve: 'Improve',
  cost: 'Cost',
  charts: 'Charts',
}
const spans = [
  ['', 'Usual time'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['365d', 'A year'],
] as const

export function ChroniclePage({ kind }: { readonly kind: ReportKind }) {
  const [since, setSince] = useState('')
  const [repo, setRepo] = useState('')
  const audience = useAudience()
  return (
    <main class="page" id="content">
      <h1>Chronicle</h1>
      <div class="filters">
        <nav class="segments" aria-label="Reports">
          {reportKinds.map((each) => (
            <a
              class={each === kind ? 'is-on' : ''}
              aria-current={each === kind ? 'page' : undefined}
              href={hashOf({ view: 'chronicle', kind: each })}
            >
              {names[each]}
            </a>
          ))}
        </nav>
        {audience.picker}
        {kind !== 'charts' && (
          <>
            <select
              aria-label="Since"
              value={since}
              onChange={(event) => setSince(event.currentTarget.value)}
            >
              {spans.map(([value, name]) => (
                <option value={value}>{name}</option>
              ))}
            </select>
            <input
              aria-label="Repository"
              placeholder="Repository"
              value={repo}
              onInput={(event) => setRepo(event.currentTarget.value)}
            />
          </>
        )}
      </div>
      {kind === 'charts' ? (
        <ChartsReport of={audience.query} />
      ) : (
        <Report kind={kind} query={{ since, repo, zone: ownZone(), ...audience.query }} />
      )}
    </main>
  )
}

type ReportProps = { readonly kind: string; readonly query: Query }

function Report({ kind, query }: ReportProps) {
  const { answer, failure, isLoading } = useAnswer<ReportAnswer>(`/api/chronicle/${kind}`, query, {
    delayMs: 150,
  })
  if (failure !== undefined) return <Failed failure={failure} />
  if (answer === undefined) return <p class="faint">{isLoading ? 'Reading the store…' : ''}</p>
  return (
    <>
      <h2 class="unseen-text">Report</h2>
      {answer.kind === 'cost' ? (
        <CostReport report={answer} query={{ ...query, since: '31d' }} />
      ) : (
        <CodeLinks.Provider value={sessionsIn(answer)}>
          <Markdown text={answer.markdown} />
        </CodeLinks.Provider>
      )}
    </>
  )
}

const UUID = /"([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g

/** A report names sessions by the beginning of their ids; each leads to its session. */
function sessionsIn({ json }: ReportAnswer): (code: string) => string | undefined {
  const found = JSON.stringify(json).matchAll(UUID)
  const ids = new Map([...found].map(([id, short = '']) => [short, id.slice(1, -1)]))
  return (code) => {
    const id = ids.get(code)
    return id === undefined ? undefined : hashOf({ view: 'session', id })
  }
}
