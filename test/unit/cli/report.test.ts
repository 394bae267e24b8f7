import { describe, expect, it } from 'vitest'
import { logLine, sentenceOf } from '../../../emulator/cli/report.ts'
import type { MessageSent, RequestFinished } from '../../../emulator/core/observation.ts'
import { epochMillis } from '../../../emulator/core/time.ts'

const message: MessageSent = {
  kind: 'messageSent',
  messageId: 7,
  schemaName: 'proj_aurora',
  channel: 'sms',
  recipient: '+5511987654321',
  purpose: 'one_time_code',
  code: '123456',
}

describe('the terminal log', () => {
  it.each(['errors', 'requests'] as const)('shows a message with its code at level %s', (level) => {
    expect(logLine(message, level)).toBe(
      'sms to +5511987654321 (proj_aurora, one_time_code): 123456',
    )
  })

  it('shows nothing at level none, and the whole message at level json', () => {
    expect(logLine(message, 'none')).toBeUndefined()
    expect(JSON.parse(logLine(message, 'json') ?? '')).toEqual(message)
  })

  it('shows control characters that move the cursor as a replacement character', () => {
    expect(logLine({ ...message, recipient: 'a\u001b[2J\nb@x.test' }, 'errors')).toBe(
      'sms to a\u{FFFD}[2J\u{FFFD}b@x.test (proj_aurora, one_time_code): 123456',
    )
  })
})

describe('a request in the terminal log', () => {
  const finished = (status: number, more: Partial<RequestFinished> = {}): RequestFinished => ({
    kind: 'requestFinished',
    requestId: 'req_1',
    service: 'data',
    method: 'GET',
    target: '/notes?colour=eq.red',
    status,
    receivedAt: epochMillis(1_000),
    durationMillis: 4,
    facts: { schemaName: 'proj_aurora', role: 'anon' },
    errorCode: '42703',
    errorMessage: 'column notes.colour does not exist',
    ...more,
  })
  const LINE =
    '00:00:01.000  400  4 ms  GET /notes?colour=eq.red  proj_aurora anon  42703: column notes.colour does not exist'

  it('is shown at level refusals when it was refused, and is not shown at level errors', () => {
    expect(logLine(finished(400), 'refusals')).toBe(LINE)
    expect(logLine(finished(400), 'errors')).toBeUndefined()
    expect(logLine(finished(200), 'refusals')).toBeUndefined()
    expect(logLine(finished(200), 'requests')).toContain('GET /notes')
  })

  it.each([
    ['the inspector’s API', { service: 'inspector' }],
    ['a page of the inspector', { facts: { isFromInspector: true } }],
    ['a client that left', { status: 499 }],
  ] as const)('is not shown at level refusals for %s', (_, more) => {
    expect(logLine(finished(400, more), 'refusals')).toBeUndefined()
  })
})

it('replaces control characters in error messages', () => {
  expect(sentenceOf(new TypeError('\u001b[2Jx'))).toBe('Unexpected failure: \uFFFD[2Jx')
})
