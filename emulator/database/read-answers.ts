// How far the engine's queue reads what a job answers: the rest is read by the code that asked.
import { type BackendReply, firstError, parseBackendMessages } from './backend-messages.ts'
import type { DoneReply, WorkerRequest } from './pglite-worker/worker-protocol.ts'
import type { Job, JobOutcome } from './queued-job.ts'

const UNREAD: BackendReply = { results: [], notices: [], error: undefined, ready: undefined }

function onlyError(bytes: Uint8Array): BackendReply {
  return { ...UNREAD, error: firstError(bytes) }
}

const READ_AS: Readonly<Record<WorkerRequest['kind'], (bytes: Uint8Array) => BackendReply>> = {
  run: parseBackendMessages,
  admin: parseBackendMessages,
  connect: parseBackendMessages,
  ask: onlyError,
  turn: () => UNREAD,
  disconnect: () => UNREAD,
  setTime: () => UNREAD,
  state: () => UNREAD,
  close: () => UNREAD,
}

export function outcomeOf({ request }: Job, answer: DoneReply): JobOutcome {
  const { bytes, committed, durationMillis, isHeld = false, idleInTransactionMillis } = answer
  const reply = READ_AS[request.kind](bytes)
  const changes =
    answer.changes === undefined ? undefined : parseBackendMessages(answer.changes).results[0]
  return { reply, bytes, committed, changes, isHeld, idleInTransactionMillis, durationMillis }
}
