/** What a session is called where people choose among several: the name it was given, or what its first message was about. */
export const sessionTitle = (
  { name, summary }: { readonly name?: string | undefined; readonly summary: string },
  unnamed = '(no name)',
): string => name || summary || unnamed
