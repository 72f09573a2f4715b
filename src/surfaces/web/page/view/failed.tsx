/** What could not be shown, why, and the way to ask for it once more. */
import { Icon } from './icon.tsx'

/** Without `again` there is nothing to try: it is told, and something else is shown. */
export type Failure = { readonly text: string; readonly again?: () => void }

type Props = { readonly failure: Failure | undefined; readonly className?: string }

export function Failed({ failure, className = '' }: Props) {
  if (failure === undefined) return null
  return (
    <div class={`failure ${className}`} role="alert">
      <p class="bad">{failure.text}</p>
      {failure.again !== undefined && (
        <button type="button" class="small" onClick={failure.again}>
          <Icon name="restore" /> Try again
        </button>
      )}
    </div>
  )
}
