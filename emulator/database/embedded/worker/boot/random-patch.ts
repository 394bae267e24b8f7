// Repeatable randomness for `--deterministic`. The engine seeds its generators at boot from the host's random generator and two
// clocks, so serve.ts replaces them before the engine is loaded. serve.ts restores the clocks when the engine is ready.
import nodeCrypto from 'node:crypto'
import { SeededIdSource } from '../../../../core/id-source.ts'

/** Replaces the host's randomness with a seeded one. Returns a function that restores the clocks. */
export function installRandomPatch(seed: string): () => void {
  const source = new SeededIdSource(`database:${seed}`)
  const fill = <View extends ArrayBufferView>(view: View): View => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    bytes.set(source.bytes(bytes.length))
    return view
  }
  // The engine uses the first generator under Node, and the second one elsewhere.
  nodeCrypto.randomFillSync = fill as typeof nodeCrypto.randomFillSync
  globalThis.crypto.getRandomValues = fill as typeof globalThis.crypto.getRandomValues
  const dateNow = Date.now
  const performanceNow = performance.now.bind(performance)
  let ticks = 0
  Date.now = () => BOOT_INSTANT
  performance.now = () => ++ticks
  return () => {
    Date.now = dateNow
    performance.now = performanceNow
  }
}

const BOOT_INSTANT = 1_700_000_000_000
