import { afterEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { trusted } from '../../../emulator/core/names.ts'
import type { Observation } from '../../../emulator/core/observation.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { openSystemDb } from '../../../emulator/database/system-db/system-db.ts'
import { createMailbox } from '../../../emulator/platform/messages/mailbox.ts'
import type { OutgoingMessage } from '../../../emulator/platform/messages/message.ts'
import { MESSAGE_MIGRATIONS } from '../../../emulator/platform/messages/message-rows.ts'

const AURORA = trusted.schemaName('proj_aurora')
const BOAVISTA = trusted.schemaName('proj_boavista')

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

function open(capacity = 100) {
  const db = openSystemDb({ file: undefined, migrations: [MESSAGE_MIGRATIONS] })
  closers.push(() => db.close())
  const clock = new ManualClock(epochMillis(5_000))
  const wallClock = new ManualClock(epochMillis(0))
  const observed: Observation[] = []
  const observe = (observation: Observation) => observed.push(observation)
  const reopen = () => createMailbox(db, { clock, wallClock, observe, capacity })
  const mailbox = reopen()
  const send = (recipient: string, more: Partial<OutgoingMessage> = {}): void =>
    mailbox.send({
      schemaName: AURORA,
      channel: 'email',
      recipient,
      purpose: 'one_time_code',
      code: '123456',
      ...more,
    })
  return { mailbox, send, wallClock, observed, reopen }
}

const wait = { timeoutMillis: 1_000 }
const recipients = (messages: readonly { readonly recipient: string }[]) =>
  messages.map(({ recipient }) => recipient)

describe('mailbox', () => {
  it('lists messages newest first, with platform time and content', () => {
    const { mailbox, send } = open()
    send('a@x.test')
    send('b@x.test')
    expect(mailbox.list({}, 10)).toMatchObject([
      {
        id: 2,
        recipient: 'b@x.test',
        code: '123456',
        subject: 'Your code for aurora',
        sentAt: 5_000,
      },
      { id: 1, recipient: 'a@x.test', isRead: false },
    ])
  })

  it('filters by project, recipient (ignoring case), channel, purpose and content', () => {
    const { mailbox, send } = open()
    send('Ana@X.test')
    send('b@x.test', { schemaName: BOAVISTA })
    send('+5511', { channel: 'sms' })
    send('c@x.test', { purpose: 'magic_link' })
    mailbox.send({
      schemaName: AURORA,
      channel: 'email',
      recipient: 'd@x.test',
      purpose: 'confirmation',
      link: 'https://x.test/',
    })
    expect(recipients(mailbox.list({ recipient: 'ana@x.TEST' }, 10))).toEqual(['Ana@X.test'])
    expect(recipients(mailbox.list({ schemaName: BOAVISTA }, 10))).toEqual(['b@x.test'])
    expect(recipients(mailbox.list({ channel: 'sms' }, 10))).toEqual(['+5511'])
    expect(recipients(mailbox.list({ purpose: 'magic_link' }, 10))).toEqual(['c@x.test'])
    expect(recipients(mailbox.list({ carries: 'link' }, 10))).toEqual(['d@x.test'])
  })

  it('pages backwards from a message', () => {
    const { mailbox, send } = open()
    for (const name of ['a', 'b', 'c']) send(name)
    expect(recipients(mailbox.list({}, 1, 3))).toEqual(['b'])
  })

  it('keeps at most its capacity and drops the oldest messages', () => {
    const { mailbox, send } = open(2)
    for (const name of ['a', 'b', 'c', 'd']) send(name)
    expect(recipients(mailbox.list({}, 10))).toEqual(['d', 'c'])
  })

  it('removes the messages of one project or of all projects, and never reuses a message number', () => {
    const { mailbox, send } = open()
    send('a')
    send('b', { schemaName: BOAVISTA })
    expect(mailbox.clear(BOAVISTA)).toBe(1)
    expect(mailbox.clear()).toBe(1)
    send('c')
    expect(mailbox.list({}, 10)).toMatchObject([{ id: 3 }])
  })

  it('marks a message as read when it is read, not when it is listed', () => {
    const { mailbox, send } = open()
    send('a')
    expect(mailbox.list({}, 1)).toMatchObject([{ isRead: false }])
    expect(mailbox.read(1)).toMatchObject({ isRead: true })
    expect(mailbox.read(2)).toBeUndefined()
  })

  it('keeps its messages when it is opened again', () => {
    const { send, reopen } = open()
    send('a')
    expect(recipients(reopen().list({}, 10))).toEqual(['a'])
  })

  it('discards a message without storing it or notifying observers', () => {
    const { mailbox, observed } = open()
    mailbox.discard({
      schemaName: AURORA,
      channel: 'email',
      recipient: 'nobody@x.test',
      purpose: 'password_reset',
      link: 'https://x.test/',
    })
    expect({ messages: mailbox.list({}, 10), observed }).toEqual({ messages: [], observed: [] })
  })

  it('notifies observers of each message, including its code', () => {
    const { send, observed } = open()
    send('a')
    expect(observed).toEqual([
      {
        kind: 'messageSent',
        messageId: 1,
        schemaName: AURORA,
        channel: 'email',
        recipient: 'a',
        purpose: 'one_time_code',
        code: '123456',
      },
    ])
  })
})

describe('waiting for the next message', () => {
  it('returns the newest unread message and marks older ones as read', async () => {
    const { mailbox, send } = open()
    send('a', { code: '111111' })
    send('a', { code: '222222' })
    send('b')
    expect(await mailbox.nextUnread({ recipient: 'a' }, wait)).toMatchObject({
      code: '222222',
      isRead: true,
    })
    expect(await mailbox.nextUnread({ recipient: 'a' }, { timeoutMillis: 0 })).toBeUndefined()
    expect(await mailbox.nextUnread({}, wait)).toMatchObject({ recipient: 'b' })
  })

  it('waits for a later message that matches', async () => {
    const { mailbox, send } = open()
    const next = mailbox.nextUnread({ recipient: 'a' }, wait)
    send('b')
    send('a')
    expect(await next).toMatchObject({ id: 2, isRead: true })
    expect(mailbox.list({ recipient: 'a' }, 1)).toMatchObject([{ isRead: true }])
  })

  it('returns the same message to all waiting callers', async () => {
    const { mailbox, send } = open()
    const both = Promise.all([mailbox.nextUnread({}, wait), mailbox.nextUnread({}, wait)])
    send('a')
    expect(await both).toMatchObject([{ id: 1 }, { id: 1 }])
  })

  it('returns the oldest message after a given number, and marks no message as read', async () => {
    const { mailbox, send } = open()
    send('a')
    send('b')
    mailbox.read(1)
    expect(await mailbox.nextAfter({}, 0, wait)).toMatchObject({ id: 1 })
    expect(await mailbox.nextAfter({}, 1, wait)).toMatchObject({ id: 2, isRead: false })
    const later = mailbox.nextAfter({}, 2, wait)
    send('c')
    expect(await later).toMatchObject({ id: 3 })
  })

  it('stops waiting after the given time', async () => {
    const { mailbox, send, wallClock } = open()
    const next = mailbox.nextUnread({}, wait)
    wallClock.advance(1_000)
    expect(await next).toBeUndefined()
    send('a')
    expect(mailbox.list({}, 1)).toMatchObject([{ isRead: false }])
  })

  it('stops when the waiting caller disconnects, and leaves the message unread', async () => {
    const { mailbox, send } = open()
    const caller = new AbortController()
    const next = mailbox.nextUnread({}, { ...wait, signal: caller.signal })
    caller.abort()
    expect(await next).toBeUndefined()
    send('a')
    expect(mailbox.list({}, 1)).toMatchObject([{ isRead: false }])
  })

  it('ends when the mailbox closes', async () => {
    const { mailbox } = open()
    const next = mailbox.nextUnread({}, wait)
    mailbox.close()
    expect(await next).toBeUndefined()
  })

  it('refuses more than a hundred waiting callers, until a message arrives for them', async () => {
    const { mailbox, send } = open()
    const waiting = Array.from({ length: 100 }, () => mailbox.nextUnread({}, wait))
    await expect(mailbox.nextUnread({}, wait)).rejects.toMatchObject({ code: 'too_many_waiting' })
    send('a')
    await Promise.all(waiting)
    send('b')
    expect(await mailbox.nextUnread({}, wait)).toMatchObject({ recipient: 'b' })
  })
})
