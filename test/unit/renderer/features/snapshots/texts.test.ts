import { expect, it } from 'vitest'
import { CONFIRM } from '../../../../../renderer/features/snapshots/texts.ts'

it.each(['reset', 'reseed'] as const)(
  'the dialog of a %s names the records that are lost',
  (kind) => {
    expect(CONFIRM[kind]).toContain('Also deletes all recorded requests and refusals')
  },
)

it('the dialog of a restore does not name recorded requests, which stay', () => {
  expect(CONFIRM.restore).not.toContain('requests')
})
