// Compares a recording with the answers of one emulator.
import type { Comparison } from '../../../contract/comparisons.ts'
import { comparisonOf } from '../compare/comparison.ts'
import type { Har } from '../har/har.ts'
import type { ReplayPlatform } from './platform.ts'
import { recordedBasesOf, replay } from './replay.ts'

/** Replays every request of the recording, which changes the data of the emulator. */
export async function compareWith(
  { log: { _tenantry: head, entries } }: Har,
  platform: ReplayPlatform,
): Promise<Comparison> {
  const recordedBases = recordedBasesOf(entries, head.targets)
  const { maxBodyBytes } = head
  return comparisonOf(await replay({ entries, recordedBases, maxBodyBytes, platform }))
}
