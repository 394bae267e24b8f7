// Interface of the storage for a session, with an implementation in memory.

/** Stores text by name, like a page's `localStorage`. Every method may also return a promise. */
export interface TextStorage {
  getItem(name: string): string | null | Promise<string | null>
  setItem(name: string, text: string): unknown
  removeItem(name: string): unknown
}

/**
 * Creates a storage in memory, for Node and for pages whose browser forbids storage. The content is lost when the process or
 * page ends.
 */
export function memoryStorage(): TextStorage {
  const texts = new Map<string, string>()
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => texts.set(name, text),
    removeItem: (name) => texts.delete(name),
  }
}
