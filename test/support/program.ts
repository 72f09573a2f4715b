/** The built program, as a user starts it. Tests that start a process start this one: sources alone hide what a bundle breaks. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

if (!existsSync(join(root, 'dist/main.js')))
  throw new Error('dist/ is missing: run "npm run build", as npm test does.')

export const PROGRAM = join(root, 'bin/reprise')
