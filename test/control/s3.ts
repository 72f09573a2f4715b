/** An object store that speaks S3, on loopback, in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Server = { run(): Promise<{ readonly port: number }>; close(): Promise<void> }
type ServerOptions = {
  readonly address: string
  readonly port: number
  readonly silent: boolean
  readonly directory: string
  readonly configureBuckets: readonly { readonly name: string }[]
}
// It has no types.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: ServerOptions) => Server

export const BUCKET = 'contents'

export type S3 = AsyncDisposable & {
  readonly folder: string
  /** What a program needs to find it. */
  readonly env: Readonly<Record<string, string>>
}

export async function startS3(): Promise<S3> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await server.run()
  return {
    folder,
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_REGION: 'us-east-1',
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
