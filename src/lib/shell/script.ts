/**
 * A shell script as a list of everything that it runs and every file that it opens by redirection, wherever these stand:
 * in lists, pipes, loops, functions, substitutions, here-documents. Only what is written is seen; `open-command.ts` looks
 * into commands that run others.
 */
import { ALL_UNKNOWN, bindingsBy, bindingsOf, type Binding } from './bindings.ts'
import { isOddText, isOddTree } from './doubts.ts'
import { parseTree, type ShellNode } from './parser.ts'
import { isWord, knownWord, unknownWord, wordOf, type Word } from './word.ts'

export type SimpleCommand = {
  /** What stands before the command, as `NAME=value`. Alone when there are no words. */
  readonly assignments: readonly Word[]
  readonly words: readonly Word[]
}

type Script = {
  readonly commands: readonly SimpleCommand[]
  /** Files opened by `<` and by `>`, `>>`, `&>` and the like. */
  readonly reads: readonly Word[]
  readonly writes: readonly Word[]
  /** What its variables are given, wherever that stands. */
  readonly bindings: readonly Binding[]
  /** Something in it may run text that is only made while it runs, in a way that names no command. */
  readonly isObscure: boolean
}

/** Undefined when it cannot be read for certain. */
export async function readScript(text: string): Promise<Script | undefined> {
  if (isOddText(text)) return undefined
  return parseTree(text, (root) => (isOddTree(root, text) ? undefined : scriptOf(root)))
}

type Found = {
  readonly commands: SimpleCommand[]
  readonly reads: Word[]
  readonly writes: Word[]
  readonly bindings: Binding[]
  isObscure: boolean
  hasArithmetic: boolean
  /** A variable is given a value that is not known, or looks like something to run. */
  setsUnknown: boolean
}

function scriptOf(root: ShellNode): Script {
  const found: Found = {
    commands: [],
    reads: [],
    writes: [],
    bindings: [],
    isObscure: false,
    hasArithmetic: false,
    setsUnknown: false,
  }
  visit(root, found)
  const { isObscure, hasArithmetic, setsUnknown, ...rest } = found
  // Arithmetic runs substitutions that stand in the value of a variable, or in what a function is given.
  const evaluates = hasArithmetic && (setsUnknown || givesToFunction(rest.commands))
  return { ...rest, isObscure: isObscure || evaluates }
}

const givesToFunction = (commands: readonly SimpleCommand[]): boolean =>
  commands.some(({ words: [first] }) => first?.value === FUNCTION) &&
  commands.some(({ words }) => words.some(isDoubtful))

const FUNCTION = 'function'

function visit(node: ShellNode, found: Found): void {
  switch (node.type) {
    case 'command':
      return void command(node, found)
    case 'redirected_statement':
      return redirected(node, found)
    case 'file_redirect':
    case 'heredoc_redirect':
    case 'herestring_redirect':
      return redirect(node, found, undefined)
    case 'declaration_command':
    case 'unset_command':
      return builtin(node, found)
    case 'test_command':
      return test(node, found)
    case 'variable_assignment':
      found.commands.push({ assignments: [assignment(node, found)], words: [] })
      return inside(node, found)
    case 'function_definition':
      found.commands.push({
        assignments: [],
        words: [knownWord(FUNCTION), knownWord(childrenOf(node).find(isWord)?.text ?? '')],
      })
      return inside(node, found)
    case 'for_statement':
      loop(node, found)
      return inside(node, found)
    case 'c_style_for_statement':
    case 'compound_statement':
    case 'arithmetic_expansion':
      if (node.type !== 'compound_statement' || node.text.startsWith('((')) arithmetic(node, found)
      return inside(node, found)
    case 'expansion':
      if (isObscureExpansion(node)) found.isObscure = true
      if (/[[:].*=/s.test(node.text)) setsInPassing(node, found)
      return inside(node, found)
    default:
      return inside(node, found)
  }
}

const childrenOf = (node: ShellNode): ShellNode[] => node.children.flatMap((child) => child ?? [])

function inside(node: ShellNode, found: Found): void {
  for (const child of childrenOf(node)) visit(child, found)
}

type Growing = { readonly assignments: Word[]; readonly words: Word[] }

function command(node: ShellNode, found: Found): Growing {
  const made: Growing = { assignments: [], words: [] }
  found.commands.push(made)
  for (const child of childrenOf(node)) {
    if (child.type === 'variable_assignment') {
      made.assignments.push(assignment(child, found))
      inside(child, found)
    } else if (child.type === 'command_name') {
      const [name] = childrenOf(child)
      made.words.push(name === undefined ? unknownWord(child.text) : wordOf(name))
      inside(child, found)
    } else if (child.type.endsWith('_redirect')) {
      redirect(child, found, made)
    } else {
      made.words.push(isWord(child) ? wordOf(child) : unknownWord(child.text))
      visit(child, found)
    }
  }
  if (SETTING.has(made.words[0]?.value ?? '')) {
    found.setsUnknown = true
    found.bindings.push(...bindingsBy(made.words))
  }
  return made
}

/** They give variables values that nobody can know before. */
const SETTING: ReadonlySet<string> = new Set([
  'read',
  'mapfile',
  'readarray',
  'getopts',
  'set',
  'printf',
])

function redirected(node: ShellNode, found: Found): void {
  let made: Growing | undefined
  for (const child of childrenOf(node)) {
    if (child.type === 'command') made = command(child, found)
    else if (child.type.endsWith('_redirect')) redirect(child, found, made)
    else visit(child, found)
  }
}

/** The grammar takes words that follow the target of a redirection for further targets; bash gives them to the command. */
function redirect(node: ShellNode, found: Found, made: Growing | undefined): void {
  const isFile = node.type === 'file_redirect'
  const children = childrenOf(node)
  const operator = children.find(({ type }) => /^&?[<>]/.test(type))?.type ?? ''
  const isCopy = /^[<>]&/.test(operator)
  let isTarget = node.type !== 'heredoc_redirect'
  for (const child of children) {
    if (child.type.endsWith('_redirect')) {
      redirect(child, found, made)
      continue
    }
    visit(child, found)
    if (!isWord(child) || child.type === 'file_descriptor') continue
    if (isTarget) {
      isTarget = false
      if (!isFile || (isCopy && /^\d+-?$|^-$/.test(child.text))) continue
      const isRead = operator === '<' || operator === '<&'
      ;(isRead ? found.reads : found.writes).push(wordOf(child))
    } else if (made === undefined) {
      found.isObscure = true
    } else {
      made.words.push(wordOf(child))
    }
  }
}

/** `export A=1`, `declare`, `unset`: words like those of any command. */
function builtin(node: ShellNode, found: Found): void {
  const words = childrenOf(node).map((child) => {
    if (child.type === 'variable_assignment') return assignment(child, found)
    if (child.type === 'variable_name') return knownWord(child.text)
    if (isWord(child)) return wordOf(child)
    return child.isNamed ? unknownWord(child.text) : knownWord(child.text)
  })
  if (words.some(isDoubtful)) found.setsUnknown = true
  if (words.some(({ value }) => /^-\w*n/.test(value ?? ''))) found.bindings.push(ALL_UNKNOWN)
  if (words.some(({ value }) => value !== undefined && hidesSubstitution(value)))
    found.isObscure = true
  found.commands.push({ assignments: [], words })
  inside(node, found)
}

/** `[ … ]` and `[[ … ]]`: known when nothing in them is expanded, which arithmetic comparisons would evaluate. */
function test(node: ShellNode, found: Found): void {
  const [bracket] = childrenOf(node)
  const text = node.text.slice(bracket?.text.length ?? 0)
  const isPlain = !/[$`]/.test(text)
  if (!isPlain) arithmetic(node, found)
  if (text.match(/'[^']*'/g)?.some(hidesSubstitution)) found.isObscure = true
  found.commands.push({
    assignments: [],
    words: [knownWord(bracket?.text ?? '['), isPlain ? knownWord(text.trim()) : unknownWord(text)],
  })
  inside(node, found)
}

/** `for` and `select` give a variable a value: `PATH`, `HOME` and others decide what a command runs. */
function loop(node: ShellNode, found: Found): void {
  const [variable, ...values] = childrenOf(node).filter(isWord)
  const name = variable?.text ?? '*'
  const words = values.map(wordOf)
  if (words.some(isDoubtful)) found.setsUnknown = true
  found.bindings.push(...bindingsOf(`${name}=`, words.length === 0 ? [undefined] : words))
  found.commands.push({ assignments: [unknownWord(`${name}=`, [])], words: [] })
}

/** Arithmetic gives a variable a value, in a word, a subscript, the text of a here-document. */
function setsInPassing(node: ShellNode, found: Found): void {
  found.bindings.push(ALL_UNKNOWN)
  found.commands.push({ assignments: [unknownWord(node.text, [])], words: [] })
}

function arithmetic(node: ShellNode, found: Found): void {
  found.hasArithmetic = true
  if (/\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=/.test(node.text)) setsInPassing(node, found)
  if (node.type !== 'arithmetic_expansion' && node.type !== 'test_command')
    found.commands.push({ assignments: [], words: [knownWord('(('), unknownWord(node.text)] })
}

function assignment(node: ShellNode, found: Found): Word {
  const { text } = node
  const value = childrenOf(node).at(-1)
  const isEmpty = value === undefined || value.type === '=' || value.type === '+='
  const word = isEmpty ? knownWord('') : isWord(value) ? wordOf(value) : unknownWord(value.text)
  const name = text.slice(0, text.length - (isEmpty ? 0 : (value?.text.length ?? 0)))
  const elements = value?.type === 'array' ? childrenOf(value).filter(({ isNamed }) => isNamed) : []
  found.bindings.push(
    ...bindingsOf(name, value?.type === 'array' ? elements.map(elementOf) : [word]),
  )
  if (word.value === undefined) found.setsUnknown = true
  else if (hidesSubstitution(word.value)) {
    found.setsUnknown = true
    found.isObscure = true
  }
  return word.value === undefined || /[$`]/.test(name)
    ? unknownWord(text)
    : { ...knownWord(name + word.value), source: text }
}

/** `[key]=value` is not taken apart. */
const elementOf = (node: ShellNode): Word | undefined =>
  isWord(node) && !node.text.startsWith('[') ? wordOf(node) : undefined

/** Text that becomes a substitution where it is evaluated a second time. */
export const hidesSubstitution = (text: string): boolean => /`|\$[({[]/.test(text)

const isDoubtful = ({ value }: Word): boolean => value === undefined || hidesSubstitution(value)

/** `${a@P}` runs what the value says, `${!a}` names another variable, `${a:=…}` sets one in passing. */
const isObscureExpansion = (node: ShellNode): boolean =>
  childrenOf(node).some(({ type }) => ['@', '!', '=', ':='].includes(type))
