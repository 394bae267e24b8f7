// The console's tabs: opening, closing, and the data that the browser stores of them.
import { describe, expect, it } from 'vitest'
import {
  edited,
  FIRST_TABS,
  parseTabs,
  withLink,
  withoutTab,
  withSql,
  withTab,
} from '../../../../../renderer/features/sql/tabs.ts'

const TWO = withTab(edited(FIRST_TABS, '1', { sql: 'select 1' }), { sql: 'select 2' })

describe('withSql', () => {
  it('uses the current tab when the tab is empty', () => {
    expect(withSql(FIRST_TABS, { sql: 'select 1' }).tabs).toEqual([
      { id: '1', name: 'Query 1', sql: 'select 1' },
    ])
  })

  it('opens another tab when the current tab has text', () => {
    const { tabs, open } = withSql(TWO, { sql: 'select 3' })
    expect([tabs.map(({ sql }) => sql), open]).toEqual([['select 1', 'select 2', 'select 3'], '3'])
  })
})

describe('withLink', () => {
  it('shows the tab that the link opened before, even after edits', () => {
    const linked = withLink(TWO, { sql: 'select 3' })
    const written = edited(linked, linked.open, { sql: 'select 33' })
    const again = withLink({ ...written, open: '1' }, { sql: 'select 3', values: ['1', null] })
    expect([again.tabs.length, again.open]).toEqual([3, '3'])
    expect(again.tabs[2]).toMatchObject({ sql: 'select 33', values: ['1', null] })
  })
})

describe('withoutTab', () => {
  it('shows the neighbour of the tab that was open', () => {
    expect(withoutTab(TWO, '2')).toMatchObject({ open: '1', tabs: [{ id: '1' }] })
  })

  it('keeps showing the open tab when another tab closes', () => {
    expect(withoutTab(TWO, '1')).toMatchObject({ open: '2', tabs: [{ id: '2' }] })
  })

  it('replaces the only tab with an empty tab', () => {
    expect(withoutTab(FIRST_TABS, '1')).toEqual(FIRST_TABS)
  })
})

describe('parseTabs', () => {
  it('reads the tabs that it wrote', () => {
    expect(parseTabs(JSON.parse(JSON.stringify(TWO)))).toEqual(TWO)
  })

  it('shows the first tab when the stored open tab does not exist', () => {
    expect(parseTabs({ ...TWO, open: '9' }).open).toBe('1')
  })

  it.each([
    null,
    'tabs',
    { tabs: [] },
    { tabs: [{ id: 'x', name: 'a', sql: '' }] },
    { tabs: [{ id: '1' }] },
  ])('starts with the first tabs when %j is stored', (kept) => {
    expect(parseTabs(kept)).toEqual(FIRST_TABS)
  })
})
