/** The features that have a setting, in the order of their list. */
export const FEATURES = [
  'sessionStore',
  'cloudSessionStore',
  'backgroundSessions',
  'sessionIndexing',
  'sessionIndexingRepo',
  'cloudSessions',
  'remoteKickstart',
] as const

export type Feature = (typeof FEATURES)[number]
