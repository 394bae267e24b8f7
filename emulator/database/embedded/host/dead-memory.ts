// Frees the memory of a dead engine. V8 counts only the small JavaScript object for the engine's shared memory, not the memory
// itself. Without this module, gigabytes would stay allocated until the main thread's next garbage collection.

/**
 * Collects this thread's garbage. Call this function when nothing refers to the dead engine any more. The function does nothing
 * when Node was built without the inspector.
 */
export async function collectDeadMemory(): Promise<void> {
  try {
    const { Session } = await import('node:inspector')
    const session = new Session()
    session.connect()
    await new Promise<void>((resolve) => {
      session.post('HeapProfiler.collectGarbage', () => resolve())
    })
    session.disconnect()
  } catch {
    // ERR_INSPECTOR_NOT_AVAILABLE
  }
}
