// How far the engine's queue reads what a job answers: the rest is read by the code that asked.
import { type BackendReply, firstError, parseBackendMessages } from './backend-messages.ts'
import type { WorkerRequest } from './pglite-worker/worker-protocol.ts'

const UNREAD: BackendReply = { results: [], notices: [], error: undefined, ready: undefined }

function onlyError(bytes: Uint8Array): BackendReply {
  return { ...UNREAD, error: firstError(bytes) }
}

export const READ_AS: Readonly<Record<WorkerRequest['kind'], (bytes: Uint8Array) => BackendReply>> =
  {
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
