// An emulator in memory for a single command. Commands use it to build steps, and copies of projects that run elsewhere.

import { type BareEmulator, openEmulator } from '../assembly/library/emulator.ts'
import { SystemClock } from '../core/clock.ts'
import { createHttpClient } from '../platform/http-client/http-client.ts'
import { type RunningEmulator, reachEmulator } from '../platform/http-client/running-emulator.ts'
import type { Exec } from '../workflow/migrations/apply/fleet.ts'
import { createPlatformClient } from '../workflow/migrations/remote/platform-client.ts'

export interface ThrowAwayEmulator extends AsyncDisposable {
  readonly applyFixture: BareEmulator['applyFixture']
  /** Calls the emulator's own API. */
  readonly api: RunningEmulator
  /** Returns a function that runs SQL through db/exec. @param slug slug of one of the developer's projects */
  execOf(slug: string): Exec
}

const ORIGIN = 'http://127.0.0.1'

/** @throws {EmulatorError} */
export async function openThrowAwayEmulator(): Promise<ThrowAwayEmulator> {
  const emulator = await openEmulator({}, [])
  const http = createHttpClient({
    wallClock: new SystemClock(),
    fetch: (input, init) => emulator.fetch(new Request(input, init)),
  })
  const { platform } = await emulator.ready(ORIGIN)
  const keys = { sessionToken: platform.session_token }
  const client = createPlatformClient({ url: ORIGIN, keys, http })
  return {
    applyFixture: (fixture) => emulator.applyFixture(fixture),
    api: reachEmulator(ORIGIN, undefined, http),
    execOf: (slug) => (sql) => client.exec(`proj_${slug}`, sql),
    [Symbol.asyncDispose]: () => emulator.close(),
  }
}
