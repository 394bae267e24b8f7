// A simulated device for tests of the client library. The device has a clock that the test moves, one storage for all its tabs,
// and an address bar. Its platform sends the answers that the test sets.
import { type Client, type ClientOptions, createClientIn } from '../../client/create-client.ts'
import type { ClientClock, Environment } from '../../client/environment.ts'
import { joinTabs } from '../../client/tab-channel.ts'
import { memoryStorage, type TextStorage } from '../../client/text-storage.ts'

export const AUTH_URL = 'http://auth.platform.test'

export interface DeviceClock extends ClientClock {
  /** Moves the clock forward, runs the timers that become due, and waits until their effects have happened. */
  advance(millis: number): Promise<void>
}

export interface Device {
  readonly clock: DeviceClock
  readonly storage: TextStorage
  readonly locks: Environment['locks']
  /** The page that all tabs of the device show. */
  readonly page: { href: string; visited: string[] }
  /** Exceptions of the application's own code that the library has reported. */
  readonly reported: unknown[]
}

/** A request that the platform received. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Answers a request. `undefined` means that the platform cannot be reached. */
export type Answering = (asked: Asked) => readonly [status: number, body: unknown] | undefined

export interface Platform {
  readonly fetch: typeof fetch
  readonly asked: Asked[]
  answer: Answering
}

export function createDevice({ locks }: { readonly locks?: Environment['locks'] } = {}): Device {
  return {
    clock: createDeviceClock(1_700_000_000_000),
    storage: memoryStorage(),
    locks,
    page: { href: 'http://app.test/', visited: [] },
    reported: [],
  }
}

/** Opens a tab of the device. Without `storage` in the options, the tab uses the device's storage, as a page does. */
export function openTab(
  device: Device,
  platform: Pick<Platform, 'fetch'>,
  options: Partial<ClientOptions> & { readonly url?: string; readonly key?: string } = {},
): Client {
  const { url = AUTH_URL, key = 'anon-key', ...rest } = options
  return createClientIn(environmentOf(device, platform), url, key, { project: 'shop', ...rest })
}

function environmentOf(
  { clock, storage, locks, page, reported }: Device,
  platform: Pick<Platform, 'fetch'>,
): Environment {
  return {
    clock,
    fetch: platform.fetch,
    storage,
    locks,
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    addressBar: {
      get href() {
        return page.href
      },
      go: (url) => page.visited.push(url),
      replace: (url) => {
        page.href = url
      },
    },
    joinTabs: (name, kept, onChange) => joinTabs(name, kept, onChange, undefined),
    watchWaking: () => () => undefined,
    reportError: (failure) => reported.push(failure),
  }
}

export function createPlatform(answer: Answering): Platform {
  const platform: Platform = {
    asked: [],
    answer,
    fetch: async (input, init = {}) => {
      const asked: Asked = {
        method: init.method ?? 'GET',
        url: String(input),
        headers: Object.fromEntries(new Headers(init.headers)),
        body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      }
      platform.asked.push(asked)
      await Promise.resolve()
      const answered = platform.answer(asked)
      if (answered === undefined) throw new TypeError('fetch failed')
      const [status, body] = answered
      return new Response(body === undefined ? null : JSON.stringify(body), { status })
    },
  }
  return platform
}

let tokens = 0

/** Returns a session with new tokens, as the platform answers it. */
export function sessionAnswer(extra: object = {}): Readonly<Record<string, unknown>> {
  tokens += 1
  return {
    access_token: `access-${tokens}`,
    data_plane_token: `data-${tokens}`,
    refresh_token: `refresh-${tokens}`,
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: 1_900_000_000,
    user: userRecord(),
    ...extra,
  }
}

export function userRecord(extra: object = {}): Readonly<Record<string, unknown>> {
  return { id: 'user-1', email: 'ana@example.com', user_metadata: {}, factors: [], ...extra }
}

/** Waits until everything has happened that does not depend on the clock. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve))
}

function createDeviceClock(start: number): DeviceClock {
  let now = start
  let due: { readonly at: number; readonly task: () => void }[] = []
  const after = (delay: number, task: () => void): (() => void) => {
    const entry = { at: now + delay, task }
    due = [...due, entry].sort((a, b) => a.at - b.at)
    return () => {
      due = due.filter((other) => other !== entry)
    }
  }
  return {
    now: () => now,
    after,
    pause: (delay) => new Promise((resolve) => after(delay, resolve)),
    async advance(millis) {
      const end = now + millis
      await settled()
      for (let next = due[0]; next && next.at <= end; next = due[0]) {
        due = due.slice(1)
        now = Math.max(now, next.at)
        next.task()
        await settled()
      }
      now = end
      await settled()
    },
  }
}
