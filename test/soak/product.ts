// Starts and kills the built product as a separate process on a data directory, and measures its memory.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReadyLine } from '../../emulator/index.ts'
import { memoryOf } from '../bench/measure.ts'
import { type CliProcess, type Ended, runProgram } from '../support/cli-process.ts'
import { callsTo, type TestEmulator } from '../support/test-emulator.ts'
import { slownessSince } from './machine.ts'

export interface Product extends Pick<TestEmulator, 'call' | 'session'> {
  readonly dataDir: string
  readonly cli: CliProcess
  readonly ready: ReadyLine
  readonly url: string
  readonly pid: number
  /** How the process ended; `undefined` while it runs. */
  fate(): Ended | undefined
}

export interface StartOptions {
  readonly dataDir: string
  readonly args?: readonly string[]
  /** The largest number of open files. */
  readonly descriptors?: number
}

const COLLECT_SIGNAL = 'SIGUSR2'
/** Makes the product collect garbage on this signal, so that uncollected memory does not count as growth. */
const COLLECTS = `data:text/javascript,process.on('${COLLECT_SIGNAL}',()=>globalThis.gc())`
/** The arguments of `npm start`, with garbage collection on a signal. */
const BUNDLE = ['--max-semi-space-size=8', '--expose-gc', `--import=${COLLECTS}`, 'dist/bin.mjs']
/**
 * Makes the C library return freed memory at once, so that temporary large answers do not count as growth. These settings keep
 * the thresholds constant (mallopt(3)).
 */
const ALLOCATOR = {
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '2',
}
/** Milliseconds after which the allocator has returned all freed memory on a quiet machine. */
const SETTLE_MILLIS = 5_000

export function runProduct({ dataDir, args = [], descriptors }: StartOptions): CliProcess {
  const own = ['start', '--json', '--port', '0', '--fixture', 'none', '--data-dir', dataDir]
  const command = [process.execPath, ...BUNDLE, ...own, ...args]
  if (descriptors === undefined) return runProgram(command, ALLOCATOR)
  const limited = ['sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...command]
  return runProgram(limited, ALLOCATOR)
}

/** Starts the product. @throws {Error} with its output when it ends before it is ready */
export async function startProduct(options: StartOptions): Promise<Product> {
  const cli = runProduct(options)
  let ended: Ended | undefined
  void cli.ended.then((fate) => {
    ended = fate
  })
  const ready = await cli.ready
  return {
    dataDir: options.dataDir,
    cli,
    ready,
    url: ready.data_url,
    session: ready.platform.session_token,
    call: callsTo(ready.data_url),
    pid: cli.child.pid ?? 0,
    fate: () => ended,
  }
}

/** Kills the process as a power cut would. */
export async function killProduct({ cli }: Product): Promise<void> {
  cli.child.kill('SIGKILL')
  await cli.ended
}

/** Kills the database server of the engine `postgres` as the kernel does when memory is short. */
export function killServer({ dataDir }: Pick<Product, 'dataDir'>): void {
  const path = join(dataDir, 'postgres-server', 'cluster', 'postmaster.pid')
  try {
    process.kill(Number.parseInt(readFileSync(path, 'utf8'), 10), 'SIGKILL')
  } catch {
    // The server is already down, because it was killed shortly before.
  }
}

/** @throws {Error} with the end of its standard error when the process has ended by itself */
export function requireRunning(product: Product): void {
  const fate = product.fate()
  if (fate === undefined) return
  throw new Error(
    `the process ended by itself (${fate.code ?? fate.signal}): ${fate.stderr.slice(-2_000)}`,
  )
}

/**
 * The process's own memory in MiB, after garbage collection and a pause without requests. `undefined` where /proc does not report
 * memory. Excludes pages of files, whose share changes with the number of other Node.js processes.
 */
export async function settledMemory({ pid, cli }: Product): Promise<number | undefined> {
  cli.child.kill(COLLECT_SIGNAL)
  await pause(SETTLE_MILLIS * slownessSince(performance.now()))
  return memoryOf(pid)?.ownMib
}

/** Number of open file descriptors; `undefined` where /proc does not list them. */
export function descriptorsOf({ pid }: Product): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return undefined
  }
}
