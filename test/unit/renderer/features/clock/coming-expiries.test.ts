import { expect, it } from 'vitest'
import type { Expiry } from '../../../../../emulator/contract/clock.ts'
import { parseInstant } from '../../../../../renderer/api/time.ts'
import { comingFrom } from '../../../../../renderer/features/clock/coming-expiries.ts'

const expiryAt = (at: string): Expiry => ({
  at,
  kind: 'storage_token',
  count: 1,
  schema_name: null,
  subject: null,
  detail: null,
})

it('leaves entries that expired since the list was loaded out of the total', () => {
  const expiries = [
    expiryAt('2026-11-21T10:00:00.000Z'),
    expiryAt('2026-11-21T10:00:10.000Z'),
    expiryAt('2026-11-21T10:01:00.000Z'),
  ]
  const now = parseInstant('2026-11-21T10:00:10.000Z') ?? 0
  const { coming, total } = comingFrom({ expiries, total: 3 }, now)
  expect(coming.map(({ inMillis }) => inMillis)).toEqual([50_000])
  expect(total).toBe(1)
  // Two further entries are not in the list.
  expect(comingFrom({ expiries, total: 5 }, now).total).toBe(3)
})
