/** How a session is doing, where it works and who answers. */
import { defined } from '../../../../lib/defined.ts'
import type { ContextAnswer } from '../../api.ts'
import type { SessionModel } from '../model/session-model.ts'
import { baseName, visible } from '../model/words.ts'
import { Icon } from './icon.tsx'
import { Meter } from './meter.tsx'

export const statusWords = { idle: 'Idle', running: 'Working', waiting: 'Waits for you' } as const

type Props = {
  readonly model: SessionModel
  readonly context?: ContextAnswer | undefined
  /** Whom it waits for, when that is not the reader. */
  readonly waits?: string
  /** Without it who answers is only told. */
  readonly onModel?: () => void
  readonly onRemote?: () => void
}

export function Facts({ model, context, waits = statusWords.waiting, onModel, onRemote }: Props) {
  const metadata = model.answer?.metadata
  // Of a session that is not there yet nothing is known: neither that it rests nor that nobody answers.
  if (metadata === undefined) return <p class="faint facts">&nbsp;</p>
  const place = metadata.repository ?? (metadata.cwd && baseName(metadata.cwd))
  return (
    <p class="faint facts">
      <span>
        {model.status !== 'idle' && <span class={`dot ${model.status}`} />}
        <span role="status">{model.status === 'waiting' ? waits : statusWords[model.status]}</span>
      </span>
      {place !== undefined && (
        <span class="beside place" title={visible(metadata.cwd ?? place)}>
          <Icon name="folder" /> <span>{visible(place)}</span>
        </span>
      )}
      {metadata.branch !== undefined && (
        <span class="beside place branch" title={visible(metadata.branch)}>
          <Icon name="branch" /> <span>{visible(metadata.branch)}</span>
        </span>
      )}
      <Answers model={model} {...defined({ onModel })} />
      <Remote model={model} {...defined({ onRemote })} />
      <Meter model={model} context={context} />
    </p>
  )
}

/** Whether what is seen elsewhere is what is here. */
function Remote({ model, onRemote }: Pick<Props, 'model' | 'onRemote'>) {
  const words = model.answer?.remote
  if (words === undefined || onRemote === undefined) return null
  return (
    <button
      type="button"
      class={`quiet small ${words.isLate ? 'late' : ''}`}
      title="Its copy in Mission Control: link and code for a phone."
      onClick={onRemote}
    >
      ⇄ {visible(words.text)}
    </button>
  )
}

/** The agent and its model by their names: who answers the next message. */
function Answers({ model, onModel }: Pick<Props, 'model' | 'onModel'>) {
  const { agent, model: name } = model.answer?.answers ?? {}
  const effort = model.answer?.state.reasoningEffort
  const words = [agent === 'model' ? undefined : agent, name, effort].flatMap((part) =>
    part === undefined ? [] : [visible(part)],
  )
  if (onModel === undefined) return words.length === 0 ? null : <span>{words.join(' · ')}</span>
  return (
    <button type="button" class="quiet small" title="Who answers. Change it." onClick={onModel}>
      {words.length === 0 ? 'Choose a model' : words.join(' · ')}
    </button>
  )
}
