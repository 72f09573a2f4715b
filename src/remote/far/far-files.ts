/** The own files of a session on another machine: its plan, what was put beside it, checkpoints and contents. */
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import { asEngineErrors } from '../engine-errors.ts'
import { atMachine } from './far-link.ts'
import type { FarLink } from './far-link.ts'

export const farFiles = ({ server, id, copy, operate, orElse }: FarLink) =>
  ({
    readPlan: async () => (await operate<string | null>('plan')) ?? undefined,
    writePlan: (text) => operate('plan-set', { text }),
    deletePlan: () => operate('plan-delete'),
    files: () => operate('files'),
    async readFile(path) {
      const { bytes, size } = await operate<{ bytes: string | null; size: number }>('file-read', {
        path,
      })
      if (bytes !== null) return Buffer.from(bytes, 'base64')
      throw new EngineError('invalid', `${path} has ${size} bytes: too many to be read from afar.`)
    },
    writeFile: (path, bytes) =>
      operate('file-write', { path, bytes: Buffer.from(bytes).toString('base64') }),
    statPath: () => atMachine('look at its folder'),
    createFolder: () => atMachine('make a folder in it'),
    removePath: () => atMachine('remove files of it'),
    renamePath: () => atMachine('rename files of it'),
    checkpoints: () => orElse('checkpoints', () => copy.checkpoints()),
    readCheckpoint: (number) => operate('checkpoint', { number }),
    async readBlob(sha256, { mostBytes }) {
      const bytes = await asEngineErrors(() => server.blob(id, sha256))
      if (bytes.length <= mostBytes) return bytes
      throw new EngineError('invalid', `The content has ${bytes.length} bytes: too many to show.`)
    },
  }) satisfies Partial<Session>
