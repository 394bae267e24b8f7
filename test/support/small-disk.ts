// A file system of its own for a data directory, small enough to be filled. Only root can mount one.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Mounts memory of this many MiB on a folder; gives whether that was possible. */
export function mountDisk(folder: string, mib: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

export function unmountDisk(folder: string): void {
  execFileSync('umount', ['--lazy', folder])
}

/** Takes all room that is left; gives the file that has it. */
export function fillDisk(folder: string): string {
  const path = join(folder, 'balloon')
  const file = openSync(path, 'w')
  try {
    for (let size = 1 << 20; size >= 1; ) {
      try {
        writeSync(file, Buffer.alloc(size))
      } catch {
        size >>= 1
      }
    }
  } finally {
    closeSync(file)
  }
  return path
}
