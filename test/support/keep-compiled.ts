// Runs before each test file, and writes the compiled code into the cache of vitest-workers.ts. vitest ends a worker with a
// signal, so Node.js itself does not write the cache at exit.
import { flushCompileCache } from 'node:module'

flushCompileCache()
