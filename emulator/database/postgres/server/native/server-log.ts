// The log of the native server in the data directory. Its size is bounded, because tenants can write to it with RAISE LOG.
import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MAX_FILE_BYTES = 1 << 20
const LAST_CHARACTERS = 4_000

export interface ServerLog {
  /** Path of the file. The file before it has the suffix `.1`. */
  readonly path: string
  append(bytes: Buffer): void
  /** Returns the newest lines that were appended since the last `begin`. */
  lastLines(count: number): string
  /** Forgets the lines of an earlier start. */
  begin(): void
}

export function openServerLog(folder: string): ServerLog {
  const path = join(folder, 'server.log')
  let size = sizeOf(path)
  let last = ''
  return {
    path,
    append: (bytes) => {
      last = (last + bytes.toString('utf8')).slice(-LAST_CHARACTERS)
      try {
        if (size + bytes.length > MAX_FILE_BYTES) {
          renameSync(path, `${path}.1`)
          size = 0
        }
        appendFileSync(path, bytes, { mode: 0o600 })
        size += bytes.length
      } catch {
        // The disk is full or the folder is gone. The server works without its log.
      }
    },
    lastLines: (count) => last.trim().split('\n').slice(-count).join('\n'),
    begin: () => {
      last = ''
    },
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
