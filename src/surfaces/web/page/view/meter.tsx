/** How full the model context is, and what the session used so far. */
import type { SessionModel } from '../model/session.ts'
import { amount } from '../model/words.ts'

export function Meter({ model }: { readonly model: SessionModel }) {
  const usage = model.answer?.usage
  const { context } = model
  return (
    <div class="meter">
      {context !== undefined && context.limit > 0 && (
        <span title={`${context.used} of ${context.limit} tokens`}>
          <meter
            aria-label="Model context"
            min={0}
            max={context.limit}
            high={context.limit * 0.8}
            value={context.used}
          />{' '}
          {Math.round((context.used / context.limit) * 100)}%
        </span>
      )}
      {usage !== undefined && usage.inputTokens + usage.outputTokens > 0 && (
        <span title="Tokens in and out">
          ↑{amount(usage.inputTokens)} ↓{amount(usage.outputTokens)}
        </span>
      )}
      {usage !== undefined && usage.cost > 0 && (
        <span title="Premium requests">{Math.round(usage.cost * 100) / 100} req</span>
      )}
    </div>
  )
}
