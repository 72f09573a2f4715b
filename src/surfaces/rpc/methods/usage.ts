/** What a session has used. */
import { defined } from '../../../lib/defined.ts'
import { sessionMethod } from '../method.ts'
import type { Methods } from '../method.ts'

export const usageMethods: Methods = {
  'session.usage.getMetrics': sessionMethod(
    'Tokens, requests and cost, as the log tells them.',
    {},
    async ({ ops, startedAt }) => {
      const { usage, turns, model, startTime } = await ops.state()
      return {
        totalPremiumRequestCost: usage.cost,
        totalUserRequests: turns.length,
        totalNanoAiu: usage.nanoAiu,
        totalApiDurationMs: 0,
        sessionStartTime: startTime ?? startedAt.toISOString(),
        codeChanges: { linesAdded: 0, linesRemoved: 0, filesModifiedCount: 0, filesModified: [] },
        modelMetrics: Object.fromEntries(
          usage.models.map((each) => [
            each.model,
            {
              requests: { count: each.requests, cost: each.cost },
              usage: {
                inputTokens: each.inputTokens,
                outputTokens: each.outputTokens,
                cacheReadTokens: each.cacheReadTokens,
                cacheWriteTokens: each.cacheWriteTokens,
                reasoningTokens: each.reasoningTokens,
              },
              totalNanoAiu: each.nanoAiu,
            },
          ]),
        ),
        lastCallInputTokens: 0,
        lastCallOutputTokens: 0,
        ...defined({ currentModel: model }),
      }
    },
  ),
}
