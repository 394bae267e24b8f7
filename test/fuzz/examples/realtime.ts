// Cases that failed once.
import type { RealtimeCase } from '../targets/realtime.ts'

export const REALTIME_EXAMPLES: Readonly<Record<string, RealtimeCase>> = {}
