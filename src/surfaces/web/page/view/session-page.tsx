/** One session: what was said, what is going on, and everything that can be done about it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ContextAnswer } from '../../api.ts'
import { sessionPath } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { Asks } from './asks.tsx'
import { Banner, gone } from './banner.tsx'
import { Composer } from './composer.tsx'
import { FindBar } from './find-bar.tsx'
import { MissingPage } from './missing-page.tsx'
import { Panel } from './panel.tsx'
import { SessionDialogs } from './session-dialogs.tsx'
import { SessionHead } from './session-head.tsx'
import { Transcript } from './transcript.tsx'
import { useMayAct } from './team.tsx'
import { useAnswer } from './use-answer.ts'
import { useSession, type Anchor } from './use-session.ts'
import { useSessionActions } from './use-session-actions.ts'

type Props = {
  readonly id: string
  readonly turn: number | undefined
  readonly call: string | undefined
  readonly at: string | undefined
  readonly text: string | undefined
  readonly say: (text: string) => void
}

/** What is estimated can wait until what was asked for is there. */
const CALM_MS = 400

export function SessionPage({ id, turn, call, at, text, say }: Props) {
  const place = placeOf({ turn, call, at, text })
  const session = useSession(id, { at: place })
  const { model, goTo } = session
  const actions = useSessionActions(id, { say, refresh: session.refresh })
  const isMember = useMayAct()
  const mayAct = isMember && !model.isGone
  const [isFinding, setFinding] = useState(false)
  const [isPanelOpen, setPanelOpen] = useState(() => matchMedia('(min-width: 1300px)').matches)

  // The first place is what the session is loaded around; a later one is gone to.
  const key = JSON.stringify(place)
  const first = useRef({ id, key })
  useEffect(() => {
    const { current } = first
    if (current.id === id && current.key === key) return
    first.current = { id, key }
    if (current.id === id && place !== undefined) void goTo(place)
  }, [id, key])

  const version = `${model.status} ${model.answer?.state.lastEventId ?? ''}`
  // While it works its context changes all the time; the agent itself tells of it then.
  const calm = useRef(version)
  if (model.status === 'idle') calm.current = version
  const context = useAnswer<ContextAnswer>(
    model.isLoaded ? sessionPath(id, '/context') : undefined,
    {},
    { version: calm.current, delayMs: CALM_MS },
  )
  if (session.isMissing) return <MissingPage id={id} />
  return (
    <div class={`session ${isPanelOpen ? 'has-panel' : ''}`}>
      <main class="session-main" id="content">
        <SessionHead
          model={model}
          actions={actions}
          context={context.answer}
          isPanelOpen={isPanelOpen}
          onPanel={() => setPanelOpen(!isPanelOpen)}
          onFind={() => setFinding(true)}
        />
        {isFinding && <FindBar key={id} id={id} goTo={goTo} onClose={() => setFinding(false)} />}
        {model.isGone ? (
          <Banner text={gone}>
            {' '}
            <a class="quiet" href={hashOf({ view: 'trash' })}>
              Open the trash
            </a>
          </Banner>
        ) : (
          <Banner text={session.failure?.text} again={session.failure?.again} />
        )}
        <Transcript
          key={id}
          session={session}
          {...(mayAct && {
            onRewind: (rewindTo: string) => actions.open({ rewindTo }),
            onFork: actions.fork,
            onSend: actions.send,
          })}
        />
        {mayAct ? (
          <>
            <Asks id={id} asks={model.asks} attempt={actions.attempt} />
            <Composer
              key={`composer ${id}`}
              id={id}
              status={model.status}
              mode={model.answer?.state.mode}
              onMode={actions.setMode}
              queue={model.answer?.queue ?? []}
              isHeld={model.answer?.isQueueHeld ?? false}
              trouble={model.answer?.queueTrouble}
              attempt={actions.attempt}
            />
          </>
        ) : (
          !isMember && (
            <p class="guest-note">
              You watch this session. An owner of the team makes you a member.
            </p>
          )
        )}
      </main>
      {isPanelOpen && (
        <Panel
          key={id}
          id={id}
          version={version}
          onSeek={(event) => void goTo({ event })}
          {...(mayAct && {
            attempt: actions.attempt,
            onRewind: (rewindTo: string) => actions.open({ rewindTo }),
          })}
          onClose={() => setPanelOpen(false)}
        />
      )}
      <SessionDialogs model={model} actions={actions} />
    </div>
  )
}

function placeOf({
  turn,
  call,
  at,
  text,
}: Pick<Props, 'turn' | 'call' | 'at' | 'text'>): Anchor | undefined {
  if (at !== undefined) return { event: at, call, text }
  return turn === undefined ? undefined : { turn, call, text }
}
