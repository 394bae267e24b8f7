// Names of snapshots.
import { expect, it } from 'vitest'
import type { Snapshot } from '../../../../../emulator/contract/snapshots.ts'
import {
  nextName,
  problemOfName,
} from '../../../../../renderer/features/snapshots/snapshot-name.ts'

const named = (...names: readonly string[]) => names.map((name) => ({ name }) as Snapshot)

it('proposes a name that is free', () => {
  expect(nextName([])).toBe('snapshot-1')
  expect(nextName(named('before', 'snapshot-3'))).toBe('snapshot-4')
})

it.each(['before', 'v1.2_rc-3', 'a'.repeat(64)])('takes %s', (name) => {
  expect(problemOfName(name)).toBeUndefined()
})

it.each(['', 'two words', '../up', 'ação', 'a'.repeat(65)])('refuses %j', (name) => {
  expect(problemOfName(name)).toEqual(expect.any(String))
})
