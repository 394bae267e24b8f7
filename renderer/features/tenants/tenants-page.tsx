// The groups and tenants screen lists the tenants of the open group. The address holds the group, the filter and the
// open sheet.
import { useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactElement, useCallback, useMemo } from 'react'
import type { Fleet } from '../../../emulator/contract/fleet.ts'
import type { GroupOverview, PlatformOverview } from '../../../emulator/contract/overview.ts'
import { useFleet, useFleetSurvey } from '../../api/fleet.ts'
import { useOverview } from '../../api/info.ts'
import { GroupChoice } from '../../parts/group-choice.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { GroupKeysSheet } from './group-keys-sheet.tsx'
import { GroupStrip } from './group-strip.tsx'
import { hasProject, openGroup, tenantsOf } from './open-group.ts'
import { ProjectSheet } from './project-sheet.tsx'
import { ProvisionSheet } from './provision-sheet.tsx'
import { TenantList } from './tenant-list.tsx'
import { NO_GROUP, type TenantsSearch, withoutSheet } from './tenants-search.ts'

const NOTHING = { groups: [], projects: [] }

export function TenantsPage(): ReactElement {
  const search = useSearch({ from: '/tenants' })
  const overview = useOverview()
  const group = openGroup(search, overview.data ?? NOTHING)
  const fleet = useFleet(group?.id)
  useFleetSurvey(fleet)
  const go = useSetSearch<TenantsSearch>()
  useProvisionAction(go)
  return (
    <>
      <PageHeader
        title="Groups and tenants"
        beside={
          overview.data === undefined ? undefined : (
            <GroupChoice
              open={group?.id ?? NO_GROUP}
              none={{ value: NO_GROUP, label: 'Projects without a group' }}
              onOpen={(id) => go({ group: id })}
            />
          )
        }
        actions={
          group === undefined ? undefined : (
            <Button
              tone="primary"
              icon={<Plus />}
              onClick={() => go({ ...withoutSheet(search), sheet: 'provision' })}
            >
              Provision tenant
            </Button>
          )
        }
      />
      <Loaded query={overview} what="groups and tenants" lines={8}>
        {(data) => (
          <>
            {group !== undefined && (
              <GroupStrip
                key={group.id}
                group={group}
                onOpen={(next) => go({ ...withoutSheet(search), ...next })}
              />
            )}
            <SheetLayout
              sheet={
                <OpenSheet
                  overview={data}
                  group={group}
                  fleet={fleet.data}
                  search={search}
                  onSearch={go}
                />
              }
            >
              <TenantList
                overview={data}
                group={group}
                fleet={fleet.data}
                search={search}
                onSearch={go}
              />
            </SheetLayout>
          </>
        )}
      </Loaded>
    </>
  )
}

function useProvisionAction(go: (next: TenantsSearch) => void): void {
  usePaletteActions(
    useMemo(
      () => [
        {
          id: 'tenants.provision',
          label: 'Provision tenant',
          group: 'Groups and tenants',
          run: () => go({ sheet: 'provision' }),
        },
      ],
      [go],
    ),
  )
}

function OpenSheet(props: {
  readonly overview: PlatformOverview
  readonly group: GroupOverview | undefined
  readonly fleet: Fleet | undefined
  readonly search: TenantsSearch
  readonly onSearch: (search: TenantsSearch) => void
}): ReactElement | undefined {
  const { overview, group, fleet, search, onSearch } = props
  const { project: slug } = search
  const close = useCallback(() => onSearch(withoutSheet(search)), [onSearch, search])
  if (slug !== undefined)
    return (
      <ProjectSheet
        key={slug}
        slug={slug}
        project={[...overview.groups.flatMap(tenantsOf), ...overview.projects].find(
          (one) => one.slug === slug,
        )}
        group={overview.groups.find((one) => hasProject(one, slug)) ?? group}
        fleet={fleet}
        search={search}
        onSearch={onSearch}
        onClose={close}
      />
    )
  if (group === undefined) return undefined
  if (search.sheet === 'provision')
    return (
      <ProvisionSheet
        group={group}
        onOpen={(project) => onSearch({ ...withoutSheet(search), project })}
        onClose={close}
      />
    )
  return search.sheet === 'keys' ? <GroupKeysSheet group={group} onClose={close} /> : undefined
}
