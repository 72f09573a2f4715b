/** A request as it is recorded and shown: where its paths lead, and everything that its command runs. */
import { relative } from 'node:path'
import type { PermissionRequest } from '../agent.ts'
import { isBelow } from '../../lib/is-below.ts'
import type { Subject, Subjects } from './rule-words.ts'

type Warned = {
  /** The first file of ours that it would write. */
  readonly ownFile: string | undefined
  /** The rule that denies, and may mean this. */
  readonly doubt: string | undefined
}

export function shownRequest(
  request: PermissionRequest,
  subjects: Subjects,
  warned: Warned,
): PermissionRequest {
  const { ownFile } = warned
  switch (request.kind) {
    case 'shell':
      return shownCommand(request, subjects, warned)
    case 'read':
    case 'write': {
      const [subject] = subjects.all
      const [place] = (subject !== undefined && 'places' in subject ? subject.places : []) ?? []
      if (place === undefined) return request
      const spelled = request.kind === 'read' ? request.path : request.fileName
      const name = spelled === place ? spelled : nameOf(place, subjects)
      const intent = ownFile !== undefined && { intention: ownWords(ownFile) }
      return request.kind === 'read'
        ? { ...request, path: name, resolvedPath: place }
        : { ...request, fileName: name, resolvedPath: place, ...intent }
    }
    default:
      return request
  }
}

const nameOf = (place: string, { cwd }: Subjects): string =>
  isBelow(cwd, place) && place !== cwd ? relative(cwd, place) : place

const ownWords = (path: string) => `Change ${path}, which belongs to Reprise itself`

function shownCommand(
  request: Extract<PermissionRequest, { kind: 'shell' }>,
  subjects: Subjects,
  { ownFile, doubt }: Warned,
): PermissionRequest {
  const opened = subjects.all.filter(
    (subject): subject is Extract<Subject, { kind: 'read' | 'write' }> =>
      'places' in subject && !subject.isMention,
  )
  const writes = opened.filter(({ kind }) => kind === 'write')
  const names = subjects.all.flatMap((each) =>
    each.kind === 'command' ? [(each.known ?? each.forms[0] ?? '').split(' ', 1)[0] ?? ''] : [],
  )
  const outside = writes.flatMap(({ places }) =>
    (places ?? []).filter((place) => !isBelow(subjects.cwd, place)),
  )
  const warnings = [
    ...(request.warning === undefined ? [] : [request.warning]),
    ...(ownFile === undefined ? [] : [`${ownWords(ownFile)}.`]),
    ...(doubt === undefined ? [] : [`It may do what ${doubt} denies.`]),
    ...(subjects.unknown === undefined ? [] : [`Look at it closely: ${subjects.unknown}.`]),
    ...[...new Set(outside)].map((place) => `Writes ${place}, outside of the project.`),
  ]
  const leads = opened.flatMap(({ spelled, places }) =>
    places?.[0] === undefined ? [] : [[spelled, places[0]] as const],
  )
  const unsure = subjects.unknown === undefined ? [] : [request.fullCommandText]
  return {
    ...request,
    commands: [...names, ...unsure].map((identifier) => ({ identifier, readOnly: false })),
    possiblePaths: leads.map(([spelled]) => spelled),
    hasWriteFileRedirection: writes.length > 0,
    ...(leads.length > 0 && { resolvedPaths: Object.fromEntries(leads) }),
    ...(warnings.length > 0 && { warning: warnings.join('\n') }),
  }
}
