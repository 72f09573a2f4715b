/** How a session is named on the command line. */
export const sessionArgument = [
  '<session>',
  'id, beginning of an id, name, @latest or @continue',
] as const
