// GET /_emulator/v1/journal/:request_id and POST …/replay (contract/recording.ts).
import type { Hono } from 'hono'
import { z } from 'zod'
import { type Bindings, decodeOptionalBody } from '../../api-kit/decode.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import type { ReplayAnswer, RequestDetail } from '../../contract/recording.ts'
import type { Journal } from '../journal.ts'
import type { ChangeLog } from '../row-changes/change-log.ts'
import type { Recordings } from './recorder.ts'
import { type ReplayDeps, replay } from './replay.ts'
import { showRecording } from './show-recording.ts'

export interface RecordingRouteDeps {
  readonly journal: Journal
  readonly recordings: Recordings
  readonly changes: ChangeLog
  readonly replaying: ReplayDeps
}

const MAX_CHANGES = 500

/** Body of POST …/replay. */
export const replayOrder = z.strictObject({
  method: z
    .string()
    .regex(/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/, 'must be a method of HTTP')
    .optional(),
  target: z
    .string()
    .regex(/^\/[^\s#]*$/, 'must be a path with its query')
    .optional(),
  headers: z
    .record(z.string().regex(/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/), z.string().regex(/^[^\0\r\n]*$/))
    .optional(),
  body: z.string().optional(),
})

export function mountRecordings(app: Hono<Bindings>, deps: RecordingRouteDeps): void {
  const { journal, recordings, changes, replaying } = deps
  app.get('/journal/:request_id', (c) => {
    const requestId = c.req.param('request_id')
    const recording = recordings.findRecording(requestId)
    return c.json({
      entry: entryOf(journal, requestId),
      recording: recording === undefined ? null : showRecording(recording),
      changes: changes.find({ requestId, limit: MAX_CHANGES }).toReversed(),
    } satisfies RequestDetail)
  })
  app.post('/journal/:request_id/replay', async (c) => {
    const requestId = c.req.param('request_id')
    const order = await decodeOptionalBody(c, replayOrder)
    entryOf(journal, requestId)
    const recording = recordings.findRecording(requestId)
    if (recording === undefined)
      throw new InspectorError('conflict', `The request ${requestId} is no longer kept whole.`, {
        hint: 'Requests are kept in memory: the newest thousand since the emulator was started.',
      })
    return c.json(
      (await replay(replaying, recording, order, c.env.addresses)) satisfies ReplayAnswer,
    )
  })
}

function entryOf(journal: Journal, requestId: string): JournalEntry {
  const [entry] = journal.read({ requestId, limit: 1 })
  if (entry !== undefined) return entry
  throw new InspectorError('not_found', `The journal has no request ${requestId}.`, {
    hint: 'GET /_emulator/v1/journal lists those that are kept.',
  })
}
