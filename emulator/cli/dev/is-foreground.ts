// Whether this process is in the foreground of its terminal. A process in the background that reads from the terminal, or changes
// its mode, is stopped.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export function isForeground(): boolean {
  // Windows has no background jobs.
  if (process.platform === 'win32') return true
  try {
    return process.platform === 'linux'
      ? isForegroundOf(readFileSync('/proc/self/stat', 'utf8'))
      : execFileSync('ps', ['-o', 'stat=', '-p', String(process.pid)], {
          encoding: 'utf8',
        }).includes('+')
  } catch {
    return false
  }
}

// proc(5): after the name in brackets follow state, parent, process group, session, terminal and the terminal's foreground group.
function isForegroundOf(stat: string): boolean {
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group !== undefined && group === foreground
}
