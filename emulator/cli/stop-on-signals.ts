// Functions for the commands that run an emulator until a signal arrives.

import type { BareEmulator } from '../assembly/library/emulator.ts'
import { END_WITH_STARTER } from '../assembly/run-file.ts'
import type { Clock } from '../core/clock.ts'
import { terminal } from './terminal.ts'

/**
 * The process ends this many wall-clock milliseconds after a signal, even if the emulator is not closed. Under load, the engine
 * alone takes 1.5 s to close. `tenantry stop` waits 10 s.
 */
const LAST_RESORT_MILLIS = 8_000

/**
 * When output goes to a file, a full disk raises an event that would end the process. With this listener, only the lines of
 * output are lost.
 */
export function outliveOutput(): void {
  const { stderr, stdout } = terminal()
  for (const output of [stdout, stderr]) output.on('error', () => undefined)
}

/**
 * Closes the emulator at the first signal, or at the end of the program that starts it with END_WITH_STARTER. A second signal, or a
 * close that takes too long, ends the process. The promise resolves after the end of the command, so only a terminal other than the
 * process itself sees it resolve.
 */
export function stopOnSignals(
  emulator: Pick<BareEmulator, 'close'>,
  wallClock: Clock,
): Promise<void> {
  const own = terminal()
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  const end = (code: number): void => {
    own.exit(code)
    resolve()
  }
  let isStopping = false
  const stop = (): void => {
    if (isStopping) {
      end(1)
      return
    }
    isStopping = true
    const lastResort = wallClock.after(LAST_RESORT_MILLIS, () => {
      const seconds = LAST_RESORT_MILLIS / 1_000
      own.stderr.write(
        `tenantry: closing took longer than ${seconds} s, so the process was ended. No acknowledged change is lost.\n`,
      )
      end(1)
    })
    emulator
      .close()
      .then(
        () => end(0),
        (error: unknown) => {
          own.stderr.write(`tenantry: closing failed: ${String(error)}\n`)
          end(1)
        },
      )
      .finally(lastResort)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) own.on(signal, stop)
  own.once('message', (message) => {
    if (message === END_WITH_STARTER) own.once('disconnect', stop)
  })
  // A command that fails ends by itself, and the starter waits for this end.
  own.channel?.unref()
  return stopped
}
