/** What can be chosen of the looks of the terminal. */
export const THEMES = ['auto', 'light', 'dark', 'terminal'] as const
export const KEYS = ['usual', 'vim'] as const

export type ThemeName = (typeof THEMES)[number]
export type KeysName = (typeof KEYS)[number]

export type Look = { readonly theme: ThemeName; readonly keys: KeysName }
