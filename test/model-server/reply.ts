/** What the model of a test says to one request, whatever dialect it is asked in. */

export type Dialect = 'chat' | 'responses' | 'messages'

export type Call = {
  readonly name: string
  /** An object, or a text that stands for what no object can say. */
  readonly arguments: unknown
  readonly id?: string
}

export type Reply = {
  /** Told in pieces: each string is one delta. */
  readonly text?: string | readonly string[]
  readonly reasoning?: string
  readonly calls?: readonly Call[]
  readonly usage?: Partial<Tokens>
  readonly finish?: 'stop' | 'length'
  /** After the text the connection breaks, or ends as if that were all. */
  readonly cut?: 'broken' | 'ended'
  /** Waited for after the text, before the end. */
  readonly until?: Promise<unknown>
  /** Between two pieces; without it they come at once. */
  readonly paceMs?: number
}

export type Failure = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export type Tokens = {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly reasoning: number
}

export type Asked = {
  readonly dialect: Dialect
  /** The bytes as they came. */
  readonly raw: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** From the path on. */
  readonly url: string
  /** How many requests came before. */
  readonly index: number
}

export const tokensOf = ({ usage }: Reply): Tokens => ({
  input: 100,
  output: 10,
  cacheRead: 0,
  reasoning: 0,
  ...usage,
})

export const piecesOf = ({ text = [] }: Reply): readonly string[] =>
  typeof text === 'string' ? [text] : text

export const argumentsOf = ({ arguments: args }: Call): string =>
  typeof args === 'string' ? args : JSON.stringify(args)

/** What each provider says when too much was said. */
export const contextLimit = (dialect: Dialect): Failure => ({
  status: 400,
  body:
    dialect === 'messages'
      ? {
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message: 'prompt is too long: 250000 tokens > 200000 maximum',
          },
        }
      : {
          error: {
            message: "This model's maximum context length is 8192 tokens.",
            type: 'invalid_request_error',
            code: 'context_length_exceeded',
          },
        },
})
