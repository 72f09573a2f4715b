/** Where sessions live: absolute, and which rule chose it. */
export type Home = { readonly path: string; readonly source: string }
