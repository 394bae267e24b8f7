import { describe, expect, it } from 'vitest'
import { DataError } from '../../../../emulator/services/data/errors.ts'
import type { Action } from '../../../../emulator/services/data/request/api-request.ts'
import type { MediaType } from '../../../../emulator/services/data/request/media-type.ts'
import { readPayload } from '../../../../emulator/services/data/request/payload.ts'

const INSERT: Action = { kind: 'mutate', relation: 'r', mutation: 'insert' }
const CALL: Action = { kind: 'call', routine: 'f', method: 'POST' }

function read(text: string, kind: 'json' | 'csv' | 'form' | 'xml' = 'json', action = INSERT) {
  return readBytes(new TextEncoder().encode(text), kind, action)
}

function readBytes(bytes: Uint8Array, kind: 'json' | 'csv' | 'form' | 'xml', action = INSERT) {
  return readPayload(bytes, { kind } as MediaType, action, undefined)
}

describe('JSON body', () => {
  it('is returned unchanged, with its keys', () => {
    expect(read('[{"b":1,"a":2}, {"a":1,"b":null}]')).toEqual({
      payload: { kind: 'json', text: '[{"b":1,"a":2}, {"a":1,"b":null}]', keys: ['a', 'b'] },
      columns: ['a', 'b'],
    })
  })

  it.each([
    ['', 'Empty or invalid json'],
    ['{', 'Empty or invalid json'],
    ['[{"a":1},{"b":1}]', 'All object keys must match'],
    ['[{"a":1},2]', 'All object keys must match'],
    ['[1]', 'All object keys must match'],
    ['[[{"a":1}]]', 'All object keys must match'],
    ['\ufeff{"a":1}', 'Empty or invalid json'],
    ['{"a":"\\ud83d"}', 'Empty or invalid json'],
    ['{"a":"\\udc4d\\ud83d"}', 'Empty or invalid json'],
    ['{"a":"\t"}', 'Empty or invalid json'],
    ['{"a":01}', 'Empty or invalid json'],
  ])('%s is refused', (text, message) => {
    expect(() => read(text)).toThrow(new DataError('PGRST102', message))
  })

  it('accepts surrogate pairs and escaped backslashes', () => {
    const text = '{"a":"\\ud83d\\udc4d \\\\ud83d \ufffd"}'
    expect(read(text).payload).toMatchObject({ text })
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(() => readBytes(Uint8Array.of(0x22, 0xff, 0x22), 'json')).toThrow(
      'Empty or invalid json',
    )
  })

  it('inserts nothing when it is neither an object nor a list', () => {
    expect(read('3').payload).toMatchObject({ text: '[]', keys: [] })
  })

  it('is not parsed for columns when columns are given', () => {
    const body = new TextEncoder().encode('whatever')
    const { columns } = readPayload(body, { kind: 'json' }, INSERT, ['a'])
    expect(columns).toEqual(['a'])
  })

  it('may be empty for a function', () => {
    expect(read('', 'json', CALL).payload).toMatchObject({ text: '{}' })
  })
})

describe('other bodies', () => {
  it('reads CSV with quotes and nulls', () => {
    expect(read('a,b\n1,"x ""y"", z"\r\nNULL,', 'csv').payload).toMatchObject({
      text: '[{"a":"1","b":"x \\"y\\", z"},{"a":null,"b":""}]',
    })
  })

  it.each([
    ['of different lengths', 'a,b\n1,2\n3', 'All lines must have same number of fields'],
    ['without a line', '', 'parse error (not enough input) at ""'],
    ['without an end of its header', 'a,b', 'parse error (not enough input) at ""'],
    [
      'with a quote inside a field',
      'a\n1"é"\u000e',
      'parse error (Failed reading: satisfy) at "\\"\\195\\169\\"\\SO"',
    ],
    ['with text behind a quoted field', 'a\n"1"x', 'parse error (Failed reading: satisfy) at "x"'],
    [
      'with a quote and nothing else',
      'a\n"',
      'parse error (Failed reading: trailing double quote) at ""',
    ],
    [
      'with half an escaped quote',
      'a\n"x""',
      'parse error (Failed reading: insufficient input) at ""',
    ],
    [
      'with much behind what is wrong',
      `a\nb"${'x'.repeat(100)}`,
      `parse error (Failed reading: satisfy) at "${'x'.repeat(99)} (truncated)`,
    ],
  ])('refuses CSV %s', (_, text, message) => {
    expect(() => read(text, 'csv')).toThrow(new DataError('PGRST102', message))
  })

  it.each([
    ['leaves out blank lines', 'a\n\n1\n""\n\n', '[{"a":"1"}]'],
    ['ends lines in any way', 'a\r1\r\n2\n3', '[{"a":"1"},{"a":"2"},{"a":"3"}]'],
    ['drops what is beyond the header', 'a\n1,2', '[{"a":"1"}]'],
    ['has no columns that no line has', 'a,b\n1\n2', '[{"a":"1"},{"a":"2"}]'],
    ['takes line ends between quotes', 'a\n"1\n,2"', '[{"a":"1\\n,2"}]'],
    ['takes NULL between quotes for null', 'a\n"NULL"\nnull', '[{"a":null},{"a":"null"}]'],
    ['keeps blanks and letters of any language', 'a\n é ', '[{"a":" é "}]'],
    ['keeps a byte order mark in its first name', '\ufeffa\n1', '[{"\ufeffa":"1"}]'],
    ['takes the last of two columns of a name', 'a,a\n1,2', '[{"a":"2"}]'],
    ['takes the end for a missing quote', 'a\n"xyz', '[{"a":"xy"}]'],
    ['may have no lines', 'a\n', '[]'],
  ])('CSV %s', (_, text, json) => {
    expect(read(text, 'csv').payload).toMatchObject({ text: json })
  })

  it('reads a form as one row, or as arguments', () => {
    expect(read('a=1+2&b=%C3%A9', 'form').payload).toMatchObject({ text: '{"a":"1 2","b":"é"}' })
    expect(read('a=1&a=2', 'form', CALL).payload).toEqual({
      kind: 'form',
      pairs: [
        ['a', '1'],
        ['a', '2'],
      ],
    })
  })

  it('splits a form at semicolons too, and keeps empty parts', () => {
    expect(read('a=1;b&&c=%2', 'form', CALL).payload).toMatchObject({
      pairs: [
        ['a', '1'],
        ['b', ''],
        ['', ''],
        ['c', '%2'],
      ],
    })
  })

  it('refuses media types that no table accepts', () => {
    expect(() => read('<a/>', 'xml')).toThrow('Content-Type not acceptable: text/xml')
  })
})
