/** Panels that clients show beside a session, as the log tells of them. */
import type { Payload } from '../format/event.ts'
import { defined } from '../lib/defined.ts'

export type RecordedCanvas = {
  readonly instanceId: string
  readonly extensionId: string
  readonly canvasId: string
  readonly title?: string
  /** What it was opened with, as JSON: a log may hold numbers that no snapshot keeps. */
  readonly input?: string
}

/** The oldest are let go: the state stays small. */
const MOST = 50
const MOST_CHARS = 16_384

export function recorded(
  before: readonly RecordedCanvas[] = [],
  { instanceId, extensionId, canvasId, title, input }: Payload<'session.canvas.recorded'>,
): readonly RecordedCanvas[] {
  const text = input === undefined ? undefined : JSON.stringify(input)
  if ((text?.length ?? 0) + (title?.length ?? 0) > MOST_CHARS) return without(before, instanceId)
  const canvas = { instanceId, extensionId, canvasId, ...defined({ title, input: text }) }
  return [...without(before, instanceId), canvas].slice(-MOST)
}

export const without = (
  canvases: readonly RecordedCanvas[],
  instanceId: string,
): readonly RecordedCanvas[] => canvases.filter((each) => each.instanceId !== instanceId)
