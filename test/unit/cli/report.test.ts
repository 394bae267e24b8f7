import { describe, expect, it } from 'vitest'
import { logLine, sentenceOf } from '../../../emulator/cli/report.ts'
import type { MessageSent } from '../../../emulator/core/observation.ts'

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

  it('is silent at level none, and complete as JSON', () => {
    expect(logLine(message, 'none')).toBeUndefined()
    expect(JSON.parse(logLine(message, 'json') ?? '')).toEqual(message)
  })

  it('shows what would move the cursor as a replacement character', () => {
    expect(logLine({ ...message, recipient: 'a\u001b[2J\nb@x.test' }, 'errors')).toBe(
      'sms to a\u{FFFD}[2J\u{FFFD}b@x.test (proj_aurora, one_time_code): 123456',
    )
  })
})

it('prints no control characters of file names and answers', () => {
  expect(sentenceOf(new TypeError('\u001b[2Jx'))).toBe('Unexpected failure: \uFFFD[2Jx')
})
