// Which messages the mailbox's filters show, and the requests that wait for the next message.
import { describe, expect, it } from 'vitest'
import type { MailboxMessage } from '../../../../../emulator/contract/mailbox.ts'
import {
  filterMessages,
  waitingCalls,
} from '../../../../../renderer/features/mailbox/filter-messages.ts'
import { parseMailboxSearch } from '../../../../../renderer/features/mailbox/mailbox-search.ts'

const MAIL: MailboxMessage = {
  id: 1,
  schema_name: 'proj_aurora',
  channel: 'email',
  to: 'Ana@patients.test',
  purpose: 'one_time_code',
  subject: 'Your code',
  text: 'It is 123456.',
  html: '<p>123456</p>',
  code: '123456',
  link: null,
  sent_at: '2026-11-21T10:00:00.000Z',
  expires_at: '2026-11-21T10:10:00.000Z',
  is_read: false,
}
const SMS: MailboxMessage = {
  ...MAIL,
  id: 2,
  schema_name: 'proj_boavista',
  channel: 'sms',
  to: '+5581',
  subject: null,
  html: null,
  code: '654321',
  text: 'It is 654321.',
}

describe('filterMessages', () => {
  it.each([
    [{}, [1, 2]],
    [{ tenant: 'aurora' }, [1]],
    [{ channel: 'sms' }, [2]],
    [{ q: 'ana' }, [1]],
    [{ q: '654321' }, [2]],
    [{ q: 'code ana' }, [1]],
    [{ q: 'ana', channel: 'sms' }, []],
  ] as const)('keeps the messages that match %j', (search, ids) => {
    expect(filterMessages([MAIL, SMS], search).map(({ id }) => id)).toEqual(ids)
  })
})

describe('waitingCalls', () => {
  it('encodes the recipient of the message in both calls', () => {
    const { curl, script } = waitingCalls('http://127.0.0.1:7357', {
      to: "o'neill+x@test",
      tenant: 'aurora',
    })
    expect(curl).toBe(
      "curl 'http://127.0.0.1:7357/_emulator/v1/mailbox/next?project=aurora&to=o%27neill%2Bx%40test'",
    )
    expect(script).toContain('to=o%27neill%2Bx%40test')
  })
})

describe('the address of the mailbox', () => {
  it('leaves out unknown values', () => {
    expect(parseMailboxSearch({ channel: 'pigeon', message: '12', as: 'html', q: 5 })).toEqual({
      message: 12,
      q: '5',
    })
  })
})
