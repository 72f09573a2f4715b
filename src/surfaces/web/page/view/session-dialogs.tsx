/** The windows over an open session: who answers, a rewind, a link for guests, deleting. */
import type { SessionModel } from '../model/session-model.ts'
import { Dialog } from './dialog.tsx'
import { GuestLinkDialog } from './guest-link-dialog.tsx'
import { lazy } from './lazy.tsx'
import { ModelDialog } from './model-dialog.tsx'
import { RewindDialog } from './rewind-dialog.tsx'
import { useTeam } from './team.tsx'
import type { SessionActions } from './use-session-actions.ts'

const RemoteDialog = lazy(async () => (await import('./remote-dialog.tsx')).RemoteDialog)
const ShareDialog = lazy(async () => (await import('./share-dialog.tsx')).ShareDialog)

type Props = { readonly model: SessionModel; readonly actions: SessionActions }

export function SessionDialogs({ model, actions }: Props) {
  const { opened, close } = actions
  const team = useTeam()
  if (opened === undefined) return null
  if (typeof opened === 'object')
    return (
      <RewindDialog
        id={model.id}
        eventId={opened.rewindTo}
        onClose={close}
        onRewind={(mode) => actions.rewind(opened.rewindTo, mode)}
        onFork={() => actions.fork(opened.rewindTo)}
      />
    )
  if (opened === 'model') return <ModelDialog model={model} actions={actions} />
  if (opened === 'remote') return <RemoteDialog id={model.id} onClose={close} />
  if (opened === 'guest')
    return team === undefined ? (
      <GuestLinkDialog id={model.id} onClose={close} />
    ) : (
      <ShareDialog id={model.id} team={team} onClose={close} />
    )
  return (
    <Dialog title="Delete this session?" onClose={close}>
      <p>It goes to the trash, from where it can be restored.</p>
      <div class="buttons">
        <button type="button" class="danger" onClick={actions.remove}>
          Delete
        </button>
        <button type="button" onClick={close}>
          Keep it
        </button>
      </div>
    </Dialog>
  )
}
