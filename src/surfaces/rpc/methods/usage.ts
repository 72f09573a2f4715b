/** What a session has used. */
import { defined } from '../../../lib/defined.ts'
import { sessionMethod, type Methods } from '../method.ts'

export const usageMethods: Methods = {
  'session.usage.getMetrics': sessionMethod(
    'Tokens, requests and cost, as the log tells them.',
    async ({ ops, startedAt }) => {
      const { turns, model, startTime } = await ops.state()
      const usage = await ops.usage()
      const { codeChanges, modelMetrics, totalApiDurationMs } = await ops.metrics()
      return {
        totalPremiumRequestCost: usage.cost,
        totalUserRequests: turns.length,
        totalNanoAiu: usage.nanoAiu,
        totalApiDurationMs,
        sessionStartTime: startTime ?? startedAt.toISOString(),
        codeChanges: { ...codeChanges, filesModifiedCount: codeChanges.filesModified.length },
        modelMetrics,
        lastCallInputTokens: usage.lastCall?.inputTokens ?? 0,
        lastCallOutputTokens: usage.lastCall?.outputTokens ?? 0,
        ...defined({ currentModel: model }),
      }
    },
  ),
}
