import { describe, expect, it } from 'vitest'
import { createMasker } from '../../../emulator/workflow/traffic/masking/create-masker.ts'

const JWT = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"role":"anon","sub":"apikey:anon","email":"a@x.test","secret":1}').toString('base64url')}.c2ln`
const ANYWHERE = { inMembers: false, inParameters: false }
const SIGN_IN = { inMembers: true, inParameters: true }

describe('the masker of recordings', () => {
  it('gives a secret the same placeholder in headers, bodies and addresses', () => {
    const masker = createMasker()
    expect(masker.header('Authorization', `Bearer ${JWT}`, ANYWHERE)).toBe('Bearer masked~token~1')
    expect(masker.text(`{"note":"${JWT}"}`, ANYWHERE)).toBe('{"note":"masked~token~1"}')
    expect(masker.url(`https://x.test/a?token=${JWT}&b=1`, ANYWHERE)).toBe(
      'https://x.test/a?token=masked~token~1&b=1',
    )
    expect(masker.bytes(Buffer.from(`\u0001${JWT}`)).toString()).toBe('\u0001masked~token~1')
  })

  it('reports the role and the subject of each token once', () => {
    const masker = createMasker(['email'])
    masker.text(JWT, ANYWHERE)
    expect(masker.newFacts()).toEqual([
      { placeholder: 'masked~token~1', claims: { role: 'anon', sub: 'apikey:anon' } },
    ])
    masker.text(JWT, ANYWHERE)
    expect(masker.newFacts()).toEqual([])
  })

  it.each([
    ['{"password":"correct horse"}', '{"password":"masked~password~1"}'],
    ['{"password":"short"}', '{"password":"masked~short-password~1"}'],
    ['{"refresh_token":"abc","user":1}', '{"refresh_token":"masked~secret~1","user":1}'],
    ['{"secret":"cut o', '{"secret":"masked~secret~1'],
    ['{"password":"a \\"b\\" c"}', '{"password":"masked~password~1"}'],
    ['grant=x&refresh_token=abc&b=2', 'grant=x&refresh_token=masked~secret~1&b=2'],
    ['{"key":"sdb_gk_0123456789abcdefgh"}', '{"key":"masked~group-key~1"}'],
    [
      'postgresql://owner:hidden@127.0.0.1:1/postgres',
      'postgresql://owner:masked~secret~1@127.0.0.1:1/postgres',
    ],
    ['{"error":{"code":"weak_password"}}', '{"error":{"code":"weak_password"}}'],
    ['{"password":""}', '{"password":""}'],
  ])('masks %s', (text, masked) => {
    expect(createMasker().text(text, ANYWHERE)).toBe(masked)
  })

  it('masks codes only in sign-in requests', () => {
    expect(createMasker().text('{"code":"123456"}', SIGN_IN)).toBe('{"code":"masked~code~1"}')
    expect(createMasker().text('{"code":"123456"}', ANYWHERE)).toBe('{"code":"123456"}')
    expect(createMasker().url('/auth/v1/callback/google?code=abc&state=s', SIGN_IN)).toBe(
      '/auth/v1/callback/google?code=masked~code~1&state=masked~secret~1',
    )
  })

  it('masks a long secret everywhere after it has occurred in a secret member', () => {
    const masker = createMasker()
    masker.text('{"refresh_token":"0123456789abcdef0"}', ANYWHERE)
    expect(masker.text('see 0123456789abcdef0', ANYWHERE)).toBe('see masked~secret~1')
  })

  it('masks cookies, names that the user has configured, and credentials of any scheme', () => {
    const masker = createMasker(['x-customer', 'full_name'])
    expect(masker.header('Cookie', 'a=b', ANYWHERE)).toBe('masked~secret~1')
    expect(masker.header('X-Customer', 'Ana', ANYWHERE)).toBe('masked~secret~2')
    expect(masker.text('{"Full_Name":"Ana R"}', ANYWHERE)).toBe('{"Full_Name":"masked~secret~3"}')
    expect(masker.header('authorization', 'AWS4-HMAC-SHA256 Credential=a', ANYWHERE)).toBe(
      'AWS4-HMAC-SHA256 masked~secret~4',
    )
  })
})
