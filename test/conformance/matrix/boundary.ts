// Records or replays everything between tests and emulators: responses to `fetch`, and results of an emulator's methods.
import type { SeenAnswer, TestBoundary } from '../../support/test-boundary.ts'
import type { TestEmulator } from '../../support/test-emulator.ts'
import type { AskedRequest } from './answers.ts'
import { type Plant, type Repetition, Tape, withPlant } from './tape.ts'

type Sender = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

type Mode =
  | { readonly kind: 'off' }
  | { readonly kind: 'record'; readonly tape: Tape }
  | { readonly kind: 'repeat'; readonly repetition: Repetition; readonly plant: Plant | undefined }

export interface RecordingBoundary extends TestBoundary {
  record(test: () => Promise<void>): Promise<Tape>
  /** Runs a test with the recorded answers of its tape. @throws what the test throws */
  repeat(tape: Tape, plant: Plant | undefined, test: () => Promise<void>): Promise<void>
}

export function createBoundary(): RecordingBoundary {
  let mode: Mode = { kind: 'off' }
  const ports = new Set<string>()
  const during = async (next: Mode, test: () => Promise<void>): Promise<void> => {
    mode = next
    try {
      await test()
    } finally {
      mode = { kind: 'off' }
    }
  }

  async function through(send: Sender, input: string | URL | Request, init?: RequestInit) {
    const now = mode
    if (now.kind === 'off') return send(input, init)
    const request = await askedBy(input, init)
    if (now.kind === 'repeat') return responseOf(now.repetition.answer(request))
    const response = await send(input, init)
    now.tape.note(request, await answerIn(response.clone()))
    return response
  }

  function call(name: string, run: () => unknown): unknown {
    if (mode.kind === 'repeat') return mode.repetition.call(name)
    const result = run()
    if (mode.kind === 'record') mode.tape.noteCall(name, result)
    return result
  }

  function taped<Target extends object>(target: Target, name: string): Target {
    return new Proxy(target, {
      get: (owner, key) => {
        const value: unknown = Reflect.get(owner, key, owner)
        const path = `${name}.${String(key)}`
        if (typeof value === 'function')
          return (...args: readonly unknown[]) =>
            path === 'emulator.fetch' && args[0] instanceof Request
              ? through((input) => Reflect.apply(value, owner, [input]), args[0])
              : call(path, () => Reflect.apply(value, owner, args))
        return typeof value === 'object' && value !== null ? taped(value, path) : value
      },
    })
  }

  async function started(begin: () => Promise<unknown>): Promise<TestEmulator> {
    const at = (await begin()) as TestEmulator
    ports.add(new URL(at.url).port)
    const emulator = taped(at.emulator, 'emulator')
    return { ...at, emulator, [Symbol.asyncDispose]: () => emulator.close() }
  }

  const fetchOverNetwork = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const { port } = new URL(input instanceof Request ? input.url : input)
    return ports.has(port) ? through(fetchOverNetwork, input, init) : fetchOverNetwork(input, init)
  }
  return {
    start: async <Started>(begin: () => Promise<Started>) =>
      (await call('start', () => started(begin))) as Started,
    answer: (method, target, body, answer) => {
      const request = {
        method,
        target,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }
      if (mode.kind === 'record') mode.tape.note(request, answer)
      return mode.kind === 'repeat' ? withPlant(request, answer, mode.plant) : answer
    },
    aside: async (prepare) => {
      const before = mode
      mode = { kind: 'off' }
      try {
        return await prepare()
      } finally {
        mode = before
      }
    },
    record: async (test) => {
      const tape = new Tape()
      await during({ kind: 'record', tape }, test)
      return tape
    },
    repeat: (tape, plant, test) =>
      during({ kind: 'repeat', repetition: tape.repeat(plant), plant }, test),
  }
}

async function askedBy(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<AskedRequest> {
  const isRequest = input instanceof Request
  const { host, pathname, search } = new URL(isRequest ? input.url : input)
  const prefix = /^storage\./.test(host) && !pathname.startsWith('/storage/v1') ? '/storage/v1' : ''
  const sent = isRequest ? await input.clone().text() : init.body
  return {
    method: init.method ?? (isRequest ? input.method : 'GET'),
    target: `${prefix}${pathname}${search}`,
    body: typeof sent === 'string' ? sent : undefined,
  }
}

async function answerIn(response: Response): Promise<SeenAnswer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

function responseOf({ bytes, headers, status }: SeenAnswer): Response {
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers: { ...headers } })
}
