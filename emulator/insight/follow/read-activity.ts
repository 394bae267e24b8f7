// Reads from the journal, the mailbox, storage and realtime what one user did and received, and combines it into one list.
import type { ActivityEntry, UserActivity, UserFile } from '../../contract/activity.ts'
import { ACTIVITY_KINDS, type ActivityKind } from '../../contract/choices.ts'
import type { SchemaName } from '../../core/names.ts'
import { toIso } from '../../core/time.ts'
import type { Mailbox } from '../../platform/messages/mailbox.ts'
import type { SocketView } from '../../services/realtime/sockets/socket-views.ts'
import type { StoredObject } from '../../services/storage/objects/object-store.ts'
import type { OwnedObjects } from '../../services/storage/objects/objects-of-owner.ts'
import type { Journal } from '../journal/journal.ts'
import { CHANGES_KEPT, type ChangeLog } from '../journal/row-changes/change-log.ts'
import { messageOnWire } from '../project-tools/mailbox.ts'

export interface ActivitySources {
  readonly journal: Pick<Journal, 'read' | 'facets' | 'isFull'>
  readonly mailbox: Pick<Mailbox, 'list' | 'count' | 'isFull'>
  readonly changes: Pick<ChangeLog, 'find' | 'hasDropped'>
  readonly filesOf: (schemaName: SchemaName, ownerId: string, limit: number) => OwnedObjects
  readonly socketsOf: (schemaName: SchemaName) => readonly SocketView[]
}

export interface FollowedUser {
  readonly schemaName: SchemaName
  readonly id: string
  readonly email: string | null
  readonly phone: string | null
}

export interface ActivityQuery {
  /** Lists only entries of this kind. */
  readonly kind?: ActivityKind
  readonly limit: number
}

interface Part {
  readonly count: number
  readonly is_at_least: boolean
  /** The newest entries. */
  readonly entries: readonly ActivityEntry[]
}

type PartReader = (sources: ActivitySources, user: FollowedUser, limit: number) => Part

const READERS = {
  request: requestsOf,
  message: messagesTo,
  file: filesOf,
  change: changesFor,
} as const satisfies Record<ActivityKind, PartReader>

/** Returns the newest entries of all kinds or of one kind, and the counts of all kinds. */
export function readActivity(
  sources: ActivitySources,
  user: FollowedUser,
  { kind, limit }: ActivityQuery,
): UserActivity {
  const partOf = (one: ActivityKind): Part => READERS[one](sources, user, limit)
  const parts = {
    request: partOf('request'),
    message: partOf('message'),
    file: partOf('file'),
    change: partOf('change'),
  }
  const entries = ACTIVITY_KINDS.filter((one) => kind === undefined || one === kind).flatMap(
    (one) => parts[one].entries,
  )
  const { id, email, phone, schemaName } = user
  const channels = sources
    .socketsOf(schemaName)
    .flatMap((socket) => socket.channels)
    .filter(({ subject }) => subject === id)
  return {
    user: { id, email, phone },
    entries: entries
      .toSorted((one, other) => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1))
      .slice(0, limit),
    counts: {
      request: countOf(parts.request),
      message: countOf(parts.message),
      file: countOf(parts.file),
      change: countOf(parts.change),
    },
    channels: [...new Set(channels.map(({ topic }) => topic))].toSorted(),
  }
}

function countOf({ count, is_at_least }: Part): Pick<Part, 'count' | 'is_at_least'> {
  return { count, is_at_least }
}

function requestsOf(
  { journal }: ActivitySources,
  { id, schemaName }: FollowedUser,
  limit: number,
): Part {
  const hers = { schemaName, subject: id, fromInspector: false }
  return {
    count: journal.facets(hers).total,
    is_at_least: journal.isFull(),
    entries: journal
      .read({ ...hers, limit })
      .map((request) => ({ kind: 'request', at: request.received_at, request })),
  }
}

function messagesTo(
  { mailbox }: ActivitySources,
  { email, phone, schemaName }: FollowedUser,
  limit: number,
): Part {
  const filters = [email, phone].flatMap((recipient) =>
    recipient === null ? [] : [{ schemaName, recipient }],
  )
  return {
    count: filters.reduce((sum, filter) => sum + mailbox.count(filter), 0),
    is_at_least: mailbox.isFull(),
    entries: filters
      .flatMap((filter) => mailbox.list(filter, limit))
      .map(messageOnWire)
      .map((message) => ({ kind: 'message', at: message.sent_at, message })),
  }
}

function filesOf(sources: ActivitySources, { id, schemaName }: FollowedUser, limit: number): Part {
  const { objects, total } = sources.filesOf(schemaName, id, limit)
  return {
    count: total,
    is_at_least: false,
    entries: objects.map((object) => ({
      kind: 'file',
      at: toIso(object.updatedAt),
      file: fileOf(object),
    })),
  }
}

function fileOf({
  bucket,
  createdAt,
  mimeType,
  objectKey,
  sizeBytes,
  updatedAt,
}: StoredObject): UserFile {
  return {
    bucket,
    object_key: objectKey,
    size_bytes: sizeBytes,
    mime_type: mimeType,
    is_replaced: updatedAt > createdAt,
  }
}

// A change that a channel's own filter excluded was not requested, so the change does not concern the user.
function changesFor(
  { changes }: ActivitySources,
  { id, schemaName }: FollowedUser,
  limit: number,
): Part {
  const hers = changes.find({ schemaName, limit: CHANGES_KEPT }).flatMap((change) => {
    const verdicts = change.verdicts.filter(
      ({ subject, verdict }) => subject === id && verdict !== 'filtered',
    )
    return verdicts.length === 0 ? [] : [{ ...change, verdicts }]
  })
  return {
    count: hers.length,
    is_at_least: changes.hasDropped,
    entries: hers
      .slice(0, limit)
      .map((change) => ({ kind: 'change', at: change.committed_at, change })),
  }
}
