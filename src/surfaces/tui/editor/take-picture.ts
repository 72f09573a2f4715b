/** A picture into the message: of a file that was dropped by its path, or of the clipboard. */
import type { TuiOptions } from '../options.ts'
import type { Pastes } from './paste.ts'

type Taking = {
  readonly pictures: TuiOptions['pictures']
  readonly pastes: Pick<Pastes, 'keepPicture'>
  readonly insert: (text: string) => void
  readonly hint: (text: string) => void
}

export async function takePicture(
  { pictures, pastes, insert, hint }: Taking,
  path: string | undefined,
): Promise<void> {
  const asked = path === undefined ? pictures.inClipboard() : pictures.at(path)
  // What cannot be read is no picture, and a path stays what it is.
  const found = await asked.catch(() => undefined)
  if (found !== undefined) insert(`${pastes.keepPicture(found)} `)
  else if (path !== undefined) insert(path)
  else hint('the clipboard has no picture')
}
