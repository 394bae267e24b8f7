// Reads the JSON lines that a program prints, one after another.
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Json } from './test-emulator.ts'

export interface JsonLines {
  /** Resolves with the next line; rejects when the output has ended. */
  next(): Promise<Json>
}

/** Call this function before the program prints, so that no line is lost. */
export function jsonLinesOf({ stdout }: { readonly stdout: Readable | null }): JsonLines {
  if (stdout === null) throw new TypeError('the process has no output to read')
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return {
    next: async () => {
      const { done, value } = await lines.next()
      if (done === true) throw new Error('the program ended')
      return JSON.parse(value)
    },
  }
}
