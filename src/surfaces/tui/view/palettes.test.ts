import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { palettes } from './palettes.ts'

type Rgb = readonly [number, number, number]

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio: 4.5 is what text of any size needs. */
const ENOUGH = 4.5

const backgrounds = {
  light: ['#ffffff', '#fafafa', '#fdf6e3', '#eff1f5'],
  dark: ['#000000', '#1e1e1e', '#002b36', '#282c34', '#2e3440'],
} as const

for (const kind of ['light', 'dark'] as const) {
  describe(`the ${kind} colours`, () => {
    for (const [name, [on]] of Object.entries(palettes[kind]))
      it(`have a ${name} that is read on every usual background`, () => {
        for (const background of backgrounds[kind]) {
          const ratio = contrast(rgbOf(Number(on.split(';').at(-1))), rgbIn(background))
          assert.ok(ratio >= ENOUGH, `${name} on ${background}: ${ratio.toFixed(2)}`)
        }
      })
  })
}

/** The fixed ones: a cube of six steps, and greys. */
function rgbOf(number: number): Rgb {
  if (number >= 232) {
    const grey = 8 + (number - 232) * 10
    return [grey, grey, grey]
  }
  assert.ok(number >= 16, `${number} is the terminal's own`)
  const step = (each: number) => (each === 0 ? 0 : 55 + each * 40)
  const at = number - 16
  return [step(Math.floor(at / 36)), step(Math.floor(at / 6) % 6), step(at % 6)]
}

function rgbIn(hex: string): Rgb {
  const [red = 0, green = 0, blue = 0] = (hex.slice(1).match(/../g) ?? []).map((each) =>
    Number.parseInt(each, 16),
  )
  return [red, green, blue]
}

function contrast(one: Rgb, other: Rgb): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((each) => {
    const part = each / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
