// The port of `--port auto`: it follows from a folder, so that each working copy keeps its own address. Pure.
import { createHash } from 'node:crypto'

// Below the ports that operating systems give to clients (Linux: from 32768).
const FIRST = 20_000
const PAIRS = 6_000
const TRIES = 20

/**
 * Returns the ports to try, in order. Every port is even, because the port after it is for Postgres clients.
 * @param folder absolute path
 */
export function automaticPorts(folder: string): readonly number[] {
  const start = createHash('sha256').update(folder).digest().readUInt32BE(0) % PAIRS
  return Array.from({ length: TRIES }, (_, step) => FIRST + 2 * ((start + step) % PAIRS))
}
