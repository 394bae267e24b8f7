// Error messages about values that a schema refuses.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { IN_PLAIN_WORDS } from '../../../emulator/core/schema-problem.ts'

const Shape = z.strictObject({
  ms: z.number().max(60_000),
  name: z.string().min(2),
  kind: z.enum(['error', 'latency']),
  tags: z.array(z.string()).min(1),
  own: z.string('names no tenant').optional(),
})
const GOOD = { ms: 1, name: 'ab', kind: 'error', tags: ['a'] }

it.each([
  [{ ms: undefined }, 'is missing'],
  [{ ms: '5' }, 'must be a number'],
  [{ ms: 60_001 }, 'must be at most 60000'],
  [{ name: 'a' }, 'must have at least 2 characters'],
  [{ kind: 'slow' }, 'must be one of error, latency'],
  [{ tags: [] }, 'must have at least 1 entry'],
  [{ tags: {} }, 'must be an array'],
  [{ extra: 1 }, 'has the unknown member extra'],
  [{ own: 5 }, 'names no tenant'],
])('says that %j %s', (changes, words) => {
  const { error } = Shape.safeParse({ ...GOOD, ...changes }, IN_PLAIN_WORDS)
  expect(error?.issues.map(({ message }) => message)).toEqual([words])
})
