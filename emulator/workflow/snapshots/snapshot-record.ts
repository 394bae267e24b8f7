// The record of a snapshot, in a file beside the snapshot's data.
import { z } from 'zod'
import { FaultOrder } from '../../contract/faults.ts'
import { parseJson } from '../../core/json.ts'
import type { PlatformTime } from '../../core/platform-clock.ts'
import { type EpochMillis, epochMillis } from '../../core/time.ts'
import { HistoryMarks } from './history-marks.ts'

export interface SnapshotRecord {
  readonly name: string
  readonly note: string | null
  /** Wall time. */
  readonly savedAt: EpochMillis
  readonly platformTime: EpochMillis
  readonly time: PlatformTime
  /** Faults that were armed when the snapshot was saved, oldest first. */
  readonly faults: readonly FaultOrder[]
  readonly sizeBytes: number
  readonly tenants: number
  /** Where the state is in the history of row changes; `null` for a snapshot of an earlier release. */
  readonly history: HistoryMarks | null
}

const Instant = z.number().transform(epochMillis)

const SnapshotRecord: z.ZodType<SnapshotRecord> = z.object({
  name: z.string(),
  note: z.string().nullable(),
  savedAt: Instant,
  platformTime: Instant,
  time: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('frozen'), at: Instant }),
    z.object({ kind: z.literal('offset'), offsetMillis: z.number() }),
  ]),
  // A newer release may lack a kind of fault. All faults are then dropped, so that the snapshot's data can still be restored.
  faults: z.array(FaultOrder).catch([]),
  sizeBytes: z.number(),
  tenants: z.number(),
  history: HistoryMarks.nullable().default(null),
})

/** Returns `undefined` for a text that is not a record. */
export function parseSnapshotRecord(text: string): SnapshotRecord | undefined {
  return SnapshotRecord.safeParse(parseJson(text)).data
}
