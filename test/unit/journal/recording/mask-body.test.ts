import { describe, expect, it } from 'vitest'
import { maskBody, unmaskBody } from '../../../../emulator/journal/recording/mask-body.ts'

const LONG = 'v4.local.abcdefghijklmnopqrstuvwxyz'

describe('maskBody', () => {
  it.each([
    ['{"email":"a@b.test", "password" : "a\\"b"}', '{"email":"a@b.test", "password" : "…"}'],
    [`[{"refresh_token":"${LONG}"}]`, '[{"refresh_token":"v4.local…"}]'],
    ['{"note":"x","password":"cut o', '{"note":"x","password":"…'],
    ['grant=x&password=abc&name=y', 'grant=x&password=…&name=y'],
    ['{"passwords":"many","code":"42501"}', '{"passwords":"many","code":"42501"}'],
    ['', ''],
  ])('masks the secrets of %s', (text, masked) => {
    expect(maskBody(text, false)).toBe(masked)
  })

  it('masks codes of sign-ins only', () => {
    expect(maskBody('{"code":"123456"}', true)).toBe('{"code":"…"}')
  })
})

describe('unmaskBody', () => {
  it('puts masked secrets back, and keeps secrets that the user replaced', () => {
    const recorded = `{"email":"a","password":"one","new_password":"two","token":"${LONG}"}`
    const shown = maskBody(recorded, false)
    expect(unmaskBody(shown.replace('"a"', '"b"'), recorded, false)).toBe(
      recorded.replace('"a"', '"b"'),
    )
    const replaced = shown.replace('"password":"…"', '"password":"mine"')
    expect(unmaskBody(replaced, recorded, false)).toBe(recorded.replace('"one"', '"mine"'))
  })
})
