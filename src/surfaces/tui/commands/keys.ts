/** What each key does, for the help and the documents. */
import type { CommandHost } from './command.ts'

export const screenKeys: CommandHost['keys'] = [
  ['enter', 'send; while the agent works, the message waits its turn'],
  ['alt+enter', 'send into the turn that runs'],
  ['shift+enter, ctrl+j', 'a new line'],
  ['esc', 'cancel the turn; a message that was not answered at all comes back'],
  ['↑↓ enter, 1–9', 'answer what the agent asks; letters never do, and tab goes there from a text'],
  ['esc esc', 'choose a message to go back to; cancel the turn of another terminal'],
  [
    'enter',
    'with nothing written: ask again, when a question was lost with the process that asked it',
  ],
  ['up, down', 'earlier messages, of all sessions; with messages waiting, take the last one back'],
  ['pageUp, pageDown, wheel', 'scroll; the beginning is read as it is reached'],
  ['ctrl+end', 'back to the end'],
  ['ctrl+o', 'show long outputs and thoughts, or fold them'],
  ['ctrl+r', 'search your earlier messages'],
  ['ctrl+p', 'choose a session'],
  ['shift+tab', 'the next mode: interactive, plan, autopilot'],
  ['ctrl+y', 'redo what was taken back; in a text, bring back what was cut'],
  ['ctrl+g', 'write the message in your own editor ($VISUAL, $EDITOR)'],
  ['drag', 'select text, which copies it; with shift the terminal selects by itself'],
  ['ctrl+v', 'paste a picture from the clipboard; one that is dropped comes along, too'],
  ['@', 'complete a file or folder; @src/a.ts:10-20 names lines of it'],
  ['!', 'run a command yourself; the agent learns of it with the next message'],
  ['ctrl+c', 'clear the line, which up brings back; twice on an empty one, leave'],
  ['ctrl+d', 'leave, on an empty line'],
  ['ctrl+z', 'back to the shell; fg goes on'],
]

export const plainKeys: CommandHost['keys'] = [
  ['enter', 'send; while the agent works, the message waits its turn; an empty line lets it go'],
  ['!', 'run a command yourself; the agent learns of it with the next message'],
  ['ctrl+c', 'cancel the turn, or what is asked; without either, leave'],
  ['ctrl+d', 'leave'],
]

/** In Markdown. */
export const keyList = (keys: CommandHost['keys']): string =>
  keys.map(([key, what]) => `- \`${key}\`: ${what}`).join('\n')
