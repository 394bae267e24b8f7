// Routes of /_emulator/v1 that show and replay recorded requests (contract/recording.ts).
import type { Hono } from 'hono'
import type { JournalEntry } from '../../../contract/journal.ts'
import { RECORDING_OPERATIONS } from '../../../contract/recording.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import { type Bindings, mount } from '../../api-kit/mount.ts'
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

export function mountRecordings(app: Hono<Bindings>, deps: RecordingRouteDeps): void {
  const { journal, recordings, changes, replaying } = deps
  const settings = () => ({ refused_bodies: recordings.keepsRefusedBodies })
  mount(app, RECORDING_OPERATIONS, {
    'GET /journal/recording': settings,
    'PUT /journal/recording': ({ body }) => {
      recordings.keepRefusedBodies(body.refused_bodies)
      return settings()
    },
    'GET /journal/:request_id': ({ params: { request_id: requestId } }) => {
      const recording = recordings.findRecording(requestId)
      return {
        entry: entryOf(journal, requestId),
        recording: recording === undefined ? null : showRecording(recording),
        changes: changes.find({ requestId, limit: MAX_CHANGES }).toReversed(),
      }
    },
    'POST /journal/:request_id/replay': ({ params: { request_id: requestId }, body, env }) => {
      entryOf(journal, requestId)
      const recording = recordings.findRecording(requestId)
      if (recording === undefined)
        throw new InspectorError('conflict', `The request ${requestId} is no longer recorded.`, {
          hint: 'The emulator keeps the newest thousand requests and the newest 200 refused ones in memory until it stops.',
        })
      return replay(replaying, recording, body, env.addresses)
    },
  })
}

function entryOf(journal: Journal, requestId: string): JournalEntry {
  const [entry] = journal.read({ requestId, limit: 1 })
  if (entry !== undefined) return entry
  throw new InspectorError('not_found', `The journal has no request ${requestId}.`, {
    hint: 'GET /_emulator/v1/journal lists the recorded requests.',
  })
}
