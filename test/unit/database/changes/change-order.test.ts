import { describe, expect, it } from 'vitest'
import {
  type CapturedRow,
  orderChanges,
} from '../../../../emulator/database/changes/decode-changes.ts'

/**
 * Builds captured rows of one relation from texts such as `I a`, `O a`, `N b` and `D b`. A text without leading spaces has the
 * trigger depth 1, and each leading space adds 1.
 */
const rows = (...texts: readonly string[]): readonly CapturedRow[] =>
  texts.map((text, index) => {
    const [kind = '', row = ''] = text.trim().split(' ')
    return { id: index + 1, relation: 1, kind, depth: 1 + text.search(/\S/), text: row }
  })
const ordered = (...texts: readonly string[]): readonly string[] =>
  orderChanges(rows(...texts)).map(({ before = '', after = '' }) => `${before}>${after}`)

describe('orderChanges', () => {
  it('pairs the old and new rows of an update', () => {
    expect(ordered('O a', 'O b', 'N c', 'N d')).toEqual(['a>c', 'b>d'])
  })

  it('pairs the rows of two successive updates', () => {
    expect(ordered('O a', 'N b', 'O c', 'O d', 'N e', 'N f')).toEqual(['a>b', 'c>e', 'd>f'])
  })

  it('orders an insert before the update that its trigger made', () => {
    expect(ordered(' O a', ' N b', 'I a')).toEqual(['>a', 'a>b'])
  })

  it('orders a chain of nested updates from its beginning', () => {
    expect(ordered('   D c', '  O b', '  N c', ' O a', ' N b', 'I a')).toEqual([
      '>a',
      'a>b',
      'b>c',
      'c>',
    ])
  })

  it('keeps the order of capture when a row returns to an earlier value', () => {
    expect(ordered('O a', 'N b', 'O b', 'N a')).toEqual(['a>b', 'b>a'])
  })

  it('keeps the order of statements outside of triggers', () => {
    expect(ordered('D a', 'I a')).toEqual(['a>', '>a'])
    expect(ordered('O a', 'N b', 'I a', ' I c')).toEqual(['a>b', '>a', '>c'])
  })

  it('keeps updates that change nothing', () => {
    expect(ordered('O a', 'N a', 'O a', 'N a')).toEqual(['a>a', 'a>a'])
  })

  it('does not pair rows of another table', () => {
    const [first] = orderChanges([
      { id: 1, relation: 1, kind: 'D', depth: 2, text: 'a' },
      { id: 2, relation: 2, kind: 'I', depth: 1, text: 'a' },
    ])
    expect(first).toEqual({ id: 1, relation: 1, before: 'a', after: undefined, depth: 2 })
  })
})
