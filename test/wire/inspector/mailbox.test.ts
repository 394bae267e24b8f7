// /_emulator/v1/mailbox: messages that the platform would have sent, and waiting for the next message.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, granted, PASSWORD, startAuthWorld } from '../../support/auth-world.ts'
import { type Answer, type Json, provisionTenant } from '../../support/test-emulator.ts'

const BASE = '/_emulator/v1/mailbox'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
  await world.settings({ confirm_email: true })
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.at.call('DELETE', BASE))

const mailbox = (path = '', method = 'GET'): Promise<Answer<Json>> =>
  world.at.call(method, `${BASE}${path}`)

/** Makes the platform send a confirmation. Returns the recipient. */
async function sendTo(email = world.freshEmail()): Promise<string> {
  granted(await world.auth('POST', '/signup', { email, password: PASSWORD }))
  return email
}

const recipients = ({ body }: Answer<Json>) => body.messages.map(({ to }: Json) => to)

describe('the mailbox', () => {
  it('lists every field of each message, with a complete link', async () => {
    const email = await sendTo()
    const { status, body } = await mailbox()
    expect(status).toBe(200)
    expect(body).toEqual({
      messages: [
        {
          id: expect.any(Number),
          schema_name: world.tenant.schemaName,
          channel: 'email',
          to: email,
          purpose: 'confirmation',
          subject: `Confirm your e-mail address for ${world.tenant.slug}`,
          text: expect.stringContaining(`Confirm the address: ${world.at.url}/auth/v1/verify?`),
          html: expect.stringContaining(`<a href="${world.at.url}/auth/v1/verify?`),
          code: null,
          link: expect.stringContaining(`${world.at.url}/auth/v1/verify?`),
          sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          is_read: false,
        },
      ],
    })
  })

  it('lists newest first, page by page', async () => {
    const sent = [await sendTo(), await sendTo(), await sendTo()]
    const first = await mailbox('?limit=2')
    expect(recipients(first)).toEqual([sent[2], sent[1]])
    const rest = await mailbox(`?limit=2&before=${first.body.messages[1].id}`)
    expect(recipients(rest)).toEqual([sent[0]])
  })

  it('filters by channel, purpose, link or code, project, and recipient in any letter case', async () => {
    const email = await sendTo()
    await sendTo()
    expect(recipients(await mailbox(`?to=${email.toUpperCase()}`))).toEqual([email])
    expect(recipients(await mailbox('?channel=sms'))).toEqual([])
    expect(recipients(await mailbox('?purpose=confirmation&with=link'))).toHaveLength(2)
    expect(recipients(await mailbox('?with=code'))).toEqual([])
    expect(recipients(await mailbox(`?project=${world.tenant.slug}`))).toHaveLength(2)
    expect(recipients(await mailbox(`?project=${world.group.templateSlug}`))).toEqual([])
  })

  it('reads one message, which then counts as read', async () => {
    await sendTo()
    const [message] = (await mailbox()).body.messages
    expect((await mailbox(`/${message.id}`)).body).toEqual({ ...message, is_read: true })
    expect((await mailbox()).body.messages[0].is_read).toBe(true)
  })

  it('shows an e-mail as a page that can neither run nor load anything', async () => {
    await sendTo()
    const [message] = (await mailbox()).body.messages
    const { status, headers, text } = await mailbox(`/${message.id}/html`)
    expect({ status, type: headers.get('content-type'), text }).toEqual({
      status: 200,
      type: 'text/html; charset=UTF-8',
      text: message.html,
    })
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none';.*; sandbox /)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['whatsapp', 'sms'])(
    'shows a message sent by %s as one line with the code',
    async (channel) => {
      const phone = '+5511912345678'
      granted(await world.auth('POST', '/otp/send', { phone, channel }))
      const [message] = (await mailbox(`?to=${phone}&channel=${channel}`)).body.messages
      expect(message).toMatchObject({
        to: phone,
        purpose: 'one_time_code',
        subject: null,
        html: null,
        link: null,
        code: expect.stringMatching(/^\d{6}$/),
      })
      expect(message.text).toContain(message.code)
      expect(message.text).not.toContain('\n')
      expect((await mailbox(`/${message.id}/html`)).body.error.message).toContain(channel)
    },
  )

  it('finds a telephone number with an escaped or a bare plus sign', async () => {
    const phone = '+5511987654321'
    granted(await world.auth('POST', '/otp/send', { phone, channel: 'sms' }))
    expect(recipients(await mailbox(`?to=${encodeURIComponent(phone)}`))).toEqual([phone])
    expect((await mailbox(`/next?to=${phone}`)).body).toMatchObject({ to: phone })
  })

  it('removes all messages, or the messages of one project', async () => {
    await sendTo()
    const template = world.group.templateSlug
    expect((await mailbox(`?project=${template}`, 'DELETE')).body).toEqual({ deleted: 0 })
    expect((await mailbox(`?project=${world.tenant.slug}`, 'DELETE')).body).toEqual({ deleted: 1 })
    await sendTo()
    expect((await mailbox('', 'DELETE')).body).toEqual({ deleted: 1 })
    expect((await mailbox()).body).toEqual({ messages: [] })
  })

  it('deletes the messages of a purged tenant', async () => {
    const other = await provisionTenant(world.at, world.group, 'leaving')
    const settings = `/_emulator/v1/projects/${other.slug}/auth-settings`
    granted(await world.at.call('PATCH', settings, { body: { confirm_email: true } }))
    const signUp = await world.at.call('POST', '/auth/v1/signup', {
      headers: { apikey: other.anonKey },
      body: { email: world.freshEmail(), password: PASSWORD },
    })
    expect(signUp.status).toBe(200)
    expect(recipients(await mailbox(`?project=${other.slug}`))).toHaveLength(1)
    const purge = `/groups/v1/${world.group.id}/tenants/${other.slug}/purge`
    const purged = await world.at.call('DELETE', purge, {
      credential: world.group.key,
      body: { confirm_slug: other.slug },
    })
    expect(purged.status).toBe(200)
    expect(recipients(await mailbox(`?project=${other.slug}`))).toEqual([])
  })

  it('keeps the tokens of links out of the journal', async () => {
    await sendTo()
    const [{ link }] = (await mailbox()).body.messages
    const journal = await world.at.call('GET', '/_emulator/v1/journal?limit=1000')
    expect(journal.text).not.toContain(new URL(link).searchParams.get('token'))
  })

  it.each([
    ['?limit=0&before=x&channel=fax', 400, /channel: .*; limit: .*; before: /],
    ['?recipient=a@x.test', 400, /recipient/],
    // cspell:disable-next-line
    ['?project=nobody', 404, /no project nobody/],
    ['/99999999', 404, /no message 99999999/],
    ['/one', 404, /no message one/],
    ['/99999999/html', 404, /no message 99999999/],
    ['/next?timeout_ms=60001', 400, /timeout_ms/],
    ['/next?after=-1', 400, /after/],
  ])('refuses %s with %i and a sentence', async (path, status, sentence) => {
    const answer = await mailbox(path)
    expect(answer.status).toBe(status)
    expect(answer.body.error.message).toMatch(sentence)
  })
})

describe('GET /mailbox/next', () => {
  it('waits for the next message to a recipient', async () => {
    const email = world.freshEmail()
    const next = mailbox(`/next?to=${email}&project=${world.tenant.slug}`)
    await sendTo()
    await sendTo(email)
    expect((await next).body).toMatchObject({ to: email, is_read: true })
  })

  it('returns an unread message at once, and returns it only once', async () => {
    const email = await sendTo()
    expect((await mailbox(`/next?to=${email}`)).body).toMatchObject({ to: email })
    expect((await mailbox(`/next?to=${email}&timeout_ms=0`)).status).toBe(204)
  })

  it('returns the oldest message after the given id, also when the message arrives later', async () => {
    const first = await sendTo()
    const second = await sendTo()
    const [newest, oldest] = (await mailbox()).body.messages
    expect((await mailbox(`/next?after=${oldest.id - 1}`)).body).toMatchObject({ to: first })
    expect((await mailbox(`/next?after=${oldest.id}`)).body).toMatchObject({ to: second })
    const later = mailbox(`/next?after=${newest.id}`)
    const third = await sendTo()
    expect((await later).body).toMatchObject({ to: third, is_read: false })
  })

  it('answers 204 without a body when no message came in time', async () => {
    const { status, text } = await mailbox('/next?timeout_ms=30')
    expect({ status, text }).toEqual({ status: 204, text: '' })
  })

  it('times out by wall time while platform time is frozen', async () => {
    await world.clock({ freeze: true })
    const { status } = await mailbox('/next?timeout_ms=30')
    await world.clock({ reset: true })
    expect(status).toBe(204)
  })

  it('leaves a message unread for others when the waiting caller disconnects', async () => {
    const gone = new AbortController()
    const waiting = fetch(`${world.at.url}${BASE}/next`, { signal: gone.signal })
    await mailbox()
    gone.abort()
    await expect(waiting).rejects.toThrow('aborted')
    const email = await sendTo()
    expect((await mailbox()).body.messages[0]).toMatchObject({ to: email, is_read: false })
  })
})
