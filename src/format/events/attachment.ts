/** What a user message may carry besides its text. */
import { z } from 'zod'
import {
  integer,
  maybeAnything,
  maybeInteger,
  maybeText,
  oneOf,
  openEnum,
  optional,
  text,
} from '../define.ts'

const repo = z.object({ id: maybeInteger, name: text, owner: text })
const lineRange = z.object({ start: integer, end: integer })
const position = z.object({ line: integer, character: integer })
const fileAt = { path: text, ref: text, repo }
const revision = z.object({ repo, revision: text })

const omittable = {
  assetId: maybeText,
  byteLength: maybeInteger,
  omittedReason: optional(openEnum('too_large', 'asset_unavailable')),
}

export const Attachment = oneOf('type', [
  z.object({
    type: z.literal('file'),
    path: text,
    displayName: text,
    lineRange: optional(lineRange),
    mimeType: maybeText,
    taggedFilesEntry: maybeText,
    ...omittable,
  }),
  z.object({
    type: z.literal('directory'),
    path: text,
    displayName: text,
    taggedFilesEntry: maybeText,
  }),
  z.object({
    type: z.literal('selection'),
    filePath: text,
    displayName: text,
    text,
    selection: z.object({ start: position, end: position }),
  }),
  z.object({
    type: z.literal('blob'),
    mimeType: text,
    displayName: maybeText,
    data: maybeText,
    ...omittable,
  }),
  z.object({
    type: z.literal('extension_context'),
    extensionId: text,
    title: text,
    capturedAt: text,
    canvasId: maybeText,
    instanceId: maybeText,
    payload: maybeAnything,
  }),
  z.object({
    type: z.literal('github_reference'),
    url: text,
    number: integer,
    referenceType: openEnum('issue', 'pr', 'discussion'),
    state: text,
    title: text,
  }),
  z.object({ type: z.literal('github_commit'), url: text, oid: text, message: text, repo }),
  z.object({ type: z.literal('github_release'), url: text, name: text, tagName: text, repo }),
  z.object({
    type: z.literal('github_actions_job'),
    url: text,
    jobId: integer,
    jobName: text,
    workflowName: text,
    conclusion: maybeText,
    repo,
  }),
  z.object({
    type: z.literal('github_repository'),
    url: text,
    description: maybeText,
    ref: maybeText,
    repo,
  }),
  z.object({
    type: z.literal('github_file_diff'),
    url: text,
    base: optional(z.object(fileAt)),
    head: optional(z.object(fileAt)),
  }),
  z.object({
    type: z.literal('github_tree_comparison'),
    url: text,
    base: revision,
    head: revision,
  }),
  z.object({ type: z.literal('github_url'), url: text }),
  z.object({ type: z.literal('github_file'), url: text, ...fileAt }),
  z.object({ type: z.literal('github_snippet'), url: text, lineRange, ...fileAt }),
])
export type Attachment = z.output<typeof Attachment>
