/** What waits for an answer when the page is opened. What the server knows counts more than what was put together here. */
import { permissionAsk, questionAsk, type Ask } from '../../../../state/asks.ts'
import type { SessionAnswer } from '../../api.ts'

export const asksOf = ({ requests, questions }: SessionAnswer): Ask[] => [
  ...requests.flatMap(({ event, answerable }) =>
    event.type === 'permission.requested' ? [permissionAsk(event.data, answerable)] : [],
  ),
  ...questions.map(questionAsk),
]
