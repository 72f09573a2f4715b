/** Pictures into the message: of files that were dropped by their paths, or of the clipboard. */
import { EngineError } from '../../../engine/errors.ts'
import type { TuiOptions } from '../options.ts'
import type { GivenPicture, Pastes } from './paste.ts'

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
  const asked =
    path === undefined
      ? pictures.inClipboard().then((each) => (each === undefined ? [] : [each]))
      : dropped(pictures, path)
  const found = await asked.catch((error: unknown) => {
    // What cannot be read is no picture, and a path stays what it is.
    if (error instanceof EngineError) hint(error.message)
    return []
  })
  if (found.length > 0) insert(found.map((each) => `${pastes.keepPicture(each)} `).join(''))
  else if (path !== undefined) insert(path)
  else hint('the clipboard has no picture')
}

/** Each in quotes, or with a backslash before its spaces. */
const PATHS = /'[^']*'|"[^"]*"|(?:\\.|[^\s\\])+/g

/** One, or several that were dropped together; none when one of them is no picture. */
async function dropped(
  { at }: TuiOptions['pictures'],
  text: string,
): Promise<readonly GivenPicture[]> {
  const whole = await at(text)
  if (whole !== undefined) return [whole]
  const paths = text.match(PATHS) ?? []
  const each = await Promise.all(paths.map(at))
  return each.every((picture) => picture !== undefined) ? each : []
}
