/** A word as a shell takes it whole: as it is where nothing in it means something to a shell, else in quotes. */
export const shellQuote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
