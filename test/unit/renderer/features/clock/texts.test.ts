import { expect, it } from 'vitest'
import type { Expiry } from '../../../../../emulator/contract/clock.ts'
import { detailText, namesOf } from '../../../../../renderer/features/clock/texts.ts'

function expiryWith(members: Partial<Expiry>): Expiry {
  return {
    at: '2026-11-21T10:00:00.000Z',
    kind: 'storage_token',
    count: 1,
    schema_name: 'proj_aurora',
    subject: 'anon',
    detail: null,
    ...members,
  }
}

it.each([
  ['one_time_code', 'magic_link', 'sign-in link'],
  ['one_time_code', 'one_time_code', 'sign-in code'],
  ['one_time_code', 'a later purpose', 'a later purpose'],
  ['signed_url', 'magic_link', 'magic_link'],
  ['ban', null, undefined],
] as const)('the detail of a %s that is %s reads %s', (kind, detail, text) => {
  expect(detailText({ kind, detail })).toBe(text)
})

it('expired tokens and URLs are named, with equal entries combined', () => {
  const expired = [
    expiryWith({ kind: 'data_plane_token', subject: 'ana@patients.test' }),
    expiryWith({ count: 2 }),
    expiryWith({ at: '2026-11-21T10:30:00.000Z' }),
    expiryWith({ kind: 'signed_url', subject: null, detail: 'letters/a.pdf' }),
  ]
  expect(namesOf({ expired })).toBe(
    'data plane token of ana@patients.test, 3 storage tokens of anon, signed URL of letters/a.pdf',
  )
})
