// Limits the depth of JSON. `max_stack_depth` does not measure the stack on which PostgreSQL's JSON parser recurses in wasm, so
// millions of levels would end this thread. JSON with more levels fails with 54001, as deep recursion does elsewhere.
import type { Backend } from '../backend/backend.ts'
import type { RoutineTable } from '../backend/routine-table.ts'
import { raise } from './fence.ts'

const JSON_INPUT = { json_in: 321, jsonb_in: 3806 } as const
/** The levels of JSON that fit on the thread's stack (worker-host.ts). */
const MAX_LEVELS = 1_000_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const CLOSING = new Set([0x5d, 0x7d])
const OPENING = new Set([0x5b, 0x7b])

/** JSON nested deeper than this limit fails with 54001. @throws {BackendDied} when an input function is missing */
export function limitJsonDepth(backend: Backend, routines: RoutineTable): void {
  for (const oid of Object.values(JSON_INPUT))
    routines.before(oid, (text) => {
      const heap = backend.module.HEAPU8
      const end = heap.indexOf(0, text)
      // A text with at most MAX_LEVELS bytes cannot have more levels.
      if (end - text > MAX_LEVELS && isTooDeep(heap.subarray(text, end)))
        raise(backend, '54001', 'stack depth limit exceeded')
    })
}

function isTooDeep(text: Uint8Array): boolean {
  let levels = 0
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0
    if (byte === QUOTE) at = endOfString(text, at)
    else if (OPENING.has(byte)) levels++
    else if (CLOSING.has(byte)) levels--
    if (levels > MAX_LEVELS) return true
  }
  return false
}

function endOfString(text: Uint8Array, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1
  return at
}
