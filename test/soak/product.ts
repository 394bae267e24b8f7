// The built product as a process of its own: started on a data directory, killed, started again; and its memory.
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
  /** What has become of the process; `undefined` while it runs. */
  fate(): Ended | undefined
}

export interface StartOptions {
  readonly dataDir: string
  readonly args?: readonly string[]
  /** Limit of open files. */
  readonly descriptors?: number
}

const COLLECT_SIGNAL = 'SIGUSR2'
/** The product collects its garbage at this signal, so that memory which is only not yet collected does not count as growth. */
const COLLECTS = `data:text/javascript,process.on('${COLLECT_SIGNAL}',()=>globalThis.gc())`
/** What `npm start` runs, and the collection. */
const BUNDLE = ['--max-semi-space-size=8', '--expose-gc', `--import=${COLLECTS}`, 'dist/bin.mjs']
/**
 * The C library gives freed memory back at once. Large answers of a moment then do not count as growth (mallopt(3): with these
 * settings the thresholds stay as they are).
 */
const ALLOCATOR = {
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '2',
}
/** Memory that the allocator gives back late is given back after this on a quiet machine. */
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

/** Ends it as a power cut does. */
export async function killProduct({ cli }: Product): Promise<void> {
  cli.child.kill('SIGKILL')
  await cli.ended
}

/** Ends the database server of the engine `postgres` as the kernel does when memory is short. */
export function killServer({ dataDir }: Pick<Product, 'dataDir'>): void {
  const path = join(dataDir, 'postgres-server', 'cluster', 'postmaster.pid')
  try {
    process.kill(Number.parseInt(readFileSync(path, 'utf8'), 10), 'SIGKILL')
  } catch {
    // It is down already, because it was killed shortly before.
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
 * The process's own memory in MiB after a pause without requests and a collection; `undefined` where /proc has none. Pages of
 * files are left out: their share changes with the number of other Node processes.
 */
export async function settledMemory({ pid, cli }: Product): Promise<number | undefined> {
  cli.child.kill(COLLECT_SIGNAL)
  await pause(SETTLE_MILLIS * slownessSince(performance.now()))
  return memoryOf(pid)?.ownMib
}

/** Open descriptors; `undefined` where /proc has none. */
export function descriptorsOf({ pid }: Product): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return undefined
  }
}
