// Boots PGlite inside this worker, without PGlite's own query functions.
import type { PGlite } from '@electric-sql/pglite'
import { finishLoad } from '../../cluster/pending-load.ts'
import { compileEngine } from '../../engine-code.ts'
import type { WorkerOptions } from '../../worker-protocol.ts'
import { Backend } from '../backend/backend.ts'
import type { PostgresModule } from '../backend/postgres-module.ts'
import { ChangedFiles, type WatchedModule } from '../states/changed-files.ts'
import type * as EngineFiles from './engine-files.ts'

export interface OpenedBackend {
  readonly backend: Backend
  /** The tracked changes of the cluster's files. `undefined` without a baseline. */
  readonly files: WatchedFiles | undefined
  close(): Promise<void>
}

export interface WatchedFiles {
  readonly changed: ChangedFiles
  /** Removes a file of the cluster through the engine, so that the engine's view of the folder stays correct. */
  remove(path: string): void
  /** Call this function after files were created without the engine. */
  forgetMissing(): void
}

// The backend has one session, so buffers are small (measured: 60 MB less, faster start) and no workers run in parallel.
const COMMON_SETTINGS = {
  search_path: '',
  exit_on_error: 'false',
  log_checkpoints: 'false',
  max_worker_processes: '0',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  io_method: 'sync',
  shared_buffers: '16MB',
  wal_buffers: '1MB',
  max_wal_size: '64MB',
  min_wal_size: '4MB',
  // At this depth deep recursion fails with 54001 before it overflows the thread's stack (worker-host.ts).
  max_stack_depth: '1MB',
  max_connections: '5',
  // Postgres closes the least recently used file above this limit. Many systems allow a process only 1,024 open files.
  max_files_per_process: '256',
  jit: 'off',
} as const

// A cluster in memory never recovers after a crash, so durability is switched off.
const MEMORY_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
} as const

// A temporary cluster must survive the worker but not a power cut.
const TEMPORARY_SETTINGS = { fsync: 'off', full_page_writes: 'off' } as const

/** The code of the engine, which does not depend on the options. */
export interface EngineCode {
  readonly PGlite: typeof PGlite
  readonly files: Pick<
    typeof EngineFiles,
    'DATA_FOLDER' | 'DirectoryFiles' | 'MemoryFiles' | 'readImages'
  >
  readonly engineModule: WebAssembly.Module
  /** Whether this thread had to compile the module. */
  readonly isCompiledHere: boolean
}

/** @param compiled the engine's wasm, compiled by an earlier thread */
export async function loadEngine(compiled: WebAssembly.Module | undefined): Promise<EngineCode> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { DATA_FOLDER, DirectoryFiles, MemoryFiles, readImages } = await import('./engine-files.ts')
  const { isNew, module } =
    compiled === undefined ? await compileEngine() : { module: compiled, isNew: false }
  return {
    PGlite,
    files: { DATA_FOLDER, DirectoryFiles, MemoryFiles, readImages },
    engineModule: module,
    isCompiledHere: isNew,
  }
}

/** Opens the cluster. Install this thread's patches (clock, randomness, memory) first. */
export async function openBackend(
  options: WorkerOptions,
  { PGlite, files: engineFiles, engineModule }: EngineCode,
): Promise<OpenedBackend> {
  const { dataDir, imagePath, baseline } = options
  const { DATA_FOLDER, DirectoryFiles, MemoryFiles, readImages } = engineFiles
  const readImage = () => readImages(options).files
  if (dataDir !== undefined) finishLoad(dataDir)
  const changed =
    dataDir === undefined || baseline === undefined
      ? undefined
      : new ChangedFiles(dataDir, baseline.folder)
  const settings = { ...COMMON_SETTINGS, ...extraSettings(options) }
  // Skips PGlite's query for array types, which takes 0.1 s and serves only PGlite's own parsers.
  class BareEngine extends PGlite {
    override async _initArrayTypes(): Promise<void> {}
  }
  const directory =
    dataDir === undefined
      ? undefined
      : new DirectoryFiles(dataDir, options, (module) => {
          changed?.attach(module)
          if (baseline?.isResumed === true) changed?.resumeBaseline(readImage)
        })
  const engine = new BareEngine({
    fs: directory ?? new MemoryFiles(imagePath),
    pgliteWasmModule: engineModule,
    startParams: [
      '--single',
      '-j',
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
  })
  await engine.waitReady
  const backend = new Backend(engine.Module as unknown as PostgresModule)
  // Sets the baseline only now, because the engine has completed its recovery at this point.
  const paths = directory?.unpacked
  if (baseline?.isResumed === false) changed?.setBaseline(paths && { paths, read: readImage })
  const files = changed && {
    changed,
    remove: (path: string) =>
      (engine.Module as unknown as WatchedModule).FS.unlink(`${DATA_FOLDER}/${path}`),
    forgetMissing: () => directory?.forgetMissing(),
  }
  return { backend, files, close: () => engine.close() }
}

function extraSettings({ dataDir, isTemporary }: WorkerOptions): Readonly<Record<string, string>> {
  if (dataDir === undefined) return MEMORY_SETTINGS
  return isTemporary ? TEMPORARY_SETTINGS : {}
}
