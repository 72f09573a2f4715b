/** The thread that reads sessions while the store writes them. It redacts as the store does: one key, one environment. */
import { parentPort, workerData } from 'node:worker_threads'
import { openDisk } from '../fs/disk.ts'
import { redactWith } from './open-store.ts'
import { serveReads } from '../store/reading-thread.ts'

const { home } = workerData as { readonly home: string }
const fs = openDisk(home)
if (parentPort !== null) await serveReads(parentPort, fs, { redact: await redactWith(fs) })
