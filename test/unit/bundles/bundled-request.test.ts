// Reading the requests of a bundle, which can come from an untrusted source.
import { describe, expect, it } from 'vitest'
import { BundledRequests } from '../../../emulator/workflow/bundles/bundled-request.ts'

const ENTRY = {
  sequence: 1,
  request_id: 'req_1',
  service: 'data',
  method: 'GET',
  target: '/notes',
  status: 200,
  received_at: '2026-01-01T00:00:00.000Z',
  arrived_at: '2026-01-01T00:00:00.000Z',
  duration_ms: 1,
  schema_name: null,
  schema_is_claimed: false,
  group_id: null,
  role: null,
  subject: null,
  credential_kind: null,
  statement: null,
  row_count: null,
  error_code: null,
  error_message: null,
  fault: null,
  is_from_inspector: false,
}
const RECORDING = {
  method: 'GET',
  origin: 'http://127.0.0.1:7357',
  target: '/notes',
  request_headers: [],
  request_body: null,
  response_headers: null,
  response_body: null,
  credentials: [],
  has_masked_body: false,
  stages: null,
}

const accepts = (changes: object): boolean =>
  BundledRequests.safeParse([{ entry: ENTRY, recording: { ...RECORDING, ...changes } }]).success

describe('BundledRequests', () => {
  it('accepts a request to the platform', () => {
    expect(accepts({ target: '/notes?select=id' })).toBe(true)
  })

  it.each([
    '/_emulator/v1/fixtures/apply',
    '/x/../_emulator/v1/reset',
    '/./_emulator',
    '//_emulator/v1/reset',
    'notes',
  ])('refuses the target %s', (target) => {
    expect(accepts({ target })).toBe(false)
  })

  it('refuses an origin that is no web address, and a method with a space', () => {
    expect(accepts({ origin: 'file:///etc' })).toBe(false)
    expect(accepts({ method: 'GET /x' })).toBe(false)
  })
})
