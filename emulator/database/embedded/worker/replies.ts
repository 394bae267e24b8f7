// Sends the worker's replies to the main thread.
import type { MessagePort } from 'node:worker_threads'
import { ownBytes, REPLIES, type WorkerOptions, type WorkerReply } from '../worker-protocol.ts'

// Copying a small reply is cheaper than transferring its buffer.
const TRANSFER_ABOVE_BYTES = 16_384

let port: MessagePort | undefined
let words: Int32Array | undefined

/** Call this function before `send`. */
export function openReplies({ replies, control }: WorkerOptions): void {
  port = replies
  words = new Int32Array(control)
}

export function send(reply: WorkerReply): void {
  post(reply)
  // The main thread may watch this word (host/reply-port.ts). The reply must be in the port before the word changes.
  if (words !== undefined) Atomics.add(words, REPLIES, 1)
}

function post(reply: WorkerReply): void {
  if (reply.kind === 'done') {
    const bytes = ownBytes(reply.bytes)
    const changes = reply.changes && ownBytes(reply.changes)
    const transferred = [...transferList(bytes), ...transferList(changes)]
    port?.postMessage({ ...reply, bytes, changes }, transferred)
  } else if (reply.kind === 'partial') {
    const bytes = ownBytes(reply.bytes)
    port?.postMessage({ ...reply, bytes }, transferList(bytes))
  } else port?.postMessage(reply)
}

function transferList(bytes: Uint8Array | undefined): readonly ArrayBuffer[] {
  return bytes !== undefined && bytes.length > TRANSFER_ABOVE_BYTES
    ? [bytes.buffer as ArrayBuffer]
    : []
}
