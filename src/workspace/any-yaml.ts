/**
 * YAML as people and other programs write it. A file of its own, because the parser is loaded only for what our own
 * printer did not write, and a bundle gives a CommonJS package its names only through a static import.
 */
import { parse } from 'yaml'

export const parseAnyYaml = (text: string): unknown =>
  parse(text, { schema: 'core', customTags: [], maxAliasCount: 0, logLevel: 'error' })
