// Loaded into the emulator's process with --import. When the process ends, writes the end times of the start's stages as JSON.
import { writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const file = process.env['TENANTRY_BENCH_MARKS']
if (isMainThread && file !== undefined)
  process.on('exit', () => {
    const { bootstrapComplete } = performance.nodeTiming
    const marks = performance
      .getEntriesByType('mark')
      .map(({ name, startTime }) => [name, startTime])
    const stages = [['Node itself', bootstrapComplete], ...marks]
    writeFileSync(file, JSON.stringify({ timeOrigin: performance.timeOrigin, stages }))
  })
