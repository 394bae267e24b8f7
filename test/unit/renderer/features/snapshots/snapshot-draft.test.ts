// The draft of a snapshot, and the name that it proposes.
import { expect, it } from 'vitest'
import type { Snapshot } from '../../../../../emulator/contract/snapshots.ts'
import { nextName, readDraft } from '../../../../../renderer/features/snapshots/snapshot-draft.ts'

const read = (name: string, known: readonly Snapshot[] = []) =>
  readDraft(known, { name, note: '', isReplacing: false })
const named = (...names: readonly string[]) => names.map((name) => ({ name }) as Snapshot)

it('a snapshot draft proposes a free name', () => {
  expect(nextName([])).toBe('snapshot-1')
  expect(nextName(named('before', 'snapshot-3'))).toBe('snapshot-4')
})

it.each(['before', 'v1.2_rc-3', 'a'.repeat(64)])('a snapshot draft accepts the name %s', (name) => {
  expect(read(name)).toEqual({ kind: 'ready', order: { name } })
})

it.each(['two words', '../up', 'ação', 'a'.repeat(65)])('a snapshot draft refuses %j', (name) => {
  expect(read(name)).toEqual({ kind: 'wrong', problems: { name: expect.any(String) } })
})

it('a snapshot draft is incomplete without a name, or without consent to replace a snapshot', () => {
  expect(read('')).toEqual({ kind: 'wrong', problems: {} })
  expect(read('before', named('before'))).toEqual({ kind: 'wrong', problems: {} })
  const draft = { name: 'before', note: ' why ', isReplacing: true }
  expect(readDraft(named('before'), draft)).toEqual({
    kind: 'ready',
    order: { name: 'before', note: 'why', replace: true },
  })
})
