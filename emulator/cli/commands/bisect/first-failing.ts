// The binary search of `tenantry bisect`.

/**
 * Finds the first of `count` changes after which the command fails, in log2(count) + 2 runs.
 * @param passesAfter runs the command on the state after the first `changes` changes
 * @returns the index of the change; `passes_now` when the present state passes, `fails_before` when the oldest state fails
 */
export async function firstFailing(
  count: number,
  passesAfter: (changes: number) => Promise<boolean>,
): Promise<number | 'passes_now' | 'fails_before'> {
  if (await passesAfter(count)) return 'passes_now'
  if (!(await passesAfter(0))) return 'fails_before'
  let passing = 0
  let failing = count
  while (failing - passing > 1) {
    const middle = (passing + failing) >> 1
    if (await passesAfter(middle)) passing = middle
    else failing = middle
  }
  return passing
}
