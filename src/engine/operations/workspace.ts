/** The session's own folder: plan, files, checkpoints, contents, notes of programs. */
import { z } from 'zod'
import { EngineError } from '../errors.ts'
import * as artifacts from '../sessions/artifacts.ts'
import { readClientMetadata, updateClientMetadata } from '../sessions/client-metadata.ts'
import { createFolder, removePath, renamePath, statPath } from '../sessions/workspace-paths.ts'
import { onFiles, onFresh, onOpen } from './operation.ts'
import { ownerOnly, steerable, watchable } from './rights.ts'
import { bytes, nothing, path, text } from './schemas.ts'

/** A file travels as base64 in JSON. */
const MOST_FILE_BYTES = 512 * 1024

type TravellingFile = { readonly bytes: string | null; readonly size: number }

export const workspaceOperations = {
  readPlan: onFiles(
    {
      summary: 'Read the plan.',
      takes: nothing,
      may: ['owner', 'guest', 'watch', 'steer'],
      where: 'machine',
      formerly: 'plan',
    },
    (engine, id) => artifacts.readPlan(engine, id),
  ),
  writePlan: onFresh(
    {
      summary: 'Write the plan.',
      takes: z.strictObject({ text }),
      args: ['text'],
      ...steerable,
      formerly: 'plan-set',
    },
    (engine, session, { text: plan }) => artifacts.writePlan(engine, session, plan),
  ),
  deletePlan: onFresh(
    { summary: 'Remove the plan.', takes: nothing, ...steerable, formerly: 'plan-delete' },
    artifacts.deletePlan,
  ),
  files: onFiles(
    { summary: "List the session's own files.", takes: nothing, ...steerable },
    (engine, id) => artifacts.files(engine, id),
  ),
  readFile: onFiles(
    {
      summary: "Read one of the session's own files.",
      takes: z.strictObject({ path }),
      args: ['path'],
      ...steerable,
      formerly: 'file-read',
      toJson: (content: Uint8Array): TravellingFile => ({
        bytes: content.length > MOST_FILE_BYTES ? null : Buffer.from(content).toString('base64'),
        size: content.length,
      }),
      fromJson: ({ bytes: base64, size }: TravellingFile): Uint8Array => {
        if (base64 !== null) return Buffer.from(base64, 'base64')
        throw new EngineError(
          'invalid',
          `The file has ${size} bytes: too many to be read from afar.`,
        )
      },
    },
    (engine, id, { path: file }) => artifacts.readFile(engine, id, file),
  ),
  writeFile: onFresh(
    {
      summary: "Write one of the session's own files.",
      takes: z.strictObject({ path, bytes }),
      args: ['path', 'bytes'],
      ...steerable,
      formerly: 'file-write',
    },
    (engine, session, { path: file, bytes: content }) =>
      artifacts.writeFile(engine, session, file, content),
  ),
  statPath: onFiles(
    {
      summary: 'Look at a path in its folder.',
      takes: z.strictObject({ path }),
      args: ['path'],
      ...ownerOnly,
    },
    (engine, id, { path: file }) => statPath(engine, id, file),
  ),
  createFolder: onOpen(
    {
      summary: 'Make a folder in it.',
      takes: z.strictObject({ path }),
      args: ['path'],
      ...ownerOnly,
    },
    (engine, session, { path: folder }) => createFolder(engine, session, folder),
  ),
  removePath: onFresh(
    {
      summary: 'Remove files of it.',
      takes: z.strictObject({ path, recursive: z.boolean() }),
      args: ['path'],
      ...ownerOnly,
    },
    (engine, session, { path: file, recursive }) =>
      removePath(engine, session, file, { recursive }),
  ),
  renamePath: onFresh(
    {
      summary: 'Rename files of it.',
      takes: z.strictObject({ from: path, to: path }),
      args: ['from', 'to'],
      ...ownerOnly,
    },
    (engine, session, { from, to }) => renamePath(engine, session, from, to),
  ),
  checkpoints: onFiles(
    {
      summary: 'List its checkpoints.',
      takes: nothing,
      may: ['owner', 'guest', 'watch', 'steer'],
      where: 'machine',
      orCopy: true,
    },
    (engine, id) => artifacts.checkpoints(engine, id),
  ),
  readCheckpoint: onFiles(
    {
      summary: 'Read a checkpoint.',
      takes: z.strictObject({ number: z.int().min(1) }),
      args: ['number'],
      may: ['owner', 'guest', 'watch', 'steer'],
      where: 'machine',
      formerly: 'checkpoint',
    },
    (engine, id, { number }) => artifacts.readCheckpoint(engine, id, number),
  ),
  clientMetadata: onFiles(
    { summary: 'Read the notes of programs.', takes: nothing, ...watchable },
    (engine, id) => readClientMetadata(engine, id),
  ),
  updateClientMetadata: onOpen(
    {
      summary: 'Keep notes of programs in it.',
      takes: z.strictObject({
        clear: z.boolean().optional(),
        remove: z.array(text).optional(),
        set: z.record(text, text).optional(),
      }),
      ...ownerOnly,
    },
    updateClientMetadata,
  ),
}
