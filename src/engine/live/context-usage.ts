/** How full the window of the model was when it was called last, as it was told. */
import type { Payload } from '../../format/event.ts'
import type { NoticePayload } from '../../format/notice.ts'
import { defined } from '../../lib/defined.ts'

export type Gauge = Pick<
  Payload<'session.shutdown'>,
  'currentTokens' | 'systemTokens' | 'conversationTokens' | 'toolDefinitionsTokens'
>

export const gaugeOf = ({
  currentTokens,
  systemTokens,
  conversationTokens,
  toolDefinitionsTokens,
}: NoticePayload<'session.usage_info'>): Gauge =>
  defined({ currentTokens, systemTokens, conversationTokens, toolDefinitionsTokens })
