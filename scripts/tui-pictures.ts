/**
 * Makes the pictures of the terminal in docs/images: twelve screens, light and dark, in 40 and in 100 columns. What the
 * emulator holds is written as HTML, cell by cell, and a browser draws it.
 */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { Screen } from '../test/tui/screen.ts'
import { pictureForms, titles } from './tui-screens.ts'
import { views } from '../test/tui/views.ts'

type Emulator = Screen['emulator']
type Colours = { readonly background: string; readonly text: string; readonly own: string[] }

/** The sixteen that a terminal has of its own, for each background. */
const looks: Readonly<Record<'light' | 'dark', Colours>> = {
  light: {
    background: '#ffffff',
    text: '#24292f',
    own: '#24292f #cf222e #116329 #7d4e00 #0550ae #8250df #1b7c83 #6e7781 #57606a #a40e26 #1a7f37 #633c01 #0969da #8250df #3192aa #8c959f'.split(
      ' ',
    ),
  },
  dark: {
    background: '#1e1e1e',
    text: '#d4d4d4',
    own: '#000000 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #e5e5e5 #666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #ffffff'.split(
      ' ',
    ),
  },
}

const images = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'images')

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
if (!existsSync(executablePath)) {
  console.error(`No pictures: there is no Chromium at ${executablePath}; set CHROMIUM.`)
  process.exit(1)
}

await using browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu'],
})
for (const [name, title] of Object.entries(titles)) {
  const { theme, columns, rows, file } = pictureForms(name)
  const html = await views[name]?.({ theme, columns, rows }, ({ emulator }) =>
    pageOf(emulator, looks[theme], title),
  )
  const viewport = { width: columns * 9 + 32, height: rows * 19 + 32 }
  const page = await browser.newPage({ viewport })
  await page.setContent(html ?? '')
  await writeFile(join(images, file), await page.screenshot())
  await page.close()
  console.log(file)
}

function pageOf(emulator: Emulator, { background, text, own }: Colours, title: string): string {
  const lines = Array.from({ length: emulator.rows }, (_, row) =>
    lineOf(emulator, row, own, text, background),
  )
  return `<!doctype html><title>${title}</title><style>
    body { margin: 0; padding: 16px; background: ${background}; color: ${text}; }
    pre { margin: 0; font: 15px/19px 'DejaVu Sans Mono', monospace; }
    span.cell { display: inline-block; width: 9px; overflow: visible; white-space: pre; }
  </style><pre>${lines.join('\n')}</pre>`
}

function lineOf(
  emulator: Emulator,
  row: number,
  own: readonly string[],
  text: string,
  background: string,
): string {
  const line = emulator.buffer.active.getLine(emulator.buffer.active.viewportY + row)
  let html = ''
  for (let column = 0; column < emulator.cols; column++) {
    const cell = line?.getCell(column)
    if (cell === undefined || cell.getWidth() === 0) continue
    const front = cell.isFgPalette() ? paletteColour(cell.getFgColor(), own) : text
    const [fore, back] = cell.isInverse() ? [background, front] : [front, '']
    const style = [
      `color:${fore}`,
      back === '' ? '' : `background:${back}`,
      cell.isBold() ? 'font-weight:bold' : '',
      cell.isItalic() ? 'font-style:italic' : '',
      cell.isDim() ? 'opacity:0.6' : '',
      cell.getWidth() === 2 ? 'width:18px' : '',
    ].filter(Boolean)
    html += `<span class=cell style="${style.join(';')}">${escaped(cell.getChars() || ' ')}</span>`
  }
  return html
}

/** The first sixteen are the terminal's own, the others a cube of colours and greys. */
function paletteColour(number: number, own: readonly string[]): string {
  if (number < 16) return own[number] ?? ''
  if (number >= 232) {
    const grey = 8 + (number - 232) * 10
    return `rgb(${grey},${grey},${grey})`
  }
  const at = number - 16
  const step = (each: number) => (each === 0 ? 0 : 55 + each * 40)
  return `rgb(${step(Math.floor(at / 36))},${step(Math.floor(at / 6) % 6)},${step(at % 6)})`
}

function escaped(sign: string): string {
  return sign.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`)
}
