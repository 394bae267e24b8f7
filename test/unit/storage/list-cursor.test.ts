import { expect, it } from 'vitest'
import { epochMillis } from '../../../emulator/core/time.ts'
import {
  decodeCursor,
  encodeCursor,
  type ListCursor,
} from '../../../emulator/services/storage/listing/list-cursor.ts'

const lines = (text: string): string => Buffer.from(text).toString('base64')

it.each<ListCursor>([
  { column: 'name', isDescending: false, after: { key: 'a/b (1), & c.txt', instant: undefined } },
  { column: 'created_at', isDescending: true, after: { key: 'a', instant: epochMillis(0) } },
  { column: 'updated_at', isDescending: true, after: { key: 'folder/', instant: undefined } },
])('a list cursor is decoded unchanged: %j', (cursor) => {
  expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor)
})

it.each([
  '',
  'not base64 at all',
  lines('l:a'),
  lines('l:a\no:asc'),
  lines('o:asc\nc:name'),
  lines('l:a\no:ASC\nc:name'),
  lines('l:a\no:asc\nc:metadata'),
  lines('l:a\no:asc\nc:created_at\na:1e3'),
  lines('l:a\no:asc\nc:created_at\na:-1'),
])('an invalid list cursor is refused: %j', (text) => {
  expect(() => decodeCursor(text)).toThrow('Invalid Parameter continuation token')
})
