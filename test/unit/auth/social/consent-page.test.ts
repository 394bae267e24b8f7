// The consent page as text (docs/wire/auth.md#social).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ConsentPage,
  consentHeaders,
  renderConsentPage,
  renderRefusalPage,
} from '../../../../emulator/services/auth/social/consent-page.ts'
import { accountOf } from '../../../../emulator/services/auth/social/providers.ts'

const PAGE: ConsentPage = {
  provider: 'github',
  state: 'shop.secret',
  projectName: 'Shop',
  redirectTo: 'http://localhost:3000/',
  accounts: [
    { account: accountOf('github', { name: 'Ada', email: 'ada@example.com' }), isUsed: true },
    { account: accountOf('github', { name: 'Ada', email: 'other@example.com' }), isUsed: false },
  ],
  draft: undefined,
}

describe('renderConsentPage', () => {
  it('labels every button, and distinguishes accounts with the same name by e-mail address', () => {
    const text = renderConsentPage(PAGE)
    const described = [...text.matchAll(/aria-label="([^"]+)" aria-describedby="([^"]+)"/g)]
    const ids = described.map(([, , id]) => id ?? '')
    expect(described.map(([, label]) => label)).toEqual(['Continue as Ada', 'Continue as Ada'])
    expect(ids.map((id) => text.split(`id="${id}">`)[1]?.split('<')[0])).toEqual([
      'ada@example.com',
      'other@example.com',
    ])
  })

  it('marks accounts that were used before', () => {
    expect(renderConsentPage(PAGE).match(/Used here/g)).toHaveLength(1)
  })

  it('includes the state in every form', () => {
    const text = renderConsentPage(PAGE)
    expect(text.match(/name="state" value="shop.secret"/g)).toHaveLength(
      text.match(/<form/g)?.length ?? 0,
    )
  })

  it('keeps the typed values and shows each problem at its field', () => {
    const text = renderConsentPage({
      ...PAGE,
      draft: { name: 'Ada', email: 'ada', problems: { email: 'No address.' } },
    })
    expect(text).toContain('value="ada" aria-invalid="true" aria-describedby="email-problem"')
    expect(text).toContain('<p class="problem" id="email-problem">No address.</p>')
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(1)
  })

  it('renders the same elements for any names and texts', () => {
    const shapeOf = (text: string): string => text.replace(/"[^"]*"|>[^<]*/g, '')
    const expected = shapeOf(rendered('x'))
    fc.assert(
      fc.property(hostileText(), (text) => shapeOf(rendered(text)) === expected),
      { numRuns: 300 },
    )
  })
})

describe('renderRefusalPage', () => {
  it('shows code and message as text', () => {
    const text = renderRefusalPage('oauth_state_invalid', '<b>Late</b>')
    expect(text).toContain('<p class="lead">&lt;b&gt;Late&lt;/b&gt;</p>')
    expect(text).toContain('<code>oauth_state_invalid</code>')
  })
})

describe('consentHeaders', () => {
  it.each([
    ['https://app.example.com/x', "form-action 'self' http: https:;"],
    ['com.example.app:/done', "form-action 'self' http: https: com.example.app:;"],
  ])('allows forms to redirect to %s', (redirectTo, directive) => {
    expect(consentHeaders(redirectTo)['content-security-policy']).toContain(directive)
  })
})

function rendered(text: string): string {
  return renderConsentPage({
    ...PAGE,
    state: text,
    projectName: text,
    redirectTo: text,
    accounts: [
      {
        account: { ...accountOf('github', { name: text, email: text }), sub: text },
        isUsed: false,
      },
    ],
    draft: { name: text, email: text, problems: { name: text } },
  })
}

function hostileText() {
  const parts = [
    '<',
    '>',
    '"',
    "'",
    '&',
    '/',
    ' ',
    '=',
    '`',
    '<!--',
    '</style>',
    '<script>',
    'on',
    'x',
    '\n',
  ]
  return fc.array(fc.constantFrom(...parts)).map((each) => each.join(''))
}
