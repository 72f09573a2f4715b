/** What a `session.start` of ours says of the program that wrote it, and of the format. */
import type { EngineContext } from '../engine-context.ts'

export const producer = ({ version }: EngineContext) =>
  ({ version: 1, producer: 'reprise', copilotVersion: version }) as const
