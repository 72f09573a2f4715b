/** Runs the expressions of the token rules on an engine whose time is linear whatever the text. */
import type { RE2JS } from 're2js'
import type { TokenScan } from './scan.ts'
import type { TokenRule } from './token-rules.ts'

export async function loadTokenScan(): Promise<TokenScan> {
  const { RE2JS } = await import('re2js')
  const compiled = new Map<TokenRule, RE2JS>()
  return (rule, text) => {
    const expression = compiled.get(rule) ?? RE2JS.compile(rule.pattern)
    compiled.set(rule, expression)
    const matcher = expression.matcher(text)
    const found: { start: number; end: number }[] = []
    while (matcher.find()) found.push({ start: matcher.start(), end: matcher.end() })
    return found
  }
}
