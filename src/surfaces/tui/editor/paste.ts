/**
 * Large texts and pictures that are pasted or dropped: the editor shows a name for each; the session keeps a text as a
 * file, and a picture goes along with the message.
 */
import type { Engine } from '../../../engine/engine.ts'
import type { Message } from '../../../engine/turn/message.ts'
import type { SessionId } from '../../../format/ids.ts'
import { layout } from '../../../format/layout.ts'
import { inSession, pathFrom } from '../../../format/paths.ts'
import { sizeText } from '../../../lib/quantities.ts'

const LARGE = 4000

export type GivenPicture = {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array
}

export type Pastes = {
  /** What the editor is given in place of the text; undefined when the text is small enough to be shown. */
  keep(text: string): string | undefined
  /** The same for a picture. */
  keepPicture(picture: GivenPicture): string
  /** Writes what a message names into the files of its session. */
  attach(engine: Engine, id: SessionId, text: string): Promise<Message>
}

export function createPastes(newName: () => string): Pastes {
  const kept = new Map<string, string | GivenPicture>()
  return {
    keepPicture(picture) {
      const [, base = '', end = ''] =
        /^(.*?)(\.\w+)?$/.exec(picture.name.replace(/[\s[\]]+/g, '-')) ?? []
      const size = sizeText(picture.bytes.length)
      const labels = Array.from({ length: kept.size + 1 }, (_, at) =>
        at === 0 ? `[${base}${end} ${size}]` : `[${base}-${at + 1}${end} ${size}]`,
      )
      const label = labels.find((each) => !kept.has(each)) ?? ''
      kept.set(label, picture)
      return label
    },
    keep(text) {
      if (text.length <= LARGE) return undefined
      const label = `[${newName()} ${sizeText(Buffer.byteLength(text))}]`
      kept.set(label, text)
      return label
    },
    async attach(engine, id, text) {
      const named = [...kept].filter(([label]) => text.includes(label))
      if (named.length === 0) return { prompt: text }
      await (await engine.open(id)).save()
      const { path: folder } = await (await engine.open(id)).metadata()
      const attachments: NonNullable<Message['attachments']> = []
      for (const [label, content] of named) {
        const name = label.slice(1, label.indexOf(' '))
        kept.delete(label)
        if (typeof content !== 'string') {
          const data = Buffer.from(content.bytes).toString('base64')
          attachments.push({ type: 'blob', mimeType: content.mimeType, data, displayName: name })
          continue
        }
        await (
          await engine.open(id)
        ).writeFile(
          pathFrom(layout.session.files, { path: name }),
          new TextEncoder().encode(await engine.asLogged(content)),
        )
        attachments.push({
          type: 'file',
          path: inSession(folder, 'files', { path: name }),
          displayName: name,
        })
      }
      return { prompt: text, attachments }
    },
  }
}

const OPEN = '\x1b[200~'
const CLOSE = '\x1b[201~'

/** The text of a paste, when the input is one. Terminals send the end of a line as a carriage return. */
export const pastedText = (data: string): string | undefined =>
  data.startsWith(OPEN) && data.endsWith(CLOSE)
    ? data.slice(OPEN.length, -CLOSE.length).replace(/\r\n?/g, '\n')
    : undefined

/** A paste that may be the path of a picture which was dropped. */
export const isPicturePath = (text: string): boolean =>
  !text.includes('\n') && /\.(?:png|jpe?g|gif|webp)['"]?\s*$/i.test(text)
