/** The plan of a session, which is a text, as the list of steps that editors show. */
import type { PlanEntry } from '@agentclientprotocol/sdk'

const STEP = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[([ xX~/-])\]\s+)?(.+)$/

/** Each item of a list is a step; one that is ticked is done. A plan without lists has one step for each line. */
export function planEntries(markdown: string): PlanEntry[] {
  const lines = markdown.split('\n')
  const steps = lines.flatMap((line) => {
    const [, mark, content] = STEP.exec(line) ?? []
    return content === undefined ? [] : [{ content: content.trim(), mark }]
  })
  const plain = lines
    .map((line) => line.replace(/^#+\s*/, '').trim())
    .filter((line) => line !== '')
    .map((content) => ({ content, mark: undefined }))
  return (steps.length > 0 ? steps : plain).map(({ content, mark }) => ({
    content,
    priority: 'medium',
    status: statusOf(mark),
  }))
}

function statusOf(mark: string | undefined): PlanEntry['status'] {
  if (mark === 'x' || mark === 'X') return 'completed'
  return mark === undefined || mark === ' ' ? 'pending' : 'in_progress'
}
