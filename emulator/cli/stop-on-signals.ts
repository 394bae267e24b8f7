// What every command needs that runs an emulator until a signal.

import type { BareEmulator } from '../assembly/library/emulator.ts'
import type { Clock } from '../core/clock.ts'

/**
 * Wall-clock milliseconds after a signal until the process ends even if the emulator is not closed. Under load the engine alone
 * takes 1.5 s to close. `tenantry stop` waits 10 s.
 */
const LAST_RESORT_MILLIS = 8_000

/**
 * When output goes to a file, a full disk raises an event that would end the process. With this listener, only the lines of
 * output are lost.
 */
export function outliveOutput(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
}

/** Closes the emulator at the first signal. A second signal, or a close that takes too long, ends the process. */
export function stopOnSignals(emulator: Pick<BareEmulator, 'close'>, wallClock: Clock): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      wallClock.after(LAST_RESORT_MILLIS, () => {
        const seconds = LAST_RESORT_MILLIS / 1_000
        process.stderr.write(
          `tenantry: closing took longer than ${seconds} s, so the process was ended. No acknowledged change is lost.\n`,
        )
        process.exit(1)
      })
      emulator.close().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`tenantry: closing failed: ${String(error)}\n`)
          process.exit(1)
        },
      )
    })
}
