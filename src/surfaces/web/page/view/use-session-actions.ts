/** What can be done with the open session as a whole, and which of its windows is open. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ForkedAnswer, RedoneAnswer, TurnsAnswer } from '../../api.ts'
import { counted } from '../../../../lib/quantities.ts'
import { get, LONG_MS, post, sessionPath } from '../client.ts'
import { hashOf } from '../model/route.ts'
import { useAttempt } from './use-list.ts'

export type SessionActions = ReturnType<typeof useSessionActions>
type Opened = 'model' | 'guest' | 'remote' | 'delete' | { readonly rewindTo: string }

export function useSessionActions(
  id: string,
  { say, refresh }: { readonly say: (text: string) => void; readonly refresh: () => void },
) {
  const [opened, setOpened] = useState<Opened>()
  const attempt = useAttempt(say, refresh)
  // A window is about the session that it was opened for: who goes back to another leaves it.
  useEffect(() => setOpened(undefined), [id])
  return useMemo(() => {
    const ask = <T>(rest: string, body: object = {}) =>
      post<T>(sessionPath(id, rest), body, LONG_MS)
    const close = () => setOpened(undefined)
    return {
      opened,
      attempt,
      open: (what: Opened) => setOpened(what),
      close,
      rename: (name: string) => void attempt(() => ask('/rename', { name })),
      undo: () =>
        void attempt(async () => {
          const [last] = (await get<TurnsAnswer>(sessionPath(id, '/turns'))).turns
          if (last === undefined) say('There is no turn to undo.')
          else setOpened({ rewindTo: last.eventId })
        }),
      send: (prompt: string) => void attempt(() => ask('/send', { prompt })),
      redo: () =>
        void attempt(async () => {
          const { restoredFiles } = await ask<RedoneAnswer>('/redo')
          const files =
            restoredFiles.length > 0 ? ` and ${counted(restoredFiles.length, 'file')}` : ''
          say(`Redone: what the last rewind took${files} came back.`)
        }),
      rewind: (eventId: string, mode?: 'conversation') =>
        void attempt(async () => {
          close()
          await ask('/rewind', { eventId, mode })
          say('Rewound. Redo, in the menu, brings it back.')
        }),
      fork: (before?: string) =>
        void attempt(async () => {
          close()
          const body = before === undefined ? {} : { before }
          const { sessionId, name } = await ask<ForkedAnswer>('/fork', body)
          location.hash = hashOf({ view: 'session', id: sessionId })
          say(`Forked as “${name}”.`)
        }),
      compact: () =>
        void attempt(async () => {
          say('Summing up…')
          await ask('/compact')
          say('Summed up: the model is given the summary from here on.')
        }),
      setModel: (choice: { readonly model: string; readonly reasoningEffort?: string }) =>
        void attempt(async () => {
          close()
          await ask('/model', choice)
        }),
      setAgent: (name: string) =>
        void attempt(async () => {
          close()
          await ask('/command', { text: `/agent ${name}` })
          say(`${name} answers from the next message on.`)
        }),
      setMode: (mode: string) => void attempt(() => ask('/mode', { mode })),
      copyLink: () =>
        void navigator.clipboard
          .writeText(location.origin + location.pathname + hashOf({ view: 'session', id }))
          .then(
            () => say('The link is copied.'),
            () => say('The browser forbids to copy it: it is in the address of this page.'),
          ),
      remove: () =>
        void attempt(async () => {
          close()
          await ask('/delete')
          location.hash = hashOf({ view: 'home' })
          say('The session is in the trash: g t shows it.')
        }),
    }
  }, [id, opened, attempt, say])
}
