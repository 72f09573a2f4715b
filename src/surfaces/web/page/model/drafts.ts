/**
 * Keeps what people type until the server has it: a draft outlives a reload, a crash of the tab and a lost connection.
 * What was sent is kept too, until it is known to have arrived.
 */
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type Sent = { readonly tab: string; readonly text: string; readonly at: number }
type Kept = { readonly text: string; readonly sent: readonly Sent[] }

/** Longer than any message is waited for: a tab that sent it before that is not there any more. */
const LOST_MS = 60_000
const KEY = 'reprise.draft.'

/** `tab` stays the same over a reload. */
export function createDrafts(store: Store, tab: string, now: () => number = Date.now) {
  const load = (id: string): Kept => {
    try {
      return {
        text: '',
        sent: [],
        ...(JSON.parse(store.getItem(KEY + id) ?? '{}') as Partial<Kept>),
      }
    } catch {
      // Something else wrote under this name; there is no draft in it.
      return { text: '', sent: [] }
    }
  }
  const save = (id: string, kept: Kept) => {
    try {
      if (kept.text === '' && kept.sent.length === 0) store.removeItem(KEY + id)
      else store.setItem(KEY + id, JSON.stringify(kept))
    } catch {
      // A full or forbidden store: what is typed is on the screen all the same.
    }
  }
  return {
    /** When a session is opened: the draft, behind what was sent and never arrived. */
    open(id: string): string {
      const { text, sent } = load(id)
      const isLost = (each: Sent) => each.tab === tab || now() - each.at > LOST_MS
      const lost = sent.filter(isLost).map((each) => each.text)
      const all = [...lost, ...(text === '' ? [] : [text])].join('\n\n')
      save(id, { text: all, sent: sent.filter((each) => !isLost(each)) })
      return all
    },
    write: (id: string, text: string) => save(id, { ...load(id), text }),
    /** It is on its way: the field is empty, the text is not lost. */
    send(id: string, text: string): void {
      const { sent } = load(id)
      save(id, { text: '', sent: [...sent, { tab, text, at: now() }] })
    },
    arrived(id: string, text: string): void {
      const { text: draft, sent } = load(id)
      const at = sent.findIndex((each) => each.tab === tab && each.text === text)
      save(id, { text: draft, sent: sent.filter((_, index) => index !== at) })
    },
  }
}

/** What was refused stands before what was typed since. */
export const broughtBack = (refused: string, since: string): string =>
  since.trim() === '' || since === refused ? refused : `${refused}\n\n${since}`
