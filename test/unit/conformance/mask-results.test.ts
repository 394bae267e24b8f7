// The reported failures of a run contain no credential, whatever the target answered.
import { expect, it } from 'vitest'
import type { CheckedFailure } from '../../../emulator/workflow/conformance/model/result.ts'
import { maskedResults } from '../../../emulator/workflow/conformance/report/mask-results.ts'

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmF0dXJl'
const PLAIN: CheckedFailure = { step: 'GET /notes', at: 'status', expected: '200', got: '404' }

function masked(failure: Partial<CheckedFailure>): CheckedFailure | undefined {
  const check = {
    title: 'a check',
    status: 'failed',
    failures: [{ ...PLAIN, ...failure }],
  } as const
  const [result] = maskedResults([{ rule: 'auth.md#signin', status: 'failed', checks: [check] }])
  return result?.checks[0]?.failures[0]
}

it.each<Partial<CheckedFailure>>([
  {},
  { got: '401 {"code":"42501","message":"permission denied"}' },
])('does not change %j, which has no credential', (failure) => {
  expect(masked(failure)).toEqual({ ...PLAIN, ...failure })
})

it.each<Partial<CheckedFailure>>([
  { step: `GET /object/sign/a.txt?token=${TOKEN}` },
  { step: `frame ["1","1","realtime:a","phx_join",{"access_token":"${TOKEN}"}]` },
  { at: `listed code of GET /websocket?apikey=${TOKEN}` },
  { got: `200 {"data_plane_token":"${TOKEN}"}` },
  { got: '201 {"refresh_token":"c2lnbmF0dXJl"}' },
  { at: 'header location', got: '"http://localhost:3000/?code=c2lnbmF0dXJl"' },
  { at: 'body.refresh_token', got: `"${TOKEN.slice(3)}"` },
  { at: 'Group API Key', got: '"c2lnbmF0dXJl, of no known form"' },
  { expected: `"${TOKEN}"` },
  { got: '{"email":"ana@example.com","password":"c2lnbmF0dXJl"}' },
])('hides the credential of %j', (failure) => {
  expect(JSON.stringify(masked(failure))).not.toContain('c2lnbmF0dXJl')
})
