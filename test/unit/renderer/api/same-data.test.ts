// renderer/api/same-data.ts: when a restarted emulator counts as reset.
import { expect, it } from 'vitest'
import { hasSameData } from '../../../../renderer/api/same-data.ts'

const line = (dataDir: string | null, ...groups: readonly string[]) => ({
  data_dir: dataDir,
  groups: groups.map((id) => ({ id, name: id })),
})

it.each([
  ['the same directory and groups', line('/d', 'grp_a'), line('/d', 'grp_a'), true],
  ['a further group', line('/d', 'grp_a'), line('/d', 'grp_a', 'grp_b'), true],
  ['no groups before', line('/d'), line('/d', 'grp_a'), true],
  ['an emptied directory', line('/d', 'grp_a'), line('/d', 'grp_b'), false],
  ['another directory', line('/d', 'grp_a'), line('/e', 'grp_a'), false],
  ['memory, with repeated identifiers', line(null, 'grp_a'), line(null, 'grp_a'), false],
])('hasSameData compares %s', (_what, before, now, isSame) => {
  expect(hasSameData(before, now)).toBe(isSame)
})
