/**
 * The colours by their names, as what switches each on and off. Those for light and dark are of the fixed part of the
 * 256 colours, which no terminal changes, so that their contrast is known; the terminal's own are what it makes of them.
 */

type Switch = readonly [on: string, off: string]

export type Palette = Readonly<
  Record<'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan', Switch>
>

const fixed = (number: number): Switch => [`38;5;${number}`, '39']
const own = (number: number): Switch => [`${number}`, '39']

export const palettes = {
  terminal: {
    dim: ['2', '22'],
    red: own(31),
    green: own(32),
    yellow: own(33),
    blue: own(34),
    magenta: own(35),
    cyan: own(36),
  },
  light: {
    dim: fixed(240),
    red: fixed(124),
    green: fixed(22),
    yellow: fixed(94),
    blue: fixed(25),
    magenta: fixed(90),
    cyan: fixed(24),
  },
  dark: {
    dim: fixed(248),
    red: fixed(210),
    green: fixed(114),
    yellow: fixed(221),
    blue: fixed(111),
    magenta: fixed(183),
    cyan: fixed(80),
  },
} as const satisfies Record<string, Palette>

export type PaletteName = keyof typeof palettes
