/** What a user attached, with the way to content that was too bulky for the log. */
import type { BlobReference } from '../format/blobs.ts'
import type { Payload } from '../format/event.ts'
import { defined } from '../lib/defined.ts'

type GivenAttachment = NonNullable<Payload<'user.message'>['attachments']>[number]

export type Attachment = GivenAttachment & {
  /** Where the data is kept, when it is not here. */
  readonly blob?: {
    readonly sha256: string
    readonly byteLength: number
    /** Kept as the text that was given, because it is no base64 in its usual form. */
    readonly isText?: true
  }
}

/** One that a model is shown; what else is attached is named in words. */
export type Picture = Extract<Attachment, { type: 'blob' }>

export const isPicture = (attachment: Attachment): attachment is Picture =>
  attachment.type === 'blob' && attachment.mimeType.startsWith('image/')

type Kept = { readonly blobs?: readonly BlobReference[] | undefined } | undefined

/** Pictures that a tool gave for the model, in the form in which those of users come. */
export function picturesOf({
  result,
  reprise,
}: Pick<Payload<'tool.execution_complete'>, 'result' | 'reprise'>): readonly Attachment[] {
  const given = (result?.binaryResultsForLlm ?? []).map(
    ({ data = '', mimeType, description }): GivenAttachment => ({
      type: 'blob',
      data,
      mimeType,
      ...defined({ displayName: description }),
    }),
  )
  return withBlobs(given, reprise, RESULTS).filter(isPicture)
}

const ATTACHED = /^attachments\.(\d+)\.data$/
const RESULTS = /^result\.binaryResultsForLlm\.(\d+)\.data$/

export function withBlobs(
  attachments: readonly GivenAttachment[],
  kept: Kept,
  field = ATTACHED,
): readonly Attachment[] {
  const references = new Map(
    (kept?.blobs ?? []).map((blob) => [Number(field.exec(blob.field ?? '')?.[1] ?? -1), blob]),
  )
  return attachments.map((attachment, index) => {
    const reference = references.get(index)
    if (reference === undefined) return attachment
    const { sha256, byteLength, mimeType } = reference
    const isText = mimeType === undefined && { isText: true as const }
    return { ...attachment, blob: { sha256, byteLength, ...isText } }
  })
}
