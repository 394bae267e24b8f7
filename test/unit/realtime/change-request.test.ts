// Requests for postgres_changes (docs/wire/realtime.md#changes).
import { describe, expect, it } from 'vitest'
import {
  describeRequest,
  parseChangeRequest,
} from '../../../emulator/services/realtime/row-changes/subscribe/change-request.ts'

describe('parseChangeRequest', () => {
  it.each([
    [
      { event: '*', schema: 'public' },
      { event: '*', schema: 'public', table: '*' },
    ],
    [
      { event: 'insert', table: 'notes' },
      { event: 'INSERT', schema: 'public', table: 'notes' },
    ],
    [
      { event: 'TRUNCATE', schema: 's', table: 't' },
      { event: '*', schema: 's', table: 't' },
    ],
    [
      { schema: '*', table: '*' },
      { event: '*', schema: '*', table: '*' },
    ],
    [
      { event: 'Update', schema: 's', table: 't', select: ['a', 1, 'b'] },
      { event: 'UPDATE', schema: 's', table: 't', select: ['a', 'b'] },
    ],
    [
      { schema: 's', table: 't', select: [] },
      { event: '*', schema: 's', table: 't' },
    ],
  ])('reads %j', (request, expected) => {
    expect(parseChangeRequest(request)).toEqual({ conditions: [], ...expected })
  })

  it.each([
    [
      { event: '*' },
      'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: %{"event" => "*"}',
    ],
    [
      { schema: 'public', filter: 'a=eq.1' },
      'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: %{"filter" => "a=eq.1", "schema" => "public"}',
    ],
    [
      { user_token: 'secret' },
      'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: <redacted>',
    ],
    [
      { schema: 's', table: 't', filter: 'subject=foo.hey' },
      'Error parsing `filter` params: ["foo", "hey"]',
    ],
    [
      { schema: 's', table: 't', filter: 'undefined' },
      'Error parsing `filter` params: ["undefined"]',
    ],
    [
      { schema: 's', table: 't', select: 'a,b' },
      'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]',
    ],
    [
      { schema: 's', select: ['a'] },
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    ],
  ])('refuses %j', (request, message) => {
    expect(() => parseChangeRequest(request)).toThrow(
      expect.objectContaining({ code: 'malformed_request', message }),
    )
  })
})

describe('describeRequest', () => {
  it('prints the same text as upstream', () => {
    const plain = parseChangeRequest({ event: 'INSERT', schema: 'public', table: 'x' })
    const rich = parseChangeRequest({
      event: '*',
      schema: 'public',
      table: 'x',
      filter: 'a=not.eq.1',
      select: ['a'],
    })
    expect([describeRequest(plain), describeRequest(rich)]).toEqual([
      'event: INSERT, schema: public, table: x, filters: [], select: nil',
      'event: *, schema: public, table: x, filters: [{"a", "eq", "1", true}], select: ["a"]',
    ])
  })
})
