/** A piece of a line and how it looks. The text is as it came: the output makes it safe. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export type Span = string | { readonly text: string; readonly style: Style }

const styled =
  (style: Style) =>
  (text: string): Span => ({ text, style })

export const bold = styled('bold')
export const dim = styled('dim')
export const red = styled('red')
export const green = styled('green')
export const yellow = styled('yellow')
export const cyan = styled('cyan')

export const textOf = (span: Span): string => (typeof span === 'string' ? span : span.text)

export const withText = (span: Span, text: string): Span =>
  typeof span === 'string' ? text : { ...span, text }
