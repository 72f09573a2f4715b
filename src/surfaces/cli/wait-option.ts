/** How long an index that is behind may keep somebody waiting. Apart: the table of commands loads no store. */
export const WAIT_S = 10

export const waitOption = [
  '--wait <seconds>',
  `how long an index that is behind the logs is brought up to them first (default: ${WAIT_S})`,
] as const
