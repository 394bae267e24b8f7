// Entry of the database worker. Its code is loaded through the compile cache when the process uses one.
import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import type { WorkerOptions } from '../worker-protocol.ts'

const { compileCacheDir } = workerData as WorkerOptions
if (compileCacheDir !== undefined) enableCompileCache(compileCacheDir)
await import('./serve.ts')
