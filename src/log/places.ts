/** Where the parts of a log stand inside its session's folder. What only we know of lives under `.reprise/`. */

export const logPath = (dir: string): string => `${dir}/events.jsonl`
export const tornFolder = (dir: string): string => `${dir}/.reprise/torn`
export const rewoundFolder = (dir: string): string => `${dir}/.reprise/rewound`
export const quarantineFolder = (dir: string): string => `${dir}/.reprise/quarantine`
export const blobsFolder = (dir: string): string => `${dir}/.reprise/blobs`
export const ownFolder = (dir: string): string => `${dir}/.reprise`
export const redoIntentPath = (dir: string): string => `${dir}/.reprise/redo.json`
export const snapshotPath = (dir: string): string => `${dir}/.reprise/snapshot.json`
export const mendingPath = (dir: string): string => `${dir}/.reprise/mending.jsonl`
export const beforeMendPath = (dir: string, number: number): string =>
  `${dir}/.reprise/before-mend-${number}.jsonl`
export const beforeMendName = /^before-mend-(\d+)\.jsonl$/
