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

it('a project counts as changed only after a write', () => {
  versions.set(CLINIC, '2')
  expect([SHOP, CLINIC].map(sizes.isChanged)).toEqual([false, true])
})

it('a project counts as changed after a minute when its version is unknown', () => {
  versions.set(SHOP, undefined)
  expect(sizes.isChanged(SHOP)).toBe(false)
  clock.advance(MINUTE_MILLIS)
  expect([SHOP, CLINIC].map(sizes.isChanged)).toEqual([true, false])
})

it('the size of a changed project counts as outdated only after a minute', () => {
  versions.set(SHOP, '2')
  expect(sizes.isOutdated(SHOP)).toBe(false)
  clock.advance(MINUTE_MILLIS)
  expect([SHOP, CLINIC].map(sizes.isOutdated)).toEqual([true, false])
})

const silentEngine = {
  projects: { together: (names: readonly SchemaName[]) => [names] },
  admin: () => Promise.resolve([]),
} as unknown as Engine
