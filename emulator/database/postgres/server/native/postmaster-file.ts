// The file `postmaster.pid` in which PostgreSQL's main process states its id and whether it accepts connections.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export interface Postmaster {
  readonly pid: number
  readonly isReady: boolean
}

/** Lines of the file (PostgreSQL's source, src/include/utils/pidfile.h). */
const PID_LINE = 0
const STATUS_LINE = 7

export function postmasterPath(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

/** Returns what the file says, even when its process has ended. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(postmasterPath(cluster), 'utf8').split('\n')
    const pid = Number.parseInt(lines[PID_LINE] ?? '', 10)
    return Number.isInteger(pid)
      ? { pid, isReady: lines[STATUS_LINE]?.trim() === 'ready' }
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the id of a server that still runs on this cluster, such as after the emulator was killed. When the id belongs to
 * another program meanwhile, the file is removed, because PostgreSQL would not start beside it.
 */
export function findLeftover(cluster: string): number | undefined {
  const pid = readPostmaster(cluster)?.pid
  if (pid === undefined || !isRunning(pid)) return undefined
  const command = commandOf(pid)
  if (command === undefined || command.includes(cluster)) return pid
  rmSync(postmasterPath(cluster), { force: true })
  return undefined
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

// Systems without /proc have `ps`. Windows has neither; there the server ends together with the emulator.
function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    try {
      return execFileSync('ps', ['-p', String(pid), '-o', 'args='], {
        encoding: 'utf8',
        stdio: 'pipe',
      })
    } catch {
      return undefined
    }
  }
}
