import { describe, expect, it } from 'vitest'
import { mailboxLines, messageLines } from '../../../emulator/cli/commands/mailbox.ts'
import type { MailboxMessage } from '../../../emulator/contract/mailbox.ts'
import { printable, printableLines } from '../../../emulator/core/printable.ts'

const message = (more: Partial<MailboxMessage> = {}): MailboxMessage => ({
  id: 7,
  schema_name: 'proj_aurora',
  channel: 'email',
  to: 'ana@x.test',
  purpose: 'one_time_code',
  subject: 'Your code for aurora',
  text: 'Here it is.\n\nCode: 123456',
  html: '<p>',
  code: '123456',
  link: null,
  sent_at: '2026-01-02T03:04:05.678Z',
  expires_at: '2026-11-21T10:10:00.000Z',
  is_read: false,
  ...more,
})

describe('the mailbox as text', () => {
  it('shows each message with its code and link, newest last, and marks unread messages', () => {
    const link = 'https://x.test/?a=1'
    const older = message({ id: 6, is_read: true, subject: null, code: null, link })
    expect(mailboxLines([message(), older])).toBe(
      [
        '  6  2026-01-02T03:04:05.678Z  email to ana@x.test  proj_aurora',
        '    one_time_code',
        '    link  https://x.test/?a=1',
        '',
        '* 7  2026-01-02T03:04:05.678Z  email to ana@x.test  proj_aurora',
        '    Your code for aurora',
        '    code  123456',
      ].join('\n'),
    )
  })

  it('shows the text of one message without control characters', () => {
    const shown = messageLines(message({ text: 'one\n\ntwo\u001b[2J' }))
    expect(shown).toMatch(/\n\n {4}one\n\n {4}two\u{FFFD}\[2J$/u)
  })
})

it('replaces characters that would control the terminal', () => {
  expect(printable('a\u001b[2J\nb\u009b')).toBe('a\uFFFD[2J\uFFFDb\uFFFD')
  expect(printableLines('a\u001b[2J\nb\r')).toBe('a\uFFFD[2J\nb\uFFFD')
})
