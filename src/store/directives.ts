/**
 * What people tell an agent to do from now on, and where they tell it that it was wrong. Rules of thumb over
 * plain English: what they find is shown with its source and never acted on by itself.
 */

type Directive = {
  /** In the words of the person, as a sentence of its own. */
  readonly text: string
  /** Meant beyond the task at hand. Otherwise it says what an answer should have been. */
  readonly isStanding: boolean
}

const MOST_TEXT = 4000
const LONGEST = 200
const MOST = 5

/** A message after an answer that says that the answer was not what was wanted. */
export const isCorrection = (text: string): boolean => {
  const start = text.slice(0, 400).trim()
  return CORRECTS_AT_START.test(start) || CORRECTS.test(start)
}

const CORRECTS_AT_START =
  /^(?:no+(?:pe)?[,.!:;-]|no (?:that|this|it|you|not|use|do|don't|i|we|wait)\b|wrong\b|not (?:like )?that\b|stop\b|that(?:'s| is| was) (?:wrong|not|incorrect)\b|this is (?:wrong|not)\b|(?:please )?(?:don't|do not|undo|revert)\b|actually,|wait,)/i
const CORRECTS =
  /\b(?:you (?:forgot|missed|broke|ignored|misunderstood|shouldn't have|should not have|should have|were supposed to)|i (?:said|told you|asked (?:you )?(?:for|to))|why did you|not what i (?:wanted|meant|asked)|still (?:fails|failing|broken|wrong|not working)|that's wrong|as i said)\b/i

export function directivesIn(text: string): Directive[] {
  const corrects = isCorrection(text)
  const found = new Map<string, Directive>()
  for (const sentence of text.slice(0, MOST_TEXT).split(/(?<=[.!?;])\s+|\n+/)) {
    const bare = bareSentence(sentence)
    if (bare.length < 8 || bare.length > LONGEST || bare.endsWith('?')) continue
    const isStanding = STANDING.test(bare)
    if (!isStanding && !(corrects && ORDERS.test(bare))) continue
    const directive = { text: asSentence(bare), isStanding }
    const key = directive.text.toLowerCase()
    if (found.size < MOST && !found.has(key)) found.set(key, directive)
  }
  return [...found.values()]
}

/** True beyond the task at hand. */
const STANDING =
  /^(?:always|never|prefer|from now on|in this (?:repo|repository|project)|remember (?:that|to)|we (?:always|never|use|don't use|do not use))\b/i
/** An order about this task, unless it corrects: then it is what the agent should have known. */
const ORDERS =
  /^(?:use|don't|do not|run|keep|only|avoid|put|make sure|stop|leave|write|call|instead)\b/i

const OPENING =
  /^(?:[-*>]\s+|(?:no+(?:pe)?|wrong|please|actually|wait|ok|okay|and|but|so|also|then|well|again|stop|i said|as i said|i told you(?: to)?|that's wrong|that is wrong|remember to|remember that|remember|from now on)[,.!:;]?\s+)/i

function bareSentence(sentence: string): string {
  let bare = sentence.replace(/\s+/g, ' ').trim()
  for (let round = 0; round < 4; round++) {
    // What says that it holds for ever is taken off only where it leaves an order behind.
    const rest = bare.replace(OPENING, '')
    if (rest === bare || rest.length < 8) break
    if (STANDING.test(bare) && !STANDING.test(rest) && !ORDERS.test(rest)) break
    bare = rest
  }
  return bare
}

const asSentence = (text: string): string => {
  const body = text.replace(/(?<![\s.!;,:])[\s.!;,:]+$/, '')
  return `${body.charAt(0).toUpperCase()}${body.slice(1)}.`
}
