/** A piece of code and what it is to its language; empty where it is nothing special. */
export type CodePiece = { readonly text: string; readonly scope: string }
