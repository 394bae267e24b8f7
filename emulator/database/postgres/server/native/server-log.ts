// The log of the native server in the data directory. Its size is bounded, because tenants can write to it with RAISE LOG.
import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MAX_FILE_BYTES = 1 << 20
const LAST_CHARACTERS = 4_000

export interface ServerLog {
  /** Path of the file. The previous file has the suffix `.1`. */
  readonly path: string
  append(bytes: Buffer): void
  /** Returns the newest lines that were appended since the last `begin`. */
  lastLines(count: number): string
  /** Forgets the lines of an earlier start. */
  begin(): void
}

/** @param onLine gets each whole line, without its end */
export function openServerLog(
  folder: string,
  onLine: (line: string) => void = () => {},
): ServerLog {
  const path = join(folder, 'server.log')
  let unfinished = ''
  let size = sizeOf(path)
  let last = ''
  return {
    path,
    append: (bytes) => {
      const text = bytes.toString('utf8')
      last = (last + text).slice(-LAST_CHARACTERS)
      const lines = `${unfinished}${text}`.split('\n')
      unfinished = lines.pop()?.slice(-LAST_CHARACTERS) ?? ''
      for (const line of lines) onLine(line)
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
