// Names of snapshots. Pure.
import type { Snapshot } from '../../../emulator/contract/snapshots.ts'

/** Why a snapshot cannot be called so; `undefined` when it can. */
export function problemOfName(name: string): string | undefined {
  if (name === '') return 'A name is needed.'
  return /^[A-Za-z0-9._-]{1,64}$/.test(name)
    ? undefined
    : 'Letters, digits, “-”, “_” and “.” only, at most 64.'
}

/** `snapshot-3` when there are two. */
export function nextName(snapshots: readonly Snapshot[]): string {
  const taken = new Set(snapshots.map(({ name }) => name))
  let number = snapshots.length + 1
  while (taken.has(`snapshot-${number}`)) number += 1
  return `snapshot-${number}`
}
