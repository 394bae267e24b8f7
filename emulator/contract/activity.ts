// What one user of a project did and received: requests, messages, files and row changes in one list.
import { z } from 'zod'
import { ACTIVITY_KINDS } from './choices.ts'
import { JournalEntry } from './journal.ts'
import { MailboxMessage } from './mailbox.ts'
import type { OperationTable, Shape } from './operation.ts'
import { JudgedChange } from './realtime.ts'
import { QueryNumber } from './values.ts'

export const UserFile = z.object({
  bucket: z.string().describe('Full name, e.g. `proj_aurora_documents`'),
  object_key: z.string(),
  size_bytes: z.number(),
  mime_type: z.string(),
  is_replaced: z.boolean().describe('The object was changed after its first upload'),
})
/** An object that the user uploaded. */
export type UserFile = Shape<typeof UserFile>

const at = z.string().describe('ISO 8601 UTC, platform time')

export const ActivityEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), at, request: JournalEntry }),
  z.object({ kind: z.literal('message'), at, message: MailboxMessage }),
  z.object({ kind: z.literal('file'), at, file: UserFile }),
  z
    .object({ kind: z.literal('change'), at, change: JudgedChange })
    .describe('`verdicts` has only those of the user’s own channels'),
])
export type ActivityEntry = Shape<typeof ActivityEntry>

export const ActivityCount = z.object({
  count: z.number(),
  is_at_least: z
    .boolean()
    .describe('The emulator has dropped old entries, which may have been the user’s, too'),
})
export type ActivityCount = Shape<typeof ActivityCount>

export const UserActivity = z.object({
  user: z.object({ id: z.string(), email: z.string().nullable(), phone: z.string().nullable() }),
  entries: z.array(ActivityEntry).describe('Newest first'),
  counts: z
    .object({
      request: ActivityCount,
      message: ActivityCount,
      file: ActivityCount,
      change: ActivityCount,
    })
    .describe('Numbers of entries of each kind, including those that the list omits'),
  channels: z.array(z.string()).describe('Topics of the realtime channels that the user is in now'),
})
export type UserActivity = Shape<typeof UserActivity>

export const ACTIVITY_OPERATIONS = {
  'GET /projects/:ref/users/:id/activity': {
    summary:
      'Lists the requests, messages, uploaded files and received row changes of a user. Requests of the inspector’s pages, and those with a refused credential, are left out.',
    query: z.strictObject({
      kind: z.exactOptional(z.enum(ACTIVITY_KINDS)).describe('Lists only entries of this kind'),
      limit: QueryNumber.min(1).max(500).default(200),
    }),
    answer: UserActivity,
  },
} as const satisfies OperationTable
