// The size limits and MIME types that a bucket's form accepts.
import { expect, it } from 'vitest'
import {
  bytesOfMegabytes,
  mimeTypesOf,
} from '../../../../../renderer/features/storage/bucket-form.ts'

it.each([
  ['', null],
  ['5', 5_242_880],
  ['0.5', 524_288],
  ['-1', undefined],
  ['much', undefined],
])('bytesOfMegabytes reads %j', (text, bytes) => {
  expect(bytesOfMegabytes(text)).toBe(bytes)
})

it.each([
  [' ', null],
  ['image/*, application/pdf', ['image/*', 'application/pdf']],
  ['image/png\ntext/plain', ['image/png', 'text/plain']],
])('mimeTypesOf reads %j', (text, types) => {
  expect(mimeTypesOf(text)).toEqual(types)
})
