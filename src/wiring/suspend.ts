/** What ctrl+z does where the terminal gives it to a program as a key: all of its process group stops, until the shell lets it go on. */
export function suspend(): Promise<void> {
  // There are no jobs to come back to.
  if (process.platform === 'win32') return Promise.resolve()
  return new Promise((resolve) => {
    process.once('SIGCONT', () => resolve())
    process.kill(0, 'SIGTSTP')
  })
}
