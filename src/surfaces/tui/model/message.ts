/** Everything that can change the model. */
import type { Answering } from '../../../commands/command.ts'
import type { FeedItem } from '../../../engine/live/feed.ts'
import type { EventId, SessionId } from '../../../format/ids.ts'
import type { Ask } from '../../../state/asks.ts'
import type { TranscriptEntry } from '../../../state/transcript.ts'
import type { Picker } from '../picker/picker.ts'
import type { VimMode } from '../editor/vim-edit.ts'
import type { Dialog } from './dialog.ts'
import type { Anchor, Greeting, Menu, Model, Page, SessionFacts } from './model.ts'
import type { Tone } from './window.ts'

export type Message =
  | {
      readonly kind: 'fed'
      readonly item: FeedItem
      readonly entries: readonly TranscriptEntry[]
    }
  | {
      readonly kind: 'loaded'
      readonly entries: readonly TranscriptEntry[]
      readonly olderThan: EventId | undefined
    }
  | {
      readonly kind: 'older'
      readonly entries: readonly TranscriptEntry[]
      readonly olderThan: EventId | undefined
    }
  | {
      /** A part in the middle of the session, with one of its entries at the top. */
      readonly kind: 'visited'
      readonly entries: readonly TranscriptEntry[]
      readonly olderThan: EventId | undefined
      readonly at: EventId
      readonly isEnd: boolean
    }
  /** For another session, or for a new one. */
  | { readonly kind: 'left'; readonly to: SessionId | undefined }
  | { readonly kind: 'facts'; readonly facts: Partial<SessionFacts> }
  | { readonly kind: 'found'; readonly found: Partial<Greeting> }
  | { readonly kind: 'of-files'; readonly commands: Model['ofFiles'] }
  | { readonly kind: 'sending' }
  | { readonly kind: 'settled' }
  | { readonly kind: 'cancelling' }
  | { readonly kind: 'queue'; readonly queue: Model['queue'] }
  | { readonly kind: 'answered'; readonly requestId: string }
  /** The answer was not taken. */
  | { readonly kind: 'not-answered'; readonly ask: Ask }
  /** What waits for an answer in a turn of another process. */
  | { readonly kind: 'asked'; readonly asks: readonly Ask[] }
  | { readonly kind: 'say'; readonly text: string; readonly tone: Tone }
  | { readonly kind: 'hint'; readonly text: string | undefined }
  | { readonly kind: 'dialog'; readonly dialog: Dialog | undefined }
  | { readonly kind: 'page'; readonly page: Page | undefined }
  | { readonly kind: 'picker'; readonly picker: Picker | undefined }
  | { readonly kind: 'scroll'; readonly anchor: Anchor | undefined }
  | { readonly kind: 'work'; readonly what: string | undefined }
  /** Something that was typed is being done, and is done. */
  | { readonly kind: 'started' | 'finished' }
  | { readonly kind: 'fold' }
  | { readonly kind: 'vim'; readonly mode: VimMode | undefined }
  | { readonly kind: 'answering'; readonly answering: Answering | undefined }
  | { readonly kind: 'allowed'; readonly allowsAll: boolean }
  | { readonly kind: 'menu'; readonly menu: Menu }
