import { describe, expect, it } from 'vitest'
import { createBackground } from '../../../emulator/core/background.ts'
import { DiskFailure } from '../../../emulator/core/disk-failure.ts'
import type { Observation } from '../../../emulator/core/observation.ts'

function background() {
  const seen: Observation[] = []
  return { seen, work: createBackground('write it', (observation) => seen.push(observation)) }
}

const fullDisk = () => {
  throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
}

describe('background work', () => {
  it('reports the first failure of a series, and the success that ends the series', () => {
    const { seen, work } = background()
    expect([work.run(fullDisk), work.run(fullDisk), work.run(() => undefined)]).toEqual([
      false,
      false,
      true,
    ])
    expect(seen).toMatchObject([
      { kind: 'backgroundFailed', work: 'write it', error: expect.any(DiskFailure) },
      { kind: 'backgroundResumed', failures: 2 },
    ])
  })

  it('never rejects when asynchronous work fails', async () => {
    const { seen, work } = background()
    expect(await work.runAsync(async () => fullDisk())).toBe(false)
    expect(await work.runAsync(async () => undefined)).toBe(true)
    expect(seen.map(({ kind }) => kind)).toEqual(['backgroundFailed', 'backgroundResumed'])
  })

  it('reports nothing while all work succeeds', () => {
    const { seen, work } = background()
    expect(work.run(() => undefined)).toBe(true)
    expect(seen).toEqual([])
  })
})
