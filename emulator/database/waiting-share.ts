// How much of its time work waits for an engine: what further processors or connections could save.

/** Returns the part of the time that was spent waiting, from 0 to 1. */
export function shareOf(waitedMillis: number, workedMillis: number): number {
  const total = waitedMillis + workedMillis
  return total === 0 ? 0 : waitedMillis / total
}
