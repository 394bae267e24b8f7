// Compares the data of an emulator before and after a restart. Pure.
import type { ProjectList } from '../../emulator/contract/overview.ts'

type KnownData = Pick<ProjectList, 'data_dir' | 'groups'>

/**
 * Whether a restarted emulator has kept its data. An emulator in memory loses its data even if its identifiers are the same,
 * as with `--deterministic`. A data directory that was emptied, or another one, shares no group with the earlier data.
 */
export function hasSameData(before: KnownData, now: KnownData): boolean {
  if (now.data_dir === null || now.data_dir !== before.data_dir) return false
  if (before.groups.length === 0) return true
  const known = new Set(before.groups.map(({ id }) => id))
  return now.groups.some(({ id }) => known.has(id))
}
