// Runs a task for each item, a few at once.

/** @throws the first error of a task, after the tasks that had begun */
export async function inLanes<Item, Result>(
  lanes: number,
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await task(item)
  }
  const ended = await Promise.allSettled(
    Array.from({ length: Math.min(lanes, items.length) }, lane),
  )
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results
}
