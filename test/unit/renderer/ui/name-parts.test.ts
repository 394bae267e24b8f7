// The places where the lines of names and paths may break.
import { describe, expect, it } from 'vitest'
import { partsOf } from '../../../../renderer/ui/name-parts.ts'

describe('the parts of a name', () => {
  it.each([
    ['patients_see_their_invoices', ['patients_', 'see_', 'their_', 'invoices']],
    ['_private__name_', ['_', 'private__', 'name_']],
    ['/tmp/app/20261128_add.sql', ['/', 'tmp/', 'app/', '20261128_', 'add', '.sql']],
    ['notes.author_id', ['notes', '.author_', 'id']],
    ['one, two', ['one, two']],
    ['id', ['id']],
    ['', ['']],
  ])('end at the separators of "%s"', (text, parts) => {
    expect(partsOf(text)).toEqual(parts)
  })

  it('make up the whole name when joined', () => {
    const name = 'before-allow_select_on_notices-20261128194432'
    expect(partsOf(name).join('')).toBe(name)
  })
})
