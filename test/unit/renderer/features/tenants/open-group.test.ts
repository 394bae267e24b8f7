import { describe, expect, it } from 'vitest'
import type { GroupOverview, ProjectOverview } from '../../../../../emulator/contract/overview.ts'
import { openGroup } from '../../../../../renderer/features/tenants/open-group.ts'

const project = (slug: string): ProjectOverview => ({ slug }) as ProjectOverview
const group = (id: string, tenant: string): GroupOverview =>
  ({
    id,
    template: { slug: `${id}_template` },
    tenants: [project(tenant)],
    removed_tenants: [project(`${tenant}_gone`)],
  }) as unknown as GroupOverview

const platform = { groups: [group('one', 'ana'), group('two', 'ben')], projects: [project('solo')] }

describe('the open group', () => {
  it.each([
    ['nothing', {}, 'one'],
    ['a group', { group: 'two' }, 'two'],
    ['a tenant', { project: 'ben' }, 'two'],
    ['a removed tenant', { project: 'ben_gone' }, 'two'],
    ['a template', { project: 'two_template' }, 'two'],
    ['a tenant and a group that does not exist', { project: 'ben', group: 'gone' }, 'two'],
    ['a tenant of another group', { project: 'ben', group: 'one' }, 'one'],
    ['an unknown project', { project: 'missing' }, 'one'],
    ['a project without a group', { project: 'solo' }, undefined],
    ['no group', { project: 'ben', group: 'none' }, undefined],
  ])('for an address with %s', (_, search, id) => {
    expect(openGroup(search, platform)?.id).toBe(id)
  })
})
