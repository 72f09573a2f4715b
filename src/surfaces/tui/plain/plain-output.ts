/** What `--plain` writes on: lines that stay as they are, and a prompt where a line is awaited. */
import { safeText } from '../../../lib/safe-text.ts'

export type Paper = {
  print(text: string): void
  prompt(): void
  /** Behind the prompt stands a line now. */
  lineTyped(): void
}

export function createPaper(output: NodeJS.WritableStream): Paper {
  let isAtPrompt = false
  return {
    print(text) {
      output.write(`${isAtPrompt ? '\n' : ''}${safeText(text, { breaks: 'keep' })}\n`)
      isAtPrompt = false
    },
    prompt() {
      if (!isAtPrompt) output.write('> ')
      isAtPrompt = true
    },
    lineTyped() {
      isAtPrompt = false
    },
  }
}
