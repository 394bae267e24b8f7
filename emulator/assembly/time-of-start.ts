// Which time it is when an emulator starts.
import type { ResolvedConfig } from '../config.ts'
import type { PlatformTime } from '../core/platform-clock.ts'

/** The machine's own time unless the configuration freezes it. */
export function timeOfStart({ frozenAt }: Pick<ResolvedConfig, 'frozenAt'>): PlatformTime {
  return frozenAt === undefined
    ? { kind: 'offset', offsetMillis: 0 }
    : { kind: 'frozen', at: frozenAt }
}
