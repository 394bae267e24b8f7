// Starts a recording proxy in front of any target, and provides its recorded entries.
import { type Clock, SystemClock } from '../../emulator/core/clock.ts'
import type { HarEntry } from '../../emulator/workflow/traffic/har/har.ts'
import { createMasker } from '../../emulator/workflow/traffic/masking/create-masker.ts'
import { basesOf } from '../../emulator/workflow/traffic/planes.ts'
import { openRecordingProxy } from '../../emulator/workflow/traffic/record/recording-proxy.ts'

export interface TestProxy extends AsyncDisposable {
  readonly url: string
  /** Recorded entries, in the order in which the exchanges ended. */
  readonly entries: readonly HarEntry[]
}

export interface TestProxyOptions {
  readonly keepsOpaque?: boolean
  readonly wallClock?: Clock
}

export async function startRecordingProxy(
  target: string,
  maxBodyBytes = 1 << 20,
  { keepsOpaque = false, wallClock = new SystemClock() }: TestProxyOptions = {},
): Promise<TestProxy> {
  const entries: HarEntry[] = []
  const { close, port } = await openRecordingProxy({
    targets: basesOf(target),
    given: new Set(),
    maxBodyBytes,
    masker: createMasker(),
    keepsOpaque,
    wallClock,
    port: 0,
    record: (entry) => entries.push(entry),
  })
  return { url: `http://127.0.0.1:${port}`, entries, [Symbol.asyncDispose]: close }
}
