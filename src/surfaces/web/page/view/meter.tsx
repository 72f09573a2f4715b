/** How full the model context is, and what the session used and cost so far. */
import { amount } from '../../../../lib/quantities.ts'
import type { ContextAnswer, SessionAnswer } from '../../api.ts'
import type { SessionModel } from '../model/session-model.ts'
import { money } from '../model/words.ts'

type Props = {
  readonly model: SessionModel
  /** Estimated by the server; what the agent itself tells counts more. */
  readonly context: ContextAnswer | undefined
}

export function Meter({ model, context: estimated }: Props) {
  const { answer } = model
  const { used = 0, limit = 0 } = model.context ?? estimated ?? {}
  const usage = answer?.usage
  const share = limit > 0 ? Math.round((used / limit) * 100) : undefined
  return (
    <>
      {used > 0 && (
        <span
          class="meter beside"
          title={limit > 0 ? `Model context: ${used} of ${limit} tokens` : 'Model context'}
        >
          {share === undefined ? (
            `${amount(used)} tokens in context`
          ) : (
            <>
              <meter
                aria-label="Model context"
                min={0}
                max={limit}
                high={limit * 0.8}
                value={Math.min(used, limit)}
              />
              {share > 100 ? 'context is full' : `${share}%`}
            </>
          )}
        </span>
      )}
      {usage !== undefined && usage.inputTokens + usage.outputTokens > 0 && (
        <span class="beside tokens" title={tokensTitle(usage)}>
          {amount(usage.inputTokens)} in, {amount(usage.outputTokens)} out
        </span>
      )}
      {answer !== undefined && answer.dollars !== null && answer.dollars > 0 ? (
        <span title="By list prices or your own">{money(answer.dollars)}</span>
      ) : (
        usage !== undefined &&
        usage.cost > 0 && (
          <span title="Premium requests">{Math.round(usage.cost * 100) / 100} requests</span>
        )
      )}
    </>
  )
}

function tokensTitle({ takenBack }: SessionAnswer['usage']): string {
  const { inputTokens = 0, outputTokens = 0 } = takenBack ?? {}
  const gone = inputTokens + outputTokens
  return gone === 0
    ? 'Tokens in and out'
    : `Tokens in and out; ${amount(gone)} of them in turns that were taken back`
}
