// Mounts a separate file system for a data directory, so small that a test can fill it. Only root can mount a file system.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Mounts a file system in memory of this many MiB on a folder. Returns whether mounting was possible. */
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

/** Fills the file system with one file. Returns the file's path. */
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
