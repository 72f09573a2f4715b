/**
 * An object store that speaks S3, by `s3://bucket/prefix`. Address, region and credentials come from the environment, as
 * every program of S3 takes them (`AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`, …).
 */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { ControlError } from '../control-error.ts'
import { errorText } from '../../lib/error-text.ts'
import type { Objects } from './objects.ts'

const URL_FORM = /^s3:\/\/(?<bucket>[\w.-]+)(?:\/(?<prefix>[\w./-]*?))?\/?$/

type Environment = Readonly<Record<string, string | undefined>>

export async function openS3(url: string, env: Environment): Promise<Objects> {
  const { bucket: Bucket, prefix = '' } = URL_FORM.exec(url)?.groups ?? {}
  if (Bucket === undefined)
    throw new ControlError('invalid', '--blobs wants s3://bucket/prefix. Nothing was started.')
  // A store at an address of one's own has no name for each bucket.
  const isOwn = (env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL']) !== undefined
  const client = new S3Client({
    region: env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
    forcePathStyle: isOwn,
  })
  const at = (key: string) => ({ Bucket, Key: prefix === '' ? key : `${prefix}/${key}` })
  await client.send(new HeadBucketCommand({ Bucket })).catch((cause: unknown) => {
    client.destroy()
    throw new ControlError(
      'unavailable',
      `The bucket ${Bucket} cannot be used (${whyNot(cause)}). Nothing was started.`,
      { cause },
    )
  })
  return {
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ ...at(key), Body: bytes })).catch(refuse)
    },
    async get(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand(at(key)))
        return Body as AsyncIterable<Uint8Array> | undefined
      } catch (error) {
        return error instanceof NoSuchKey ? undefined : refuse(error)
      }
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key))).catch(refuse)
    },
    [Symbol.dispose]: () => client.destroy(),
  }
}

/** The first question has an answer without words: what it means stands in its status alone. */
function whyNot(cause: unknown): string {
  const status = cause instanceof S3ServiceException ? cause.$metadata.httpStatusCode : undefined
  return (status !== undefined && meanings[status]) || errorText(cause)
}

const meanings: Readonly<Record<number, string>> = {
  301: 'it lies in another region; AWS_REGION names the region',
  403: 'these credentials may not use it',
  404: 'there is no bucket of that name',
}

function refuse(cause: unknown): never {
  throw new ControlError(
    'unavailable',
    'The object store of large contents cannot be used now. Nothing was acknowledged; try again.',
    { cause },
  )
}
