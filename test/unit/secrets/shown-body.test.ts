import { describe, expect, it } from 'vitest'
import { NO_SIGN_IN, scopeOf } from '../../../emulator/platform/secrets/secret-names.ts'
import { shownBody, unmaskBody } from '../../../emulator/platform/secrets/shown-secrets.ts'

const LONG = 'v4.local.abcdefghijklmnopqrstuvwxyz'

const body = (text: string) => ({ text, type: null, signIn: NO_SIGN_IN })
const SIGN_IN = scopeOf('/auth/v1/signin', 'request')

describe('shownBody', () => {
  it.each([
    ['{"email":"a@b.test", "password" : "a\\"b"}', '{"email":"a@b.test", "password" : "…"}'],
    [`[{"refresh_token":"${LONG}"}]`, '[{"refresh_token":"v4.local…"}]'],
    ['{"note":"x","password":"cut o', '{"note":"x","password":"…'],
    ['grant=x&password=abc&name=y', 'grant=x&password=…&name=y'],
    ['{"passwords":"many","code":"42501"}', '{"passwords":"many","code":"42501"}'],
    ['{password: hunter2}', '{password: …'],
    ['user[password]=abc&name=y', 'user[password]=…&name=y'],
    [
      String.raw`{"\u0070assword":"a","data":"{\"token\":\"b\"}"}`,
      String.raw`{"\u0070assword":"…","data":"{\"token\":\"…\"}"}`,
    ],
    [
      `{"sql":"alter role a password 'x'; select token::text from t where token = 'y'"}`,
      `{"sql":"alter role a password '…'; select token::text from t where token = '…'"}`,
    ],
    ['', ''],
  ])('masks the secrets of %s', (text, masked) => {
    expect(shownBody(body(text))).toBe(masked)
  })

  it('masks the secret columns of CSV', () => {
    const csv = { ...body('id,password\r1,"a ""b"""\r\n2,c'), type: 'text/csv' }
    expect(shownBody(csv)).toBe('id,password\r1,…\r\n2,…')
  })

  it('masks the code of a sign-in', () => {
    expect(shownBody({ ...body('{"code":"123456"}'), signIn: SIGN_IN })).toBe('{"code":"…"}')
  })
})

describe('unmaskBody', () => {
  it('puts masked secrets back, and keeps secrets that the user replaced', () => {
    const recorded = `{"email":"a","password":"one","new_password":"two","token":"${LONG}"}`
    const shown = shownBody(body(recorded))
    expect(unmaskBody(shown.replace('"a"', '"b"'), body(recorded))).toBe(
      recorded.replace('"a"', '"b"'),
    )
    const replaced = shown.replace('"password":"…"', '"password":"mine"')
    expect(unmaskBody(replaced, body(recorded))).toBe(recorded.replace('"one"', '"mine"'))
  })

  it('restores tokens recognised by their form only when all of the tokens are still present', () => {
    const [one, other] = ['one', 'two'].map((name) => `eyJhbGciOiJIUzI1NiJ9.${name}.signature`)
    const recorded = body(`{"note":"${one}","text":"see ${other}"}`)
    const shown = shownBody(recorded)
    expect(shown).toBe('{"note":"eyJhbGci…","text":"see eyJhbGci…"}')
    expect(unmaskBody(shown.replace('see', 'hear'), recorded)).toBe(
      `{"note":"${one}","text":"hear ${other}"}`,
    )
    expect(unmaskBody('{"text":"see eyJhbGci…"}', recorded)).toBe('{"text":"see eyJhbGci…"}')
  })
})
