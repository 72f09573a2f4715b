/** Markdown as blocks of code between fences, and what stands around them. A fence that is not closed goes to the end. */
type Block = { readonly isCode: boolean; readonly isClosed: boolean; readonly text: string }

export function* fenced(text: string): Generator<Block, void, void> {
  let open: string | undefined
  let lines: string[] = []
  const block = (isClosed: boolean): Block => ({
    isCode: open !== undefined,
    isClosed,
    text: lines.join('\n'),
  })
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const isOpening = open === undefined && mark !== undefined
    const isClosing = open !== undefined && mark?.startsWith(open) === true && line.trim() === mark
    if (!isOpening && !isClosing) {
      lines.push(line)
      continue
    }
    yield block(true)
    open = isOpening ? mark : undefined
    lines = []
  }
  yield block(open === undefined)
}
