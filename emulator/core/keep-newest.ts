// Limits a cache by the number of its entries.

/** Adds an entry and drops the oldest one when `most` entries are kept. */
export function keepNewest<Key, Value>(
  entries: Map<Key, Value>,
  most: number,
  key: Key,
  value: Value,
): void {
  const [oldest] = entries.size >= most ? entries.keys() : []
  if (oldest !== undefined) entries.delete(oldest)
  entries.set(key, value)
}
