// Carries out the steps of a check, and stops at the first step with an unexpected answer.
import { parseJson } from '../../../core/json.ts'
import { type Mismatch, mismatches, type Pattern } from '../model/patterns.ts'
import type { CheckedFailure } from '../model/result.ts'
import { type Expected, MissingValueError, type Reply, type Step } from '../model/steps.ts'
import { StoppedError, type Wire, type WireSocket } from './wire.ts'

/** Wall-clock milliseconds to wait for a frame. */
const FRAME_MILLIS = 5_000
const NO_REPLY: Reply = {
  status: 0,
  headers: {},
  text: '',
  bytes: Buffer.alloc(0),
  body: undefined,
}

export type Carried<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly failures: readonly CheckedFailure[] }

interface OpenSocket extends WireSocket {
  /** Number of received frames that earlier steps have read. */
  seen: number
}

/** Returns what the steps return. Closes all sockets. */
export async function carryOut<Value>(
  steps: Iterable<Step, Value, Reply>,
  wire: Wire,
): Promise<Carried<Value>> {
  const sockets = new Map<string, OpenSocket>()
  const iterator = steps[Symbol.iterator]()
  let last = 'before the first request'
  try {
    let reply = NO_REPLY
    for (;;) {
      const { done, value } = iterator.next(reply)
      if (done === true) return { kind: 'done', value }
      last = wordsOf(value, last)
      const answered = await answerOf(value, sockets, wire)
      if (answered.found.length > 0) {
        const failures = answered.found.map((found) => ({ step: last, ...found }))
        return { kind: 'failed', failures }
      }
      reply = answered.reply
    }
  } catch (error) {
    if (error instanceof StoppedError) throw error
    return { kind: 'failed', failures: [failureOf(error, last)] }
  } finally {
    for (const { peer } of sockets.values()) peer.close(null, '')
  }
}

// Any error is a failure of the check, because a check may read a value that the answer has in another form.
function failureOf(error: unknown, step: string): CheckedFailure {
  return error instanceof MissingValueError
    ? { step, at: `body.${error.at}`, expected: 'a value', got: 'nothing' }
    : { step, at: 'answer', expected: 'an answer that the check can read', got: String(error) }
}

interface Answered {
  readonly reply: Reply
  readonly found: readonly Mismatch[]
}

async function answerOf(
  step: Step,
  sockets: Map<string, OpenSocket>,
  wire: Wire,
): Promise<Answered> {
  switch (step.kind) {
    case 'request': {
      const reply = await wire.send(step.request)
      return { reply, found: replyMismatches(step.expected, reply) }
    }
    case 'open': {
      const opened = await wire.open(step)
      sockets.set(step.socket, { ...opened, seen: 0 })
      return { reply: opened.reply, found: replyMismatches(step.expected, opened.reply) }
    }
    case 'frame':
      socketOf(sockets, step.socket).peer.send(
        typeof step.frame === 'string' ? step.frame : Buffer.from(step.frame),
      )
      return { reply: NO_REPLY, found: [] }
    case 'receive':
      return receive(socketOf(sockets, step.socket), step.pattern, step.isNext)
    case 'closed': {
      const { peer } = socketOf(sockets, step.socket)
      await peer.closed(FRAME_MILLIS)
      return { reply: NO_REPLY, found: mismatches(step.code, peer.closedWith, 'close code') }
    }
    case 'hold':
      return { reply: NO_REPLY, found: mismatches(step.pattern, step.value, step.what) }
    default:
      return step satisfies never
  }
}

async function receive(socket: OpenSocket, pattern: Pattern, isNext: boolean): Promise<Answered> {
  let nearest: readonly Mismatch[] | undefined
  for (;;) {
    await socket.peer.arrived(socket.seen + 1, FRAME_MILLIS)
    const frame = socket.peer.received[socket.seen]
    if (frame === undefined) {
      const found = nearest ?? [{ at: 'frame', expected: 'a frame within 5 s', got: 'nothing' }]
      return { reply: NO_REPLY, found }
    }
    socket.seen += 1
    const body =
      frame.opcode === 1
        ? (parseJson(frame.data) ?? frame.data)
        : { bytes: Buffer.from(frame.data, 'base64').toString('hex') }
    const found = mismatches(pattern, body, 'frame')
    if (found.length === 0 || isNext)
      return { reply: { ...NO_REPLY, text: frame.data, body }, found }
    // Reports the frame with the fewest differences, because it is most likely the expected one.
    if (nearest === undefined || found.length < nearest.length) nearest = found
  }
}

function replyMismatches({ body, headers = {}, status }: Expected, reply: Reply) {
  if (reply.status === 0) return [{ at: 'answer', expected: 'an answer', got: reply.text }]
  const wrongStatus = mismatches(status, reply.status, 'status').map((found) => ({
    ...found,
    got: reply.text === '' ? found.got : `${found.got} ${reply.text}`,
  }))
  // A wrong status means another kind of answer, so further differences would add nothing.
  if (wrongStatus.length > 0) return wrongStatus
  return [
    ...Object.entries(headers).flatMap(([name, pattern]) =>
      mismatches(pattern, reply.headers[name], `header ${name}`),
    ),
    ...(body === undefined ? [] : mismatches(body, reply.body, 'body')),
  ]
}

/** @throws {TypeError} when a check uses a socket before it opens the socket */
function socketOf(sockets: ReadonlyMap<string, OpenSocket>, name: string): OpenSocket {
  const socket = sockets.get(name)
  if (socket === undefined) throw new TypeError(`The socket ${name} was not opened.`)
  return socket
}

function wordsOf(step: Step, last: string): string {
  switch (step.kind) {
    case 'request':
      return `${step.request.method} ${step.request.path}`
    case 'open':
      return `GET ${step.path}`
    case 'frame':
      return typeof step.frame === 'string' ? `frame ${step.frame.slice(0, 200)}` : 'binary frame'
    case 'receive':
    case 'closed':
    case 'hold':
      return last
    default:
      return step satisfies never
  }
}
