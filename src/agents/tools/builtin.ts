/** The tools that every agent of ours has. */
import { append } from './append.ts'
import { bash } from './bash.ts'
import { create } from './create.ts'
import { edit } from './edit.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import type { Tool } from './tool.ts'
import { view } from './view.ts'

export const builtinTools = {
  bash,
  view,
  create,
  append,
  edit,
  grep,
  glob,
} as const satisfies Record<string, Tool>

export type BuiltinTool = keyof typeof builtinTools
