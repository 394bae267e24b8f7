#!/usr/bin/env node
// Entry point of the `tenantry` command. Refuses a Node that is too old, and turns on the cache of compiled code before it
// loads large modules.
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
