/** How the terminal looks and takes keys: `/theme`, `/keys`. Chosen once, and remembered for all sessions. */
import { z } from 'zod'
import { KEYS, THEMES } from '../config/look-names.ts'
import { command } from './command.ts'

export const theme = command({
  name: 'theme',
  summary: 'the colours of the terminal',
  changes: 'view',
  needs: 'look',
  on: 'home',
  args: z.object({ name: z.enum(THEMES).optional().describe(THEMES.join(', ')) }),
  words: ['name'],
  choices: [
    ['auto', 'light on a light background, else the colours of the terminal'],
    ['light', 'colours that are read well on a light background'],
    ['dark', 'colours that are read well on a dark background'],
    ['terminal', 'the sixteen colours of the terminal itself'],
  ],
  async run({ look }, { name }) {
    if (name !== undefined) await look?.change({ theme: name })
    return { theme: look?.now().theme ?? 'auto', isChanged: name !== undefined }
  },
  say: ({ theme: name, isChanged }) =>
    isChanged
      ? `Theme: ${name}, here and in new sessions.`
      : `Theme: ${name}. There are ${THEMES.join(', ')}.`,
})

export const keys = command({
  name: 'keys',
  summary: 'the keys of the editor: the usual ones, or those of vim',
  changes: 'view',
  needs: 'look',
  on: 'home',
  args: z.object({ kind: z.enum(KEYS).optional().describe(KEYS.join(' or ')) }),
  words: ['kind'],
  choices: [
    ['usual', 'every key types, or does what the help says'],
    ['vim', 'esc leaves the text for commands, i goes back to it'],
  ],
  async run({ look }, { kind }) {
    if (kind !== undefined) await look?.change({ keys: kind })
    return { keys: look?.now().keys ?? 'usual', isChanged: kind !== undefined }
  },
  say: ({ keys: kind, isChanged }) =>
    isChanged
      ? `Keys: ${kind}, here and in new sessions.`
      : `Keys: ${kind}. There are ${KEYS.join(' and ')}.`,
})
