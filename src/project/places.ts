/** Where a session keeps what it knows of the project's files. */
export const filesFolder = (dir: string): string => `${dir}/.reprise/files`
export const blobsFolder = (dir: string): string => `${filesFolder(dir)}/blobs`
export const blobPath = (dir: string, sha256: string): string =>
  `${blobsFolder(dir)}/${sha256.slice(0, 2)}/${sha256}`
/** What agents changed, and what was restored: the truth. */
export const journalPath = (dir: string): string => `${filesFolder(dir)}/changes.jsonl`
/** The content of every covered file, as last seen: derived. */
export const baselinePath = (dir: string): string => `${filesFolder(dir)}/baseline.jsonl`
/** A restore that is under way. */
export const intentPath = (dir: string): string => `${filesFolder(dir)}/restore.json`
