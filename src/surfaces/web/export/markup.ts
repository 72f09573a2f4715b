/** Markup as text. Whatever was said goes through `words`, and is text in it, never markup. */
import { visible } from '../page/model/words.ts'

/** Made here and nowhere else: a text that is not markup cannot be taken for it. */
export type Markup = string & { readonly isMarkup: true }

type Part = Markup | readonly Markup[] | undefined

/** Its own parts stay as they are; what is put into it must be markup already. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  String.raw({ raw: texts }, ...parts.map((part) => [part ?? []].flat().join(''))) as Markup

/** What was said, with what cannot be seen made visible. Also for the value of an attribute in quotes. */
export const words = (text: string): Markup =>
  visible(text)
    .toWellFormed()
    .replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? '') as Markup

/** A style sheet of our own. */
export const trusted = (text: string): Markup => text as Markup

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
