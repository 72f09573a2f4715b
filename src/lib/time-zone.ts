/** Days and minutes as a person in a time zone has them. Zones are named as IANA does: `Europe/Berlin`. */

export const UTC = 'UTC'

/** The zone of this machine. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || UTC

export function isZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    // That is how it says that it knows no such zone.
    return false
  }
}

/** `2026-03-01 09:30`, in the zone. */
export const minuteIn = (zone: string, iso: string): string => {
  const parts = partsIn(zone, Date.parse(iso))
  return parts === undefined ? iso : `${parts.day} ${parts.minute}`
}

/** Of a stretch of time with one distance from UTC. The last has no end. */
type Offset = { readonly untilMs: number | undefined; readonly minutes: number }

const DAY_MS = 86_400_000

/** How far the clocks of a zone are from UTC between two moments, in order; they change at most once a day. */
export function offsetsOf(zone: string, fromMs: number, toMs: number): Offset[] {
  const offsets: Offset[] = []
  let minutes = offsetAt(zone, fromMs)
  for (let at = fromMs; at < toMs; at += DAY_MS) {
    const next = offsetAt(zone, at + DAY_MS)
    if (next === minutes) continue
    offsets.push({ untilMs: changeBetween(zone, at, at + DAY_MS), minutes })
    minutes = next
  }
  return [...offsets, { untilMs: undefined, minutes }]
}

/** The first moment at which the offset is the later one, on a whole minute. */
function changeBetween(zone: string, earlyMs: number, lateMs: number): number {
  const before = offsetAt(zone, earlyMs)
  let [early, late] = [Math.floor(earlyMs / 60_000), Math.floor(lateMs / 60_000)]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (offsetAt(zone, middle * 60_000) === before) early = middle
    else late = middle
  }
  return late * 60_000
}

/** Minutes that its clocks are ahead of UTC. */
function offsetAt(zone: string, ms: number): number {
  const parts = partsIn(zone, ms)
  if (parts === undefined) return 0
  const local = Date.parse(`${parts.day}T${parts.minute}:00Z`)
  return Math.round((local - Math.floor(ms / 60_000) * 60_000) / 60_000)
}

function partsIn(zone: string, ms: number): { day: string; minute: string } | undefined {
  if (!Number.isFinite(ms)) return undefined
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  const { year = '', month, day, hour, minute } = parts
  return { day: `${year.padStart(4, '0')}-${month}-${day}`, minute: `${hour}:${minute}` }
}

/** Making one takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formats.set(zone, made)
  return made
}
