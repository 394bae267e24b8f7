import { describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import {
  requireSlug,
  slugFromName,
  templateSlug,
} from '../../../../emulator/services/control/projects/slug.ts'

const nobodyHas = () => false

describe('requireSlug', () => {
  it.each(['a', 'clinica_sul', '0', '_', 'a'.repeat(44)])('accepts %s', (text) => {
    expect(requireSlug(text)).toBe(text)
  })

  it.each<[unknown, string]>([
    ['', 'empty'],
    ['a'.repeat(45), 'too long'],
    ['Clinic', 'upper case'],
    ['clinic-sul', 'a hyphen'],
    ['clínica', 'an accent'],
    ['a b', 'a space'],
    ['a\0', 'a NUL'],
    ['a\n', 'a line end'],
    ['"; drop schema public', 'SQL'],
    [7, 'a number'],
    [['a'], 'an array'],
    [null, 'null'],
    [undefined, 'nothing'],
  ])('refuses %j (%s)', (value) => {
    expect(() => requireSlug(value)).toThrow(expect.objectContaining({ code: 'invalid_slug' }))
  })

  it.each(['public', 'auth_global', 'pgrst_helpers', 'pg_catalog', 'platform'])(
    'refuses the reserved name %s',
    (name) => {
      expect(() => requireSlug(name)).toThrow(expect.objectContaining({ code: 'slug_reservado' }))
    },
  )
})

describe('slugFromName', () => {
  it.each([
    ['Clínica São José', 'clinica_sao_jose'],
    ['  --  ', 'project'],
    ['日本', 'project'],
    ['Admin', 'admin_2'],
    ['x'.repeat(60), 'x'.repeat(44)],
  ])('turns %j into %s', (name, slug) => {
    expect(slugFromName(name, nobodyHas)).toBe(slug)
  })

  it('adds a number to a used name, within the maximum length', () => {
    const taken = new Set(['x'.repeat(44), `${'x'.repeat(42)}_2`])
    expect(slugFromName('x'.repeat(50), (slug) => taken.has(slug))).toBe(`${'x'.repeat(42)}_3`)
  })
})

describe('templateSlug', () => {
  it.each([
    [[], 'shop_v2'],
    [['shop_v2'], 'shop_v3'],
    [['shop_v2', 'shop_v10', 'summer'], 'shop_v11'],
  ])('for the existing versions %j returns %s', (earlier, slug) => {
    expect(templateSlug(trusted.slug('shop'), earlier, nobodyHas)).toBe(slug)
  })

  it('skips a version whose slug is already used', () => {
    expect(templateSlug(trusted.slug('shop'), [], (slug) => slug === 'shop_v2')).toBe('shop_v3')
  })

  it('shortens a long name so that the version fits', () => {
    expect(templateSlug(trusted.slug('s'.repeat(44)), [], nobodyHas)).toBe(`${'s'.repeat(41)}_v2`)
  })
})
