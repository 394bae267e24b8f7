import { describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import { composeMessage } from '../../../emulator/platform/messages/compose.ts'
import type { OutgoingMessage } from '../../../emulator/platform/messages/message.ts'

const message = (more: Partial<OutgoingMessage>): OutgoingMessage => ({
  schemaName: trusted.schemaName('proj_aurora'),
  channel: 'email',
  recipient: 'ana@patients.test',
  purpose: 'one_time_code',
  ...more,
})

describe('composing a message', () => {
  it('gives an e-mail a subject, a text and a page, with the code in both', () => {
    const { subject, text, html } = composeMessage(message({ code: '123456' }))
    expect(subject).toBe('Your code for aurora')
    expect(text).toBe(
      'Here is your code for aurora.\n\nCode: 123456\n\nIt is good for 10 minutes and works once. If you did not ask for it, ignore this message.',
    )
    expect(html).toContain('>123456</p>')
  })

  it.each(['whatsapp', 'sms'] as const)('writes a message of one line for %s', (channel) => {
    expect(composeMessage(message({ channel, code: '123456' }))).toEqual({
      subject: undefined,
      text: 'Here is your code for aurora. Code: 123456. It is good for 10 minutes and works once.',
      html: undefined,
    })
  })

  it('renders the address as a link and as text for copying', () => {
    const link = 'https://app.test/reset#token=abc'
    const { text, html } = composeMessage(message({ purpose: 'password_reset', link }))
    expect(text).toContain(`Choose a new password: ${link}`)
    expect(html).toContain(`<a href="${link}" target="_blank" rel="noopener noreferrer"`)
    expect(html).toContain(`>${link}</p>`)
  })

  it('escapes the code and the link', () => {
    const { html } = composeMessage(
      message({ code: `<b>&"'`, link: 'https://app.test/?a=1&b="><script>x</script>' }),
    )
    expect(html).toContain('&lt;b&gt;&amp;&quot;&#39;')
    expect(html).toContain('href="https://app.test/?a=1&amp;b=&quot;&gt;&lt;script&gt;')
    expect(html).not.toContain('<script>')
  })

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'no address'])(
    'shows %s as text and not as a link',
    (link) => {
      const { html } = composeMessage(message({ purpose: 'magic_link', link }))
      expect(html).toContain(link)
      expect(html).not.toContain('href')
    },
  )
})
