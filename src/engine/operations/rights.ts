/** Who may ask, and who answers, as most operations have it. */

/** Only at the machine of the session. */
export const ownerOnly = { may: ['owner'], where: 'machine' } as const
/** From afar, too, by a token that may steer. */
export const steerable = { may: ['owner', 'steer'], where: 'machine' } as const
/** Of the process that runs the turn. */
export const inTurn = { may: ['owner', 'neighbour', 'steer'], where: 'turn' } as const
/** By all who may read the log, from a copy of it as well. */
export const watchable = { may: ['owner', 'watch', 'steer'], where: 'log' } as const
