/** Set by the build; absent when the program runs from source. */
declare const REPRISE_VERSION: string | undefined

/** Set by the build too: what the commands of the table are about, by their names on a command line, as JSON. */
declare const REPRISE_SUMMARIES: string | undefined
