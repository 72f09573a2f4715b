/** What the type of a stream means for its records: JSON values, text, or bytes. */
export const DEFAULT_TYPE = 'application/octet-stream'

/** Without parameters, in lower case. */
export const bareType = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()

export const isJson = (type: string): boolean =>
  /^application\/(?:json|[\w.-]+\+json)$/.test(bareType(type))

export const isText = (type: string): boolean => isJson(type) || bareType(type).startsWith('text/')

export const sameType = (one: string, other: string): boolean => bareType(one) === bareType(other)
