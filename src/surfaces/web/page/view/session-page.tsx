/** One session: what was said, what is going on, and everything that can be done about it. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ContextAnswer, ForkedAnswer, TurnsAnswer } from '../../api.ts'
import { get, post, sentence, sessionPath } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { Asks } from './asks.tsx'
import { Banner } from './banner.tsx'
import { Composer } from './composer.tsx'
import { Dialog } from './dialog.tsx'
import { GuestLinkDialog } from './guest-link-dialog.tsx'
import { ModelDialog } from './model-dialog.tsx'
import { Panel } from './panel.tsx'
import { RewindDialog } from './rewind-dialog.tsx'
import { SessionHead } from './session-head.tsx'
import { Transcript } from './transcript.tsx'
import { useAnswer } from './use-answer.ts'
import { useSession } from './use-session.ts'

type Props = {
  readonly id: string
  readonly turn: number | undefined
  readonly say: (text: string) => void
}

/** What is estimated can wait until what was asked for is there. */
const CALM_MS = 400

export function SessionPage({ id, turn, say }: Props) {
  const { model, connection, failure, loadOlder, seek, refresh } = useSession(id)
  const [rewindTo, setRewindTo] = useState<string>()
  const [isDeleting, setDeleting] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const [reveal, setReveal] = useState<string>()
  const [isPanelOpen, setPanelOpen] = useState(() => matchMedia('(min-width: 1200px)').matches)

  const version = `${model.status} ${model.answer?.state.lastEventId ?? ''}`
  // While it works its context changes all the time; the agent itself tells of it then.
  const calm = useRef(version)
  if (model.status === 'idle') calm.current = version
  const context = useAnswer<ContextAnswer>(
    model.isLoaded ? sessionPath(id, '/context') : undefined,
    {},
    { version: calm.current, delayMs: CALM_MS },
  )

  const attempt = useCallback(
    async (action: () => Promise<unknown>) => {
      try {
        await action()
      } catch (error) {
        say(sentence(error))
      }
      refresh()
    },
    [say, refresh],
  )
  const onSeek = useCallback(
    async (eventId: string) => {
      setReveal(undefined)
      if (await seek(eventId)) setReveal(eventId)
    },
    [seek],
  )
  const turnAt = useCallback(
    async (choose: (turns: TurnsAnswer['turns']) => TurnsAnswer['turns'][number] | undefined) =>
      choose((await get<TurnsAnswer>(sessionPath(id, '/turns'))).turns),
    [id],
  )
  useEffect(() => {
    if (turn === undefined || !model.isLoaded) return
    void attempt(async () => {
      const point = await turnAt((turns) => turns.find(({ index }) => index === turn))
      if (point !== undefined) await onSeek(point.eventId)
    })
  }, [id, turn, model.isLoaded])

  const fork = useCallback(
    (before?: string) =>
      void attempt(async () => {
        setRewindTo(undefined)
        const body = before === undefined ? {} : { before }
        const { sessionId, name } = await post<ForkedAnswer>(sessionPath(id, '/fork'), body)
        location.hash = hashOf({ view: 'session', id: sessionId })
        say(`Forked as “${name}”.`)
      }),
    [id, attempt, say],
  )
  const rewind = (mode?: 'conversation') =>
    void attempt(async () => {
      const eventId = rewindTo
      setRewindTo(undefined)
      await post(sessionPath(id, '/rewind'), { eventId, mode })
      say('Rewound. Redo brings it back.')
    })
  const onUndo = () =>
    void attempt(async () => setRewindTo((await turnAt((turns) => turns[0]))?.eventId))

  return (
    <div class={`session ${isPanelOpen ? 'has-panel' : ''}`}>
      <main class="session-main">
        <SessionHead
          model={model}
          attempt={attempt}
          onUndo={onUndo}
          onFork={() => fork()}
          onDelete={() => setDeleting(true)}
          onModel={() => setChoosing(true)}
          onGuestLink={() => setSharing(true)}
          context={context.answer}
          isPanelOpen={isPanelOpen}
          onPanel={() => setPanelOpen(!isPanelOpen)}
        />
        <Banner connection={connection} failure={failure} isGone={model.isGone} />
        <div class="transcript-box">
          {model.isLoaded && model.entries.length === 0 && model.live.text === '' ? (
            <p class="empty">Nothing was said yet. Write the first message below.</p>
          ) : (
            <Transcript
              key={id}
              model={model}
              reveal={reveal}
              onStart={() => void loadOlder()}
              onRewind={setRewindTo}
              onFork={fork}
            />
          )}
        </div>
        <Asks id={id} asks={model.asks} attempt={attempt} />
        <Composer
          key={id}
          id={id}
          status={model.status}
          queue={model.answer?.queue ?? []}
          isHeld={model.answer?.isQueueHeld ?? false}
          attempt={attempt}
        />
      </main>
      {isPanelOpen && (
        <Panel
          key={id}
          id={id}
          version={version}
          attempt={attempt}
          onSeek={(eventId) => void onSeek(eventId)}
          onRewind={setRewindTo}
          onClose={() => setPanelOpen(false)}
        />
      )}
      {rewindTo !== undefined && (
        <RewindDialog
          id={id}
          eventId={rewindTo}
          onClose={() => setRewindTo(undefined)}
          onRewind={rewind}
          onFork={() => fork(rewindTo)}
        />
      )}
      {isChoosing && (
        <ModelDialog
          model={model.answer?.state.model}
          effort={model.answer?.state.reasoningEffort}
          used={model.answer?.usage.models.map((used) => used.model) ?? []}
          onClose={() => setChoosing(false)}
          onChoose={(choice) =>
            void attempt(async () => {
              setChoosing(false)
              await post(sessionPath(id, '/model'), choice)
            })
          }
        />
      )}
      {isSharing && <GuestLinkDialog id={id} onClose={() => setSharing(false)} />}
      {isDeleting && (
        <Dialog title="Delete this session?" onClose={() => setDeleting(false)}>
          <p>It goes to the trash, from where it can be restored.</p>
          <div class="buttons">
            <button
              type="button"
              class="danger"
              onClick={() =>
                void attempt(async () => {
                  setDeleting(false)
                  await post(sessionPath(id, '/delete'))
                  location.hash = '#/'
                  say('The session is in the trash: g t shows it.')
                })
              }
            >
              Delete
            </button>
            <button type="button" onClick={() => setDeleting(false)}>
              Keep it
            </button>
          </div>
        </Dialog>
      )}
    </div>
  )
}
