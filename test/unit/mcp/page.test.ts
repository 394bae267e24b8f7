// Which part of a long result one answer shows, and how it describes the rest.
import { describe, expect, it } from 'vitest'
import { fromCursor } from '../../../emulator/api/mcp/inputs.ts'
import { cut, MAX_ANSWER_BYTES, renderPage } from '../../../emulator/api/mcp/server.ts'

const bytesOf = (text: string) => Buffer.byteLength(text)
const readOn = (shown: number) => `Continue with "cursor": ${shown}.`

describe('an MCP answer', () => {
  it('shows head, entries and tail', () => {
    expect(renderPage({ head: 'head', entries: ['one', 'two'], tail: 'tail' })).toBe(
      'head\none\ntwo\ntail',
    )
  })

  it('begins at the cursor, stops at the limit and says how to read on', () => {
    const entries = ['one', 'two', 'three', 'four']
    expect(renderPage(fromCursor(entries, { cursor: 1, limit: 1 }))).toBe(
      'two\n(2 more entries are left out. Continue with "cursor": 2.)',
    )
    expect(renderPage(fromCursor(entries, { cursor: 3, limit: 50 }))).toBe('four')
    expect(renderPage({ head: 'head', ...fromCursor(entries, { cursor: 9, limit: 50 }) })).toBe(
      'head',
    )
  })

  it('stops before an entry that would exceed the size limit', () => {
    const entries = Array.from({ length: 100 }, (_, index) => `${index} ${'é'.repeat(100)}`)
    const text = renderPage({ entries, readOn })
    expect(bytesOf(text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES)
    const shown = text.split('\n').length - 1
    expect(text).toMatch(
      new RegExp(
        `\\(${100 - shown} more entries are left out. Continue with "cursor": ${shown}.\\)$`,
      ),
    )
  })

  it('cuts a single entry that is too long, and counts the bytes and entries left out', () => {
    const text = renderPage({ entries: ['x'.repeat(10_000), 'two'], readOn })
    expect(bytesOf(text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES)
    expect(text).toMatch(
      /… \(\d+ bytes left out\)\n\(1 more entry is left out. Continue with "cursor": 1.\)$/,
    )
  })

  it('cuts a head and a tail that are too long', () => {
    const long = 'x'.repeat(10_000)
    const text = renderPage({ head: long, entries: ['one', long], tail: long, readOn })
    expect(bytesOf(text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES)
    expect(text).toContain('\none\n')
    expect(text).toContain('Continue with "cursor": 1.')
  })

  it('mentions omitted entries whose number is unknown', () => {
    expect(renderPage({ entries: ['one'], hasMore: true, readOn })).toBe(
      'one\n(More entries are left out. Continue with "cursor": 1.)',
    )
  })

  it('counts omitted entries that were not fetched', () => {
    expect(renderPage({ entries: ['one'], total: 3 })).toBe('one\n(2 more entries are left out.)')
  })
})

describe('cutting a text', () => {
  it('keeps whole characters', () => {
    const text = cut('é'.repeat(100), 60)
    expect(bytesOf(text)).toBeLessThanOrEqual(60)
    expect(text).toMatch(/^é+… \(\d+ bytes left out\)$/)
  })
})
