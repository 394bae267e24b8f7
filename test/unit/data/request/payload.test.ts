import { describe, expect, it } from 'vitest'
import { DataError } from '../../../../emulator/data/errors.ts'
import type { Action } from '../../../../emulator/data/request/api-request.ts'
import type { MediaType } from '../../../../emulator/data/request/media-type.ts'
import { readPayload } from '../../../../emulator/data/request/payload.ts'

const INSERT: Action = { kind: 'mutate', relation: 'r', mutation: 'insert' }
const CALL: Action = { kind: 'call', routine: 'f', method: 'POST' }

function read(text: string, kind: 'json' | 'csv' | 'form' | 'xml' = 'json', action = INSERT) {
  return readPayload(new TextEncoder().encode(text), { kind } as MediaType, action, undefined)
}

describe('JSON body', () => {
  it('goes on as it came, with its keys', () => {
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
  ])('%s is refused', (text, message) => {
    expect(() => read(text)).toThrow(new DataError('PGRST102', message))
  })

  it('of another sort inserts nothing', () => {
    expect(read('3').payload).toMatchObject({ text: '[]', keys: [] })
  })

  it('is not looked into when columns are given', () => {
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

  it('refuses CSV lines of different lengths', () => {
    expect(() => read('a,b\n1', 'csv')).toThrow('All lines must have same number of fields')
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

  it('refuses what no table takes', () => {
    expect(() => read('<a/>', 'xml')).toThrow('Content-Type not acceptable: text/xml')
  })
})
