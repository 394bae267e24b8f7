// Gives the memory of a dead engine back. The main thread has a small object for the engine's shared memory, and V8 does
// not count the memory behind it: gigabytes would stay until the main thread happens to need a collection itself.

/**
 * Collects this thread's garbage; called when nothing refers to the dead engine any more. Does nothing where the process
 * has no inspector: then the next ordinary collection frees the memory.
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
    // ERR_INSPECTOR_NOT_AVAILABLE: Node was built without it.
  }
}
