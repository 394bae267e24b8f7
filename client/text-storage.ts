// Stores a session: in a storage of the application, or in memory.

/** Keeps text by name, like a page's `localStorage`; every call may also answer with a promise. */
export interface TextStorage {
  getItem(name: string): string | null | Promise<string | null>
  setItem(name: string, text: string): unknown
  removeItem(name: string): unknown
}

/** A storage that ends with the process: Node, and pages whose browser forbids storage. */
export function memoryStorage(): TextStorage {
  const texts = new Map<string, string>()
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => texts.set(name, text),
    removeItem: (name) => texts.delete(name),
  }
}
