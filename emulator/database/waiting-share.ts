// Computes the share of its time that work waits for an engine. More processors or connections could save this time.

/** Returns the part of the time that was spent waiting, from 0 to 1. */
export function shareOf(waitedMillis: number, workedMillis: number): number {
  const total = waitedMillis + workedMillis
  return total === 0 ? 0 : waitedMillis / total
}
