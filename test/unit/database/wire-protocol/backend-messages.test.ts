import { describe, expect, it } from 'vitest'
import { cellText } from '../../../../emulator/database/engine.ts'
import {
  firstError,
  parseBackendMessages,
} from '../../../../emulator/database/wire-protocol/backend-messages.ts'

const message = (kind: string, ...parts: readonly (number[] | string)[]): number[] => {
  const body = parts.flatMap((part) =>
    typeof part === 'string' ? [...Buffer.from(part), 0] : part,
  )
  return [kind.charCodeAt(0), ...int32(body.length + 4), ...body]
}
const int16 = (value: number) => [(value >> 8) & 255, value & 255]
const int32 = (value: number) => [...int16(value >>> 16), ...int16(value & 0xffff)]
const field = (name: string, typeOid: number): (number[] | string)[] => [
  name,
  [...int32(0), ...int16(0), ...int32(typeOid), ...int16(4), ...int32(-1), ...int16(0)],
]
const cell = (text: string | null) =>
  text === null ? int32(-1) : [...int32(Buffer.byteLength(text)), ...Buffer.from(text)]
const bytes = (...messages: readonly number[][]) => Uint8Array.from(messages.flat())

const ROWS = message('T', int16(2), ...field('id', 23), ...field('body', 25))
const READY = message('Z', [...Buffer.from('I')])
const error = (code: string) =>
  message('E', 'SERROR', 'VERROR', `C${code}`, 'Mno', 'P7', 'nkey', [0])

describe('parseBackendMessages', () => {
  it('returns the fields, rows and tag of each statement', () => {
    const reply = parseBackendMessages(
      bytes(
        ROWS,
        message('D', int16(2), cell('1'), cell(null)),
        message('D', int16(2), cell('2'), cell('')),
        message('C', 'SELECT 2'),
        message('n'),
        message('C', 'CREATE TABLE'),
        READY,
      ),
    )
    expect(reply.results.map(({ commandTag }) => commandTag)).toEqual(['SELECT 2', 'CREATE TABLE'])
    expect(reply.results[0]?.fields).toEqual([
      { name: 'id', typeOid: 23 },
      { name: 'body', typeOid: 25 },
    ])
    expect(reply.results[0]?.rows.map((row) => row.map((value) => cellText(value)))).toEqual([
      ['1', undefined],
      ['2', ''],
    ])
    expect(reply.results[1]?.fields).toEqual([])
    expect(reply.ready).toBe('I')
  })

  it('finds an error that comes after the statement’s own result', () => {
    const reply = parseBackendMessages(bytes(message('C', 'INSERT 0 1'), error('23503'), READY))
    expect(reply.error).toMatchObject({
      code: '23503',
      message: 'no',
      facts: { position: 7, constraint: 'key', severity: 'ERROR' },
    })
    expect(reply.results).toHaveLength(1)
  })

  it('keeps the first of several errors', () => {
    expect(parseBackendMessages(bytes(error('22012'), error('25P02'))).error?.code).toBe('22012')
  })

  it('collects notices', () => {
    const reply = parseBackendMessages(bytes(message('N', 'VWARNING', 'C01000', 'Mcareful', [0])))
    expect(reply.notices).toEqual([{ severity: 'WARNING', sqlState: '01000', message: 'careful' }])
  })

  it('returns an empty result for an empty statement', () => {
    expect(parseBackendMessages(bytes(message('I'))).results).toEqual([
      { fields: [], rows: [], commandTag: '' },
    ])
  })

  it('ignores a truncated message', () => {
    const whole = bytes(READY)
    expect(parseBackendMessages(whole.subarray(0, 5)).ready).toBeUndefined()
  })

  it('returns nothing for an empty reply', () => {
    expect(parseBackendMessages(new Uint8Array(0))).toEqual({
      results: [],
      notices: [],
      error: undefined,
      ready: undefined,
    })
  })
})

describe('firstError', () => {
  it('returns undefined for a reply without an error', () => {
    expect(firstError(bytes(ROWS, READY))).toBeUndefined()
  })
})
