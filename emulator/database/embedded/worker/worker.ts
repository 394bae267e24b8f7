// Entry point of the database worker. The entry loads the worker's code through Node's compile cache when the process uses one.
import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import type { ThreadData } from '../worker-protocol.ts'

const { compileCacheDir } = workerData as ThreadData
if (compileCacheDir !== undefined) enableCompileCache(compileCacheDir)
await import('./serve.ts')
