/** Compares what a client gives with what is secret. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** In constant time, whatever the lengths. */
export const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
