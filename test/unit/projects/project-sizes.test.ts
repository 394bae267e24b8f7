import { beforeEach, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { type SchemaName, trusted } from '../../../emulator/core/names.ts'
import { epochMillis, MINUTE_MILLIS } from '../../../emulator/core/time.ts'
import type { Engine } from '../../../emulator/database/engine.ts'
import {
  createProjectSizes,
  type ProjectSizes,
} from '../../../emulator/insight/project-tools/project-sizes.ts'

const SHOP = trusted.schemaName('proj_shop')
const CLINIC = trusted.schemaName('proj_clinic')

let clock: ManualClock
let versions: Map<SchemaName, string | undefined>
let sizes: ProjectSizes

beforeEach(async () => {
  clock = new ManualClock(epochMillis(0))
  versions = new Map([
    [SHOP, '1'],
    [CLINIC, '1'],
  ])
  sizes = createProjectSizes({
    engine: silentEngine,
    wallClock: clock,
    storedBytes: () => 0,
    countUsers: () => Promise.resolve(3),
    versionOf: (schemaName) => versions.get(schemaName),
  })
  await sizes.read([SHOP, CLINIC])
})

it('reads a project again only after a write', () => {
  versions.set(CLINIC, '2')
  expect([SHOP, CLINIC].map(sizes.isChanged)).toEqual([false, true])
})

it('reads a project again after a minute when writes are not seen', () => {
  versions.set(SHOP, undefined)
  expect(sizes.isChanged(SHOP)).toBe(false)
  clock.advance(MINUTE_MILLIS)
  expect([SHOP, CLINIC].map(sizes.isChanged)).toEqual([true, false])
})

it('keeps an outdated size for a minute', () => {
  versions.set(SHOP, '2')
  expect(sizes.isOutdated(SHOP)).toBe(false)
  clock.advance(MINUTE_MILLIS)
  expect([SHOP, CLINIC].map(sizes.isOutdated)).toEqual([true, false])
})

const silentEngine = {
  projects: { together: (names: readonly SchemaName[]) => [names] },
  admin: () => Promise.resolve([]),
} as unknown as Engine
