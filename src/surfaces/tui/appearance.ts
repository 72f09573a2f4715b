/** How the screen looks and takes keys: as the settings say, until a person chooses anew, which is remembered. */
import type { TUI } from '@earendil-works/pi-tui'
import type { CommandContext } from '../../commands/command.ts'
import type { Look } from '../../config/look-names.ts'
import { preview } from '../../state/preview.ts'
import { createVim } from './editor/vim.ts'
import type { Message } from './model/message.ts'
import type { TuiOptions } from './options.ts'
import type { PaletteName } from './view/palettes.ts'
import type { Theme } from './view/theme.ts'

type LookOptions = Pick<TuiOptions, 'settings' | 'saveLook'> & {
  readonly theme: Theme
  readonly tui: Pick<TUI, 'queryTerminalBackgroundColor' | 'requestRender'>
  readonly tell: (message: Message) => void
}

type Editor = {
  getLines(): string[]
  getCursor(): { line: number; col: number }
  handleInput(data: string): void
  insertTextAtCursor(text: string): void
}

/** A terminal that tells its background does so at once. */
const ANSWER_MS = 500
const LONGEST_CHOSEN = 40

export function createLook({ settings, saveLook, theme, tui, tell }: LookOptions) {
  let now: Look = { theme: settings.theme ?? 'auto', keys: settings.keys ?? 'usual' }
  const vim = createVim()
  // Before the first frame: it is not painted twice.
  if (now.theme !== 'auto') theme.use(now.theme)

  const showMode = () => tell({ kind: 'vim', mode: now.keys === 'vim' ? vim.mode() : undefined })

  async function paint(): Promise<void> {
    theme.use(now.theme === 'auto' ? await paletteHere(tui) : now.theme)
    tui.requestRender()
  }

  const look: NonNullable<CommandContext['look']> = {
    now: () => now,
    async change(to) {
      now = { ...now, ...to }
      vim.insert()
      showMode()
      await paint()
      await saveLook(to)
    },
  }
  return {
    look,
    start(): void {
      showMode()
      void paint()
    },
    /** True when the key was one of vim. */
    press(key: string, editor: Editor): boolean {
      if (now.keys !== 'vim') return false
      const before = vim.mode()
      const inputs = vim.press(key, { lines: editor.getLines(), ...editor.getCursor() })
      for (const input of inputs ?? [])
        if (typeof input === 'string') editor.handleInput(input)
        else editor.insertTextAtCursor(input.insert)
      if (vim.mode() !== before) showMode()
      // The editor marks nothing: what is chosen stands in the last line.
      const chosen = vim.chosen({ lines: editor.getLines(), ...editor.getCursor() })
      if (chosen !== undefined) tell({ kind: 'hint', text: `“${preview(chosen, LONGEST_CHOSEN)}”` })
      return inputs !== undefined
    },
    /** A message was sent: the next one is typed. */
    sent(): void {
      vim.insert()
      if (now.keys === 'vim') showMode()
    },
  }
}

/** The terminal's own colours are made for dark ones; on a light background some of them cannot be read. */
async function paletteHere(tui: LookOptions['tui']): Promise<PaletteName> {
  const background = await tui.queryTerminalBackgroundColor({ timeoutMs: ANSWER_MS })
  if (background === undefined) return 'terminal'
  const { r, g, b } = background
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? 'light' : 'terminal'
}
