/** What the files of this folder share: the session of this terminal, and the ways to the engine and to the model. */
import type { EngineError } from '../../../engine/errors.ts'
import type { SessionId } from '../../../format/ids.ts'
import { errorText } from '../../../lib/error-text.ts'
import type { Pastes } from '../editor/paste.ts'
import type { Model } from '../model/model.ts'
import type { Message } from '../model/message.ts'
import type { Tone } from '../model/window.ts'
import type { TuiOptions } from '../options.ts'
import type { Following } from './follow-into-model.ts'

export type SessionOptions = Pick<TuiOptions, 'engine' | 'cwd' | 'start' | 'agents' | 'seen'> & {
  readonly model: () => Model
  readonly tell: (message: Message) => void
  readonly pastes: Pastes
  /** A person has the terminal before them. */
  readonly isLooking: () => boolean
  /** Gives a message back to the person who wrote it. */
  readonly giveBack: (text: string) => void
  /** The session is busy in another process. */
  readonly onInUse: (text: string, error: EngineError) => Promise<void>
  /** The session works in another directory than this terminal. True: it shall work here from now on. */
  readonly onOtherProject: (there: string) => Promise<boolean>
}

export type SessionContext = SessionOptions & {
  id: SessionId | undefined
  /** The agent that was chosen for this session here, by its name. */
  chosen: string | undefined
  /** The one that answers in new sessions of this terminal, where it is not that of the configuration as it was read. */
  usual: string | undefined
  /** It was made by this terminal, with nothing in it. */
  isMade: boolean
  /** It has a log: something was said in it. */
  isSpoken: boolean
  following: Following | undefined
  making: Promise<SessionId> | undefined
  opening: Promise<void> | undefined
  /** How many messages of this terminal the session has not answered; `begun` is called when the log has the next one. */
  sent: { pending: number; begun?: () => void }
  /** How many events the model was told of. */
  eventsTold: number
  isLoadingOlder: boolean
}

export const createContext = (options: SessionOptions): SessionContext => ({
  ...options,
  id: undefined,
  chosen: undefined,
  usual: undefined,
  isMade: false,
  isSpoken: false,
  following: undefined,
  making: undefined,
  opening: undefined,
  sent: { pending: 0 },
  eventsTold: 0,
  isLoadingOlder: false,
})

export const say = ({ tell }: SessionContext, text: string, tone: Tone): void =>
  tell({ kind: 'say', tone, text })

export const complain = (context: SessionContext, error: unknown): void =>
  say(context, errorText(error), 'bad')
