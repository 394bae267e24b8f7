// Runs before each test file: writes what Node compiled so far into the cache of vitest-workers.ts. vitest ends a worker by a
// signal, so that Node does not write it at the end.
import { flushCompileCache } from 'node:module'

flushCompileCache()
