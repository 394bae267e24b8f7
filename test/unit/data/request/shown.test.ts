import { describe, expect, it } from 'vitest'
import { shownChar, shownText } from '../../../../emulator/services/data/request/shown.ts'

describe('text in a message', () => {
  it.each([
    ['a"b\\', '"a\\"b\\\\"'],
    ["it's", '"it\'s"'],
    ['\0\t\n\v\x1b\x7f', '"\\NUL\\t\\n\\v\\ESC\\DEL"'],
    ['é1', '"\\233\\&1"'],
    ['éa', '"\\233a"'],
    ['\x0eH', '"\\SO\\&H"'],
    ['👍', '"\\128077"'],
  ])('has the escapes of PostgREST’s messages: %j becomes %s', (text, shown) => {
    expect(shownText(text)).toBe(shown)
  })

  it('has apostrophes around a single character', () => {
    expect(["'", '"', '\n'].map(shownChar)).toEqual(["'\\''", `'"'`, "'\\n'"])
  })
})
