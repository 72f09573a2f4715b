/** What the client of a session makes of our system prompt: another one in its place, or changes to its sections. */

export type PromptChange =
  | { readonly kind: 'replaced'; readonly text: string }
  | {
      readonly kind: 'changed'
      readonly sections: Readonly<Record<string, SectionChange>>
      /** Rewrites the sections whose action is `transform`. What it does not give stays as it is. */
      readonly transform?: Transform
    }

type Transform = (
  sections: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, string>>>

/** An action that is not known leaves the section as it is. */
type SectionChange = { readonly action: string; readonly content?: string | undefined }

/** By the names that the Copilot SDK has for them, in their order. */
export type Section = readonly [name: string, text: string]

/** The same change with the transformed sections in it. */
export async function transformed(
  change: PromptChange | undefined,
  sections: readonly Section[],
  signal: AbortSignal,
): Promise<PromptChange | undefined> {
  if (change?.kind !== 'changed' || change.transform === undefined) return change
  const texts = new Map(sections)
  const asked = Object.entries(change.sections)
    .filter(([, { action }]) => action === 'transform')
    .map(([name]) => [name, texts.get(name) ?? ''])
  if (asked.length === 0) return change
  const given = await change.transform(Object.fromEntries(asked) as Record<string, string>, signal)
  const rewritten = Object.entries(given).map(([name, content]) => [
    name,
    { action: 'replace', content },
  ])
  return { ...change, sections: { ...change.sections, ...Object.fromEntries(rewritten) } }
}

export function changedSections(
  sections: readonly Section[],
  change: PromptChange | undefined,
): readonly string[] {
  if (change === undefined) return sections.map(([, text]) => text)
  if (change.kind === 'replaced') return [change.text]
  const names = new Set(sections.map(([name]) => name))
  const own = sections.map(([name, text]) => changed(text, change.sections[name]))
  // Sections that we do not have are still worth saying.
  const others = Object.entries(change.sections).filter(([name]) => !names.has(name))
  return [...own, ...others.map(([, each]) => changed('', each))]
}

function changed(text: string, { action, content = '' }: SectionChange = { action: 'preserve' }) {
  if (action === 'replace') return content
  if (action === 'remove') return ''
  if (action !== 'append' && action !== 'prepend') return text
  return (action === 'append' ? [text, content] : [content, text])
    .filter((part) => part !== '')
    .join('\n\n')
}
