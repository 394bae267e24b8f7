#!/usr/bin/env node
// Entry point of the `tenantry` command. Refuses a Node that is too old, and turns on the cache of compiled code. The
// database's thread loads its code while this thread loads the command.
import * as module from 'node:module'

const OLDEST_MAJOR = 22

if (Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR) {
  process.stderr.write(
    `tenantry: Node ${OLDEST_MAJOR}.12 or newer is needed, this is ${process.versions.node}. Install a newer Node, then repeat the command.\n`,
  )
  process.exit(1)
}
module.enableCompileCache()
// Guesses whether the command opens the embedded engine. A wrong guess only starts a thread in vain. With --detach, another
// process opens the emulator.
const [command, ...options] = process.argv.slice(2)
const usesServer =
  process.env['TENANTRY_ENGINE'] === 'postgres' ||
  process.env['TENANTRY_DATABASE_URL'] !== undefined ||
  options.some((option) => /^(?:postgres|--engine=postgres|--database-url)/.test(option))
const opensEmulator =
  command === 'exec' ||
  command === 'dev' ||
  command === 'open' ||
  (command === 'compare' && !options.includes('--url')) ||
  (command === 'start' && !options.includes('--detach'))
if (opensEmulator && !usesServer) {
  const { prepareEngineThread } = await import('../assembly/engine/prepare-engine.ts')
  prepareEngineThread()
}
const { runCommandLine } = await import('./main.ts')
await runCommandLine(process.argv.slice(2))
