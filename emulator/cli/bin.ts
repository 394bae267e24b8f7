#!/usr/bin/env node
// What `tenantry` runs: refuses a Node that is too old in one sentence, and turns on the cache of compiled code before
// anything large is loaded.
import * as module from 'node:module'

const OLDEST_MAJOR = 22

if (Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR) {
  process.stderr.write(
    `tenantry: Node ${OLDEST_MAJOR}.12 or newer is needed, this is ${process.versions.node}. "npm start" brings its own.\n`,
  )
  process.exit(1)
}
module.enableCompileCache()
await import('./main.ts')
