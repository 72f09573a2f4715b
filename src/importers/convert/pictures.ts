/** The pictures of a session of ours, wherever their bytes are. */
import type { Event, Payload } from '../../format/event.ts'
import type { Tally } from './fidelity-report.ts'
import type { Picture } from './import-drafts.ts'

/** Where the bytes of a picture may be: with it, in a blob, or in an event before it that others name. */
type PictureFinder = {
  keep(asset: Payload<'session.binary_asset'>): void
  bytes(
    given: Named,
    blobs: readonly Blob[] | undefined,
    field: string,
  ): Promise<string | undefined>
}
type Named = { readonly data?: string | undefined; readonly assetId?: string | undefined }
type Blob = { readonly field?: string; readonly sha256: string }

export function pictureFinder(
  read: (sha256: string) => Promise<string | undefined>,
): PictureFinder {
  const assets = new Map<string, () => Promise<string | undefined>>()
  const bytes: PictureFinder['bytes'] = async ({ data, assetId }, blobs, field) => {
    const blob = blobs?.find((each) => each.field === field)
    if (blob !== undefined) return (await read(blob.sha256)) ?? data
    return data || assets.get(assetId ?? '')?.()
  }
  return {
    bytes,
    keep({ assetId, data, reprise }) {
      assets.set(assetId, () => bytes({ data }, reprise?.blobs, 'data'))
    },
  }
}

/** The pictures that a tool gave. */
export async function shownIn(
  { result, reprise }: Payload<'tool.execution_complete'>,
  find: PictureFinder,
  tally: Tally,
): Promise<readonly Picture[]> {
  const images: Picture[] = []
  for (const [index, content] of (result?.contents ?? []).entries()) {
    if (content.type !== 'image') continue
    const data = await find.bytes(content, reprise?.blobs, `result.contents.${index}.data`)
    if (data) images.push({ mimeType: content.mimeType, data })
    else tally.count('images', 'lost')
  }
  return images
}

export async function picturesOf(
  { attachments = [], reprise }: Extract<Event, { type: 'user.message' }>['data'],
  find: PictureFinder,
  tally: Tally,
): Promise<readonly Picture[]> {
  const images: Picture[] = []
  for (const [index, attachment] of attachments.entries()) {
    const { mimeType } = attachment as { readonly mimeType?: string }
    // A file is a picture where its bytes were kept.
    const isOne =
      attachment.type === 'blob' || (attachment.type === 'file' && 'assetId' in attachment)
    if (!isOne || mimeType === undefined) continue
    const data = await find.bytes(attachment, reprise?.blobs, `attachments.${index}.data`)
    if (data) images.push({ mimeType, data })
    else tally.count('images', 'lost')
  }
  return images
}
