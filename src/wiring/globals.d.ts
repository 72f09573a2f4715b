/** Set by the build; absent when the program runs from source. */
declare const REPRISE_VERSION: string | undefined
