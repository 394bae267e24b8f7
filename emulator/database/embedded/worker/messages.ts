// Receives the main thread's messages. An idle thread sleeps in Atomics.wait. Waking an event loop takes three times as long on a
// slow machine (measured: 310 µs a round trip, instead of 110 µs with Atomics.wait). Where threads may not block, the event loop
// delivers the messages.
import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { type CopyInput, MESSAGES, type WorkerRequest } from '../worker-protocol.ts'

type Message = WorkerRequest | CopyInput

/** After this many wall-clock milliseconds without a message, the thread runs its event loop once, so that V8 releases memory. */
const TURN_LOOP_AFTER_MILLIS = 1_000

const canBlock = mayBlock()

/**
 * Calls `take` with one message after another, until it returns false.
 * @param control see `WorkerOptions.control`
 */
export function serveMessages(control: Int32Array, take: (message: Message) => boolean): void {
  let isServing = true
  const takeOne = (message: Message): void => {
    if (!take(message)) isServing = false
  }
  const takeWhileBusy = (): void => {
    while (isServing) {
      const seen = Atomics.load(control, MESSAGES)
      const message = nextMessage()
      if (message !== undefined) takeOne(message)
      else if (Atomics.wait(control, MESSAGES, seen, TURN_LOOP_AFTER_MILLIS) === 'timed-out') break
    }
    if (isServing) setImmediate(takeWhileBusy)
  }
  // Receives the messages that arrive while the event loop runs.
  parentPort?.on('message', takeOne)
  if (canBlock) setImmediate(takeWhileBusy)
}

/** Waits for COPY data. While a turn runs, the main thread posts only COPY data for this turn. */
export function nextCopyInput(control: Int32Array): Uint8Array {
  for (;;) {
    const seen = Atomics.load(control, MESSAGES)
    const message = nextMessage()
    if (message?.kind === 'copyInput') return message.messages
    if (canBlock) Atomics.wait(control, MESSAGES, seen)
  }
}

function nextMessage(): Message | undefined {
  return parentPort === null ? undefined : receiveMessageOnPort(parentPort)?.message
}

// An embedder may forbid its threads to block (ECMAScript, "AgentCanSuspend"). The expected value differs from the stored one, so
// the wait ends at once.
function mayBlock(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1)
    return true
  } catch {
    return false
  }
}
