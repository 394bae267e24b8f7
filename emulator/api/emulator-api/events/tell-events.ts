// Converts the emulator's observations to events of the event stream (contract/events.ts).
import type { LiveEvent } from '../../../contract/events.ts'
import { backgroundSentence } from '../../../core/background.ts'
import type { Observation, Observer } from '../../../core/observation.ts'
import type { WriteVersions } from '../../../database/write-versions.ts'
import type { FaultBook } from '../../../insight/faults/fault-book.ts'
import type { Journal } from '../../../insight/journal/journal.ts'
import { entryOf } from '../../../insight/journal/journal-rows.ts'
import type { EventMaker } from '../../../insight/journal/live/event-feed.ts'
import type { EventFeeds } from '../../../insight/journal/live/event-feeds.ts'
import type { ChangeLog } from '../../../insight/journal/row-changes/change-log.ts'
import { messageOnWire } from '../../../insight/project-tools/mailbox.ts'
import type { Mailbox } from '../../../platform/messages/mailbox.ts'
import { type ClockParts, clockState } from '../clock-routes.ts'

export interface TellingDeps extends ClockParts {
  readonly journal: Journal
  readonly mailbox: Mailbox
  readonly changes: ChangeLog
  readonly faults: Pick<FaultBook, 'onChange'>
  readonly writes: Pick<WriteVersions, 'onWrite'>
}

/** Sends requests, row changes, writes, clock moves and faults to the feed. Returns an observer that sends all other events. */
export function tellEvents(feeds: EventFeeds, deps: TellingDeps): Observer {
  const { all: feed, whole } = feeds
  const { journal, changes, faults, clock } = deps
  journal.listen((request) => whole.tell(() => ({ kind: 'request', entry: entryOf(request) })))
  changes.listen((change) => whole.tell(() => ({ kind: 'change', change: change.onWire() })))
  clock.onMove(() => feed.tell(() => ({ kind: 'clock', clock: clockState(deps) })))
  tellWrites(feeds, deps.writes)
  tellFaults(feed, faults)
  return (observation) => {
    const make = makerOf(observation, deps)
    if (make !== undefined) feed.tell(make)
  }
}

// A batch has one event for all writes to a schema. The event has the number of the last write when the batch is made.
function tellWrites({ all: feed, count }: EventFeeds, writes: TellingDeps['writes']): void {
  const latest = new Map<string | null, number>()
  writes.onWrite((schemaName) => {
    const schema_name = schemaName ?? null
    const event = () =>
      ({ kind: 'written', schema_name, events: latest.get(schema_name) ?? 0 }) as const
    feed.tell(event, `written ${schemaName ?? '*'}`)
    latest.set(schema_name, count())
  })
}

// Many faults may fire within one batch, so only the latest count is sent.
function tellFaults(feed: EventFeeds['all'], faults: TellingDeps['faults']): void {
  let newest = 0
  faults.onChange((armed) => {
    newest += 1
    const mine = newest
    feed.tell(() => (mine === newest ? { kind: 'faults', armed } : undefined))
  })
}

function makerOf(observation: Observation, { mailbox }: TellingDeps): EventMaker | undefined {
  switch (observation.kind) {
    case 'requestFinished':
    case 'changeJudged':
      return undefined
    case 'messageSent':
      return () => messageEvent(mailbox, observation.messageId)
    case 'projectChanged': {
      const { change, projectId, schemaName } = observation
      return () => ({
        kind: 'project',
        change,
        project_id: projectId,
        schema_name: schemaName,
      })
    }
    case 'stateChanged': {
      const { change, name = null } = observation
      return () => ({ kind: 'snapshot', change, name })
    }
    case 'engineRestarted':
      return () => ({ kind: 'engine', change: 'restarted', reason: observation.reason })
    case 'engineDown':
      return () => ({ kind: 'engine', change: 'down', reason: observation.reason })
    case 'engineDegraded': {
      const { capability, consequence } = observation
      return () => ({
        kind: 'engine',
        change: 'degraded',
        reason: `${capability}: ${consequence}`,
      })
    }
    case 'internalFailure': {
      const { requestId, error } = observation
      const message = error instanceof Error ? error.message : String(error)
      return () => ({ kind: 'failure', request_id: requestId, message })
    }
    case 'backgroundFailed': {
      const message = backgroundSentence(observation)
      return () => ({ kind: 'failure', request_id: 'background', message })
    }
    case 'backgroundResumed':
      return undefined
    default:
      return realtimeMaker(observation)
  }
}

const REALTIME_CHANGES = {
  realtimeSocketClosed: 'closed',
  realtimeChannelRefused: 'refused',
  realtimeFrameDropped: 'frameDropped',
} as const

function realtimeMaker(
  observation: Extract<Observation, { kind: keyof typeof REALTIME_CHANGES }>,
): EventMaker {
  return () => ({
    kind: 'realtime',
    event: {
      change: REALTIME_CHANGES[observation.kind],
      schema_name: observation.schemaName,
      topic: 'topic' in observation ? observation.topic : null,
      reason: observation.reason,
    },
  })
}

// The message is `undefined` when the mailbox was cleared before the batch is sent.
function messageEvent(mailbox: Mailbox, id: number): LiveEvent | undefined {
  const [message] = mailbox.list({}, 1, id + 1)
  return message?.id === id ? { kind: 'message', message: messageOnWire(message) } : undefined
}
