// `tenantry list`: shows the emulators that run on this machine: in worktrees, for agents and for jobs of CI.
import { execFileSync } from 'node:child_process'
import { Command } from 'commander'
import { SystemClock } from '../../core/clock.ts'
import { parseInstant } from '../../core/time.ts'
import { type ListedEmulator, listRunning } from '../machine-list.ts'
import { terminal } from '../terminal.ts'
import { tableLines } from '../text-table.ts'

/** One element of `list --json`. */
interface Listed extends Omit<ListedEmulator, 'startedAt'> {
  /** Resident memory of the emulator's process; `null` when the system does not report it. */
  readonly memory_bytes: number | null
  /** Wall-clock seconds since the start. */
  readonly age_seconds: number
}

export function listCommand(): Command {
  return new Command('list')
    .description('show the emulators that run on this machine')
    .option('--json', 'print one line of JSON', false)
    .addHelpText(
      'after',
      '\nStop one with "tenantry stop --name <name>" or "tenantry stop --pid <number>".',
    )
    .action(({ json }: { readonly json: boolean }) => {
      const now = new SystemClock().now()
      const running = listRunning().map((listed) => describe(listed, now))
      terminal().stdout.write(`${json ? JSON.stringify(running) : tableOf(running)}\n`)
    })
}

function describe({ startedAt: _, ...listed }: ListedEmulator, now: number): Listed {
  return {
    ...listed,
    memory_bytes: memoryOf(listed.pid),
    age_seconds: Math.max(0, Math.round((now - (parseInstant(listed.started_at) ?? now)) / 1_000)),
  }
}

// Every POSIX system has `ps`, which prints KiB.
function memoryOf(pid: number): number | null {
  try {
    const text = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number(text) * 1_024
  } catch {
    return null
  }
}

const COLUMNS: readonly (readonly [title: string, cell: (listed: Listed) => string])[] = [
  ['name', ({ name }) => name ?? '-'],
  ['address', ({ url }) => url],
  ['process', ({ pid }) => String(pid)],
  ['command', ({ command }) => command],
  ['fixture', ({ fixture }) => fixture ?? 'none'],
  ['memory', ({ memory_bytes: bytes }) => (bytes === null ? '-' : `${Math.round(bytes / 1e6)} MB`)],
  ['age', ({ age_seconds }) => ageOf(age_seconds)],
  ['folder', ({ folder }) => folder],
]

function tableOf(running: readonly Listed[]): string {
  if (running.length === 0) return 'No emulator runs on this machine.'
  const rows = [COLUMNS.map(([title]) => title)]
  for (const listed of running) rows.push(COLUMNS.map(([, cell]) => cell(listed)))
  return tableLines(rows).join('\n')
}

function ageOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800
    ? `${Math.floor(seconds / 3_600)} h`
    : `${Math.floor(seconds / 86_400)} d`
}
