// Entry point of the database worker. Loads its code through Node's compile cache when the process uses one.
import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import type { ThreadData } from '../worker-protocol.ts'

const { compileCacheDir } = workerData as ThreadData
if (compileCacheDir !== undefined) enableCompileCache(compileCacheDir)
await import('./serve.ts')
