/** What can go wrong with a log. Messages say what happened, what was left untouched and what to do. */
import { codeOf } from '../fs/fs-error.ts'
import { errorText } from '../lib/error-text.ts'

/** The right to write went to another process. Nothing that was not acknowledged before may be relied on. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor() {
    super(
      'Another process has taken over the right to write this session. ' +
        'The events were not acknowledged. Read the log again before writing.',
    )
  }
}

/** The log does not end where this writer left it. */
export class LogMoved extends Error {
  override readonly name = 'LogMoved'
  constructor(path: string, reason: string) {
    super(
      `${path} is not as this writer left it: ${reason}. ` +
        'The events were not acknowledged and what is there was left untouched. Read the log again before writing.',
    )
  }
}

export class EventsNotOnDisk extends Error {
  override readonly name = 'EventsNotOnDisk'
  readonly count: number
  constructor(path: string, count: number, cause: unknown) {
    const reason = errorText(cause)
    const remedy =
      codeOf(cause) === 'ENOTCONN' ? 'Resume the session where its files are' : 'Free the disk'
    super(
      `${count} event${count === 1 ? '' : 's'} could not be written to ${path} (${reason}). ` +
        `Everything acknowledged earlier is intact. ${remedy} and send again what is missing.`,
      { cause },
    )
    this.count = count
  }
}

export class LogClosed extends Error {
  override readonly name = 'LogClosed'
  constructor(path: string) {
    super(`${path} was closed by this writer. Nothing was written. Open the log again.`)
  }
}

/** Something that must not be written as an event, such as a notice. */
export class NotAnEvent extends Error {
  override readonly name = 'NotAnEvent'
  constructor(type: string, reason: string) {
    super(`A draft of type "${type}" cannot be appended (${reason}). Nothing was written.`)
  }
}

export class EventNotFound extends Error {
  override readonly name = 'EventNotFound'
  readonly eventId: string
  constructor(eventId: string) {
    super(`Event ${eventId} not found in session. Nothing was changed.`)
    this.eventId = eventId
  }
}

export class StartNotRemovable extends Error {
  override readonly name = 'StartNotRemovable'
  constructor(eventId: string) {
    super(
      `Event ${eventId} is the first of its session and cannot be removed. Nothing was changed. ` +
        'Rewind to a later event, or delete the session.',
    )
  }
}

export class NothingToRedo extends Error {
  override readonly name = 'NothingToRedo'
  readonly reason: string
  constructor(reason: 'nothing was rewound' | 'the session has gone on since') {
    super(`There is nothing to redo: ${reason}. Nothing was changed.`)
    this.reason = reason
  }
}

/** What a rewind removed is not as it was written. */
export class RewoundDamaged extends Error {
  override readonly name = 'RewoundDamaged'
  constructor(path: string, problem: string) {
    super(
      `What the last undo took back cannot be brought back: ${path} ${problem}. ` +
        'Nothing was changed, and it stays where it is.',
    )
  }
}

export class BlobDamaged extends Error {
  override readonly name = 'BlobDamaged'
  constructor(path: string) {
    super(`${path} does not hold the content that its name stands for. It was left untouched.`)
  }
}
